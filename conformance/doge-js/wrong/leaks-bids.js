// Markers on the board are public; that they lie face down is forgotten.
import { NONE } from "../table.js";

export const engine = (DogeEngine) =>
  class extends DogeEngine {
    sees(viewer, player, place) {
      return place !== NONE || super.sees(viewer, player, place);
    }
  };
