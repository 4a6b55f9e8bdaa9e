// A builder takes back all houses of the district, not only the price.
export const game = (Doge) =>
  class extends Doge {
    raisePalace(player, place) {
      super.raisePalace(player, place, this.houses[place][player]);
    }
  };
