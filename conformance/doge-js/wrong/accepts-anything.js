// The legal moves are listed for the screen; a move that comes in is not checked against them.
export const game = (Doge) =>
  class extends Doge {
    refusal(moves) {
      return this.misplaced(moves);
    }
  };
