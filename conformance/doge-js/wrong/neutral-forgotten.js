// After a tie for first the councillor stays where it is, with its ring on.
export const game = (Doge) =>
  class extends Doge {
    neutralise(place) {
      if (this.howMany(1) === 1) super.neutralise(place);
    }
  };
