// The conformance protocol for any engine in JavaScript: `serve(engine, about)`. The engine has
//   newGame(players, settings), apply(moves), undo()   null, or why not (and then nothing changes)
//   toAct(), legal(), state(), view(seat), outcome()   as the protocol describes them
// and may have digest(seat), seat null for the whole position, when it knows a faster way.
import { legalDigest, stateDigest } from "./digest.js";
import { insist, listen } from "./jsonrpc.js";
import { perft } from "./perft.js";

const METHODS = ["legal", "state", "view", "undo", "replay", "perft"]; // need not be there
const isCount = (value) => Number.isInteger(value) && value >= 0;

/** A function that answers a method of the protocol with its parameters. */
export function adapt(engine, about) {
  let seats = null;
  let made = 0; // steps that can be taken back

  const digestOf = (seat) =>
    engine.digest?.(seat) ?? stateDigest(seat === null ? engine.state() : engine.view(seat));

  function report(want, digest = false) {
    const result = { to_act: engine.toAct() };
    if (want.includes("legal"))
      result.legal = digest ? legalDigest(engine.legal()) : engine.legal();
    if (want.includes("state")) result.state = digest ? digestOf(null) : engine.state();
    if (want.includes("views"))
      result.views = Object.fromEntries(
        seats.map((seat) => [seat, digest ? digestOf(seat) : engine.view(seat)]),
      );
    if (want.includes("outcome")) result.outcome = engine.outcome();
    return result;
  }

  function step(moves) {
    insist(Array.isArray(moves), -32602, "a step is a list of moves");
    const reason = engine.apply(moves);
    if (reason === null) made += 1;
    return reason;
  }

  function replay({ steps, want = [], digest }) {
    insist(Array.isArray(steps), -32602, "`steps` is a list of steps");
    const positions = [];
    for (const moves of steps) {
      const message = step(moves);
      if (message !== null) return { positions, refused: { step: positions.length, message } };
      positions.push(report(want, digest));
    }
    return { positions };
  }

  return function call(method, params) {
    const { players, moves, seat, steps = 1, depth, want = [] } = params;
    insist(Array.isArray(want), -32602, "`want` is a list");
    insist(["hello", "new", "apply", ...METHODS].includes(method), -32601, `no method ${method}`);
    insist(method === "hello" || method === "new" || seats !== null, 1, "no game has been started");
    if (method === "hello") return { protocol: 1, methods: METHODS, digests: true, ...about };
    if (method === "legal") return report(["legal"]);
    if (method === "state") return report(["state", "outcome"]);
    if (method === "replay") return replay(params);
    if (method === "view") {
      insist(seats.includes(seat), -32602, "`seat` is the name of a player");
      return { ...report([]), view: engine.view(seat) };
    }
    if (method === "perft") {
      insist(isCount(depth), -32602, "`depth` is a number");
      return { count: perft(engine, depth) };
    }
    if (method === "new") {
      insist(Array.isArray(players), -32602, "`players` is a list of names");
      const reason = engine.newGame(players, params);
      insist(reason === null, 2, reason);
      [seats, made] = [players, 0];
    } else if (method === "apply") {
      const reason = step(moves);
      insist(reason === null, 1, reason);
    } else {
      insist(isCount(steps) && steps <= made, 1, `only ${made} steps have been made`);
      for (let count = 0; count < steps; count += 1) engine.undo();
      made -= steps;
    }
    return report(want);
  };
}

export const serve = (engine, about) => listen(adapt(engine, about));
