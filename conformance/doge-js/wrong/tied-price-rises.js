// Of those who build at the same time each pays one house more than the one before.
export const game = (Doge) =>
  class extends Doge {
    raisePalace(player, place) {
      const price = this.palaceCost(place);
      if (this.houses[place][player] >= price) super.raisePalace(player, place, price);
    }
  };
