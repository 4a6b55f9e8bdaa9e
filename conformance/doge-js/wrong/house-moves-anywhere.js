// After giving up a district's councillor a house may go from anywhere to anywhere.
export const game = (Doge) =>
  class extends Doge {
    isWay() {
      return true;
    }
  };
