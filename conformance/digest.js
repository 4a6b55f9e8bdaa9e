// Digests: a position or a list of moves as one number, so that many fit into one reply.
// FNV-1a is fed character by character, hence a path shared by many values is hashed once.

const START = 0x811c9dc5;

function feed(hash, text) {
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

function finish(hash) {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export const hash = (text) => finish(feed(START, text));

/** The digest of a position or a view; hidden values leave no trace in it. */
export function stateDigest(fields, path = START) {
  let sum = 0;
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) continue;
    const here = feed(path, name);
    sum +=
      typeof value === "object"
        ? stateDigest(value, feed(here, "."))
        : finish(feed(here, `=${value}`));
  }
  return sum % 0x100000000;
}

const moveHashes = new WeakMap(); // an engine that hands out the same objects again is faster

function moveHash(move) {
  let known = moveHashes.get(move);
  if (known === undefined) {
    const args = Object.entries(move.args).sort(([one], [other]) => (one < other ? -1 : 1));
    const words = [
      move.player ?? "chance",
      move.name,
      ...args.map(([name, value]) => `${name}=${value}`),
    ];
    moveHashes.set(move, (known = hash(words.join(" "))));
  }
  return known;
}

export const legalDigest = (moves) =>
  moves.reduce((sum, move) => sum + moveHash(move), 0) % 0x100000000;
