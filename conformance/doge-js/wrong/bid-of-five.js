// The limit of four markers is off by one.
export const game = (Doge) =>
  class extends Doge {
    isBidSize(count) {
      return count >= 1 && count <= 5;
    }
  };
