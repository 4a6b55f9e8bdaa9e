// Every move there is, made once: its names for the wire, its numbers for the rules.

import { COUNCILLORS, PLACES, PLAYERS } from "./table.js";

const VALUES = {
  q: PLACES,
  c: COUNCILLORS,
  to: PLACES,
  origin: PLACES,
  target: PLACES,
  n: [1, 2],
  zeros: [0, 1],
  ones: [0, 1, 2],
  twos: [0, 1, 2],
  threes: [0, 1, 2],
};

const ARGUMENTS = {
  turn_brown: ["q"],
  bid: ["q", "zeros", "ones", "twos", "threes"],
  hold_back: [],
  take: ["c", "to"],
  take_waiting: ["c"],
  renounce: ["c"],
  place_houses: ["n"],
  move_houses: ["n", "origin", "target"],
  leave_houses: [],
  build: [],
  forgo: [],
  turn_blue: ["q"],
};

// What can be chosen at each step of the game.
const OFFERS = {
  brown: ["turn_brown"],
  bidding: ["bid", "hold_back"],
  councillor: ["take", "take_waiting", "renounce"],
  houses: ["place_houses", "move_houses", "leave_houses"],
  building: ["build", "forgo"],
  blue: ["turn_blue"],
  over: [],
};

/** The members of VALUES are names, which the rules know by number, or numbers already. */
const numberOf = (value, index) => (typeof value === "number" ? value : index);

/** All ways to fill in the arguments, each as pairs of a value and its number. */
function choices(names) {
  if (names.length === 0) return [[]];
  const rest = choices(names.slice(1));
  return VALUES[names[0]].flatMap((value, index) =>
    rest.map((tail) => [[value, numberOf(value, index)], ...tail]),
  );
}

function movesNamed(name, seat) {
  return choices(ARGUMENTS[name]).map((choice) => {
    const numbers = choice.map(([, number]) => number);
    const args = Object.fromEntries(ARGUMENTS[name].map((key, index) => [key, choice[index][0]]));
    return Object.freeze({
      name,
      seat,
      numbers: seat === null ? numbers : [seat, ...numbers],
      wire: Object.freeze({ player: seat === null ? null : PLAYERS[seat], name, args }),
    });
  });
}

const key = (player, name, values) => JSON.stringify([player, name, ...values]);

const catalogue = {}; // by step, then by seat
const known = new Map();
for (const [step, names] of Object.entries(OFFERS)) {
  const chance = names.some((name) => name.startsWith("turn_"));
  const seats = chance ? [null] : [...PLAYERS.keys()];
  catalogue[step] = seats.map((seat) => names.flatMap((name) => movesNamed(name, seat)));
  for (const move of catalogue[step].flat())
    known.set(key(move.wire.player, move.name, Object.values(move.wire.args)), move);
}

/** The moves of a seat (0 for chance) at a step, allowed or not. */
export const movesAt = (step, seat) => catalogue[step][seat];

export const isOffered = (step, name) => OFFERS[step].includes(name);

/** The move that an object from the wire stands for, or null. */
export function findMove(wire) {
  const { player, name, args } = wire ?? {};
  if (
    player === undefined ||
    !Object.hasOwn(ARGUMENTS, name) ||
    typeof args !== "object" ||
    args === null
  )
    return null;
  const names = ARGUMENTS[name];
  if (Object.keys(args).length !== names.length) return null;
  return (
    known.get(
      key(
        player,
        name,
        names.map((each) => args[each]),
      ),
    ) ?? null
  );
}
