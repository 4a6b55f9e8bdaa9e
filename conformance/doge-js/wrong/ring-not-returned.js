// A ring is taken off a councillor, but its owner does not get it back.
import { NONE } from "../table.js";

export const game = (Doge) =>
  class extends Doge {
    takeRingOff(councillor) {
      this.ring[councillor] = NONE;
    }
  };
