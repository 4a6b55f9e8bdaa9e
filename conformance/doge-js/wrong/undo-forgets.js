// Taking a step back restores the pieces, but not what had been decided in the vote.
export const game = (Doge) =>
  class extends Doge {
    restore(snapshot) {
      const decided = this.decided.slice();
      super.restore(snapshot);
      this.decided.set(decided);
    }
  };
