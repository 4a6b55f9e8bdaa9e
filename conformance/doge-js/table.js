// What is in the box and where it lies. No rule of play is in here.

export const PLAYERS = ["red", "blue", "yellow", "green"];
export const PLACES = [
  "Cannaregio",
  "Castello",
  "Dorsoduro",
  "SanMarco",
  "SanPolo",
  "SantaCroce",
  "DogePalace",
];
export const DOGE_PALACE = 6;
export const DISTRICTS = [0, 1, 2, 3, 4, 5];

export const COUNCILLORS = [
  "CannaregioEnvoy",
  "CastelloEnvoy",
  "DorsoduroEnvoy",
  "SanMarcoEnvoy",
  "SanPoloEnvoy",
  "SantaCroceEnvoy",
  "FirstOfForty",
  "SecondOfForty",
  "ThirdOfForty",
];
// The place each councillor comes from.
export const HOME = [0, 1, 2, 3, 4, 5, DOGE_PALACE, DOGE_PALACE, DOGE_PALACE];

export const HOUSES = 15;
export const PALACES = 8;
export const RINGS = 6;
export const MARKERS = [1, 2, 2, 2]; // how many a player has of the values 0 to 3
export const SITES = 5; // for palaces, in every district

// No place, nobody, not yet known: one number for all that is absent.
export const NONE = -1;

const ROOM = 512; // more than enough for four players; the constructor makes sure

/** Everything on the table. Rows and grids are windows on one array, so that a snapshot is a copy. */
export class Table {
  constructor(players) {
    this.players = players;
    this.seats = PLAYERS.slice(0, players).map((_, seat) => seat);
    this.cells = new Int8Array(ROOM);
    let used = 0;
    const row = (length, value = 0) => {
      const cells = this.cells.subarray(used, (used += length)).fill(value);
      if (used > ROOM) throw new RangeError("the table needs more room");
      return cells;
    };
    const grid = (rows, ...rest) =>
      Array.from({ length: rows }, () => (rest.length > 1 ? grid(...rest) : row(...rest)));

    // With each player.
    this.housesLeft = row(players, HOUSES);
    this.palacesLeft = row(players, PALACES);
    this.ringsLeft = row(players, RINGS);
    this.played = grid(players, PLACES.length); // cards on the table; the others are in hand
    this.pouch = grid(players, MARKERS.length);
    for (const pouch of this.pouch) pouch.set(MARKERS);

    // On the board.
    this.urn = grid(PLACES.length, players, MARKERS.length);
    this.houses = grid(PLACES.length, players);
    this.palaces = grid(PLACES.length, players);
    this.seat = row(COUNCILLORS.length, NONE); // NONE: on its circle beside the map
    this.ring = row(COUNCILLORS.length, NONE); // whose ring it wears

    // The cards for the order of counting: brown for this round, blue for the next.
    this.order = row(PLACES.length);
    this.order.set([...PLACES.keys()]);
    this.coming = row(PLACES.length, NONE);

    // The vote that is being counted.
    this.standing = row(players); // 1 first, 2 second, 0 neither
    this.decided = row(COUNCILLORS.length);
    this.toPlace = row(players);
    this.movesLeft = row(players);
    this.arrived = row(players, NONE); // where a house has just come in
    this.met = row(players); // who has met a goal

    this.wants = row(players); // who has just said to build

    // How far play has come: what is to be chosen, by whom (`asked`, in seat order), and where.
    this.clock = {
      step: "brown",
      asked: [],
      slot: 0,
      biddings: 0,
      turned: 0,
      counting: NONE,
      stage: 0,
      ground: NONE,
    };
  }

  snapshot() {
    return { cells: this.cells.slice(), clock: { ...this.clock } };
  }

  restore({ cells, clock }) {
    this.cells.set(cells);
    this.clock = { ...clock };
  }
}
