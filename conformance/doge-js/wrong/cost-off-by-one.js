// The palace to be built is counted among those that are there.
export const game = (Doge) =>
  class extends Doge {
    palaceCost(place) {
      return super.palaceCost(place) + 1;
    }
  };
