// The position by the names that the rules give it: a list of values, each with its path.

import { COUNCILLORS, MARKERS, NONE, PLACES, PLAYERS } from "./table.js";

const asNumber = (value) => value;
const asFlag = (value) => value === 1;
const asPlace = (value) => (value === NONE ? "none" : PLACES[value]);
const asSeat = (value) => (value === NONE ? "start" : `seat[${PLACES[value]}]`);

/**
 * One value: where it is found, as a number, and how that number is put into words. A secret is
 * known to its owner; it lies in a place, or with its owner (NONE).
 */
class Field {
  hashes = []; // of the path with each value, for whoever keeps them here

  constructor(path, read, wording = asNumber, owner = NONE, place = NONE) {
    Object.assign(this, { path, read, wording, owner, place });
  }

  get isSecret() {
    return this.owner !== NONE;
  }
}

function* ofPlayer(name, player) {
  yield new Field(`reserve.house.${name}`, (game) => game.housesLeft[player]);
  yield new Field(`reserve.palace.${name}`, (game) => game.palacesLeft[player]);
  yield new Field(`reserve.ring.${name}`, (game) => game.ringsLeft[player]);
  yield new Field(`standing.${name}`, (game) => game.standing[player]);
  yield new Field(`to_place.${name}`, (game) => game.toPlace[player]);
  yield new Field(`moves_left.${name}`, (game) => game.movesLeft[player]);
  yield new Field(`arrived.${name}`, (game) => game.arrived[player], asPlace);
  yield new Field(`wants.${name}`, (game) => game.wants[player], asFlag);
  yield new Field(`met.${name}`, (game) => game.met[player], asFlag);
  for (const value of MARKERS.keys()) {
    yield new Field(
      `pouch.marker.${name}.${value}`,
      (game) => game.pouch[player][value],
      asNumber,
      player,
    );
    // Where markers would go if they were ever lost; as ruled, none is.
    yield new Field(`box.marker.${name}.${value}`, () => 0, asNumber, player);
  }
}

function* ofPlayerInPlace(name, player, placeName, place) {
  yield new Field(`hand.card.${name}.${placeName}`, (game) => 1 - game.played[player][place]);
  yield new Field(`spread.card.${name}.${placeName}`, (game) => game.played[player][place]);
  yield new Field(`site.house.${placeName}.${name}`, (game) => game.houses[place][player]);
  yield new Field(`site.palace.${placeName}.${name}`, (game) => game.palaces[place][player]);
  for (const value of MARKERS.keys()) {
    const path = `urn.marker.${placeName}.${name}.${value}`;
    yield new Field(path, (game) => game.urn[place][player][value], asNumber, player, place);
  }
}

function* ofCouncillor(name, councillor, players) {
  yield new Field(`Councillor.at.${name}`, (game) => game.seat[councillor], asSeat);
  yield new Field(`decided.${name}`, (game) => game.decided[councillor], asFlag);
  for (const [player, owner] of players.entries())
    yield new Field(`head.ring.${name}.${owner}`, (game) =>
      Number(game.ring[councillor] === player),
    );
}

function* ofRound() {
  yield new Field("turned", (game) => game.clock.turned);
  yield new Field("counting", (game) => game.clock.counting, asPlace);
  for (const slot of PLACES.keys()) {
    yield new Field(`order.${slot + 1}`, (game) => game.order[slot], asPlace);
    yield new Field(`coming.${slot + 1}`, (game) => game.coming[slot], asPlace);
  }
}

function* all(players) {
  yield* ofRound();
  for (const [councillor, name] of COUNCILLORS.entries())
    yield* ofCouncillor(name, councillor, players);
  for (const [player, name] of players.entries()) {
    yield* ofPlayer(name, player);
    for (const [place, placeName] of PLACES.entries())
      yield* ofPlayerInPlace(name, player, placeName, place);
  }
}

const known = new Map();

/** All fields of a game for so many players. */
export function fieldsFor(players) {
  if (!known.has(players)) known.set(players, [...all(PLAYERS.slice(0, players))]);
  return known.get(players);
}
