// The most palaces win, whether or not they meet a goal.
import { HOUSES } from "../table.js";

export const game = (Doge) =>
  class extends Doge {
    winners() {
      const worth = this.seats.map(
        (player) => this.palacesOf(player) * (HOUSES + 1) + this.housesOnBoard(player),
      );
      return this.seats.filter((player) => worth[player] === Math.max(...worth));
    }
  };
