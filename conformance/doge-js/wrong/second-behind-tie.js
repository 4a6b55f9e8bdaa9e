// The next best is second even when several share the first place.
import { NONE } from "../table.js";

export const game = (Doge) =>
  class extends Doge {
    ranking(place) {
      const votes = this.seats.map((player) =>
        this.contends(player, place) ? this.votes(player, place) : NONE,
      );
      const [best, next] = [...new Set(votes)].sort((one, other) => other - one);
      return votes.map((number) =>
        number === NONE ? 0 : number === best ? 1 : number === next ? 2 : 0,
      );
    }
  };
