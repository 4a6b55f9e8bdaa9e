// Cards go back to the hands when bidding is over, not at the end of the round.
export const game = (Doge) =>
  class extends Doge {
    nextVote() {
      for (const cards of this.played) cards.fill(0);
      super.nextVote();
    }
  };
