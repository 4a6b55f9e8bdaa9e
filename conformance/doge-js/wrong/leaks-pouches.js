// While a vote is counted everything is turned up, the markers behind the players too.
import { NONE } from "../table.js";

export const engine = (DogeEngine) =>
  class extends DogeEngine {
    sees(viewer, player, place) {
      return (
        super.sees(viewer, player, place) || (place === NONE && this.game.clock.counting !== NONE)
      );
    }
  };
