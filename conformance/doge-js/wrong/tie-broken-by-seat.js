// Votes are sorted, so that of two equals the one who sits first comes first.
export const game = (Doge) =>
  class extends Doge {
    ranking(place) {
      const contenders = this.seats.filter((player) => this.contends(player, place));
      contenders.sort((one, other) => this.votes(other, place) - this.votes(one, place));
      return this.seats.map((player) =>
        contenders[0] === player ? 1 : contenders[1] === player ? 2 : 0,
      );
    }
  };
