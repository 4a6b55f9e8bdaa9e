// Six palaces in five districts are enough, where seven are asked for.
export const game = (Doge) =>
  class extends Doge {
    fulfils(player) {
      return (
        super.fulfils(player) || (this.palacesOf(player) >= 6 && this.placesBuilt(player) >= 5)
      );
    }
  };
