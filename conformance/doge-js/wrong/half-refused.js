// Moves made at once are checked one by one while they are carried out.
export const game = (Doge) =>
  class extends Doge {
    play(moves) {
      const misplaced = this.misplaced(moves);
      if (misplaced !== null) return misplaced;
      const before = this.snapshot();
      for (const move of moves) {
        const objection = this.objection(move);
        if (objection !== null) return objection;
        this.carryOut(move);
      }
      this.history.push(before);
      this.goOn();
      return null;
    }
  };
