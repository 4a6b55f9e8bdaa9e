// A councillor may be sent to any place, its own included.
export const game = (Doge) =>
  class extends Doge {
    maySit() {
      return true;
    }
  };
