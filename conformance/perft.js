// How many sequences of `depth` steps there are, for any engine that an adapter serves.

export function perft(engine, depth) {
  if (depth === 0) return 1;
  const legal = engine.legal();
  const choices = engine
    .toAct()
    .map((who) => legal.filter((move) => (move.player ?? "chance") === who));
  if (choices.length === 0) return 0;
  if (depth === 1) return choices.reduce((product, moves) => product * moves.length, 1);
  let count = 0;
  for (const step of combinations(choices)) {
    engine.apply(step);
    count += perft(engine, depth - 1);
    engine.undo();
  }
  return count;
}

/** One move of each list, in every way. */
function* combinations([first, ...rest]) {
  if (first === undefined) yield [];
  else for (const move of first) for (const others of combinations(rest)) yield [move, ...others];
}
