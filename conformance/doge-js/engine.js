// Doge for an adapter: moves, positions, views and outcomes by the names that the rules give them.

import { hash } from "../digest.js";
import { fieldsFor } from "./fields.js";
import { Doge } from "./game.js";
import { findMove } from "./moves.js";
import { NONE, PLAYERS } from "./table.js";

export class DogeEngine {
  static about = { engine: "doge.js 1.0", game: "doge", players: [3, 4] };

  constructor(Game = Doge) {
    this.Game = Game;
  }

  newGame(players, { data = {}, options = {}, readings = {} } = {}) {
    if (!DogeEngine.about.players.includes(players.length)) return "Doge is for three or four";
    if (players.some((name, seat) => name !== PLAYERS[seat]))
      return `the players are ${PLAYERS.join(", ")}`;
    if ([data, options, readings].some((each) => Object.keys(each).length > 0))
      return "only the rules as ruled";
    this.names = players;
    this.game = new this.Game(players.length);
    return null;
  }

  toAct() {
    const { step, asked } = this.game.clock;
    return step === "brown" || step === "blue" ? ["chance"] : asked.map((seat) => this.names[seat]);
  }

  legal() {
    return this.game.legal().map((move) => move.wire);
  }

  apply(step) {
    const moves = step.map(findMove);
    if (moves.includes(null)) return "there is no such move";
    return this.game.play(moves.sort((one, other) => one.seat - other.seat));
  }

  undo() {
    return this.game.undo();
  }

  outcome() {
    const { game, names } = this;
    if (game.clock.step !== "over") return null;
    return {
      winners: game.winners().map((seat) => names[seat]),
      scores: Object.fromEntries(names.map((name, seat) => [name, game.palacesOf(seat)])),
    };
  }

  state() {
    return this.seen(null);
  }

  view(name) {
    return this.seen(this.names.indexOf(name));
  }

  /** Markers lie face down: their owner knows them, the others those of the place being counted. */
  sees(viewer, owner, place) {
    return viewer === owner || (place !== NONE && place === this.game.clock.counting);
  }

  hides(viewer, field) {
    return viewer !== null && field.isSecret && !this.sees(viewer, field.owner, field.place);
  }

  seen(viewer) {
    const { game } = this;
    const result = {};
    for (const field of fieldsFor(game.players))
      result[field.path] = this.hides(viewer, field) ? null : field.wording(field.read(game));
    return result;
  }

  /** The digest of what a seat sees (null: of everything), without putting it into words. */
  digest(name) {
    const { game } = this;
    const viewer = name === null ? null : this.names.indexOf(name);
    let sum = 0;
    for (const field of fieldsFor(game.players)) {
      if (this.hides(viewer, field)) continue;
      const value = field.read(game);
      sum += field.hashes[value - NONE] ??= hash(`${field.path}=${field.wording(value)}`);
    }
    return sum % 0x100000000;
  }
}
