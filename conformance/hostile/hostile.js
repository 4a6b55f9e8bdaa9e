// Engines that misbehave: `node hostile.js NAME [AFTER]`. Each plays Doge well for the first AFTER
// requests (4 unless told otherwise), so that the trouble comes in the middle of a game.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { adapt } from "../adapter.js";
import { DogeEngine } from "../doge-js/engine.js";
import { answer } from "../jsonrpc.js";

const { stdout, stderr } = process;
const text = (value) => `${JSON.stringify(value)}\n`;
const stay = () => void setInterval(() => {}, 1 << 30);

function flood(chunk) {
  while (stdout.write(chunk));
  stdout.once("drain", () => flood(chunk));
}

let held = null; // an answer kept back
const engine = new DogeEngine();

// What is written in place of the good answer, which is given as a line, with the id of the request.
const HOSTILE = {
  // Says nothing any more, and stays when its input ends.
  hang: () => stay(),
  // One character a second.
  drip: (line) =>
    [...line].forEach((sign, place) => setTimeout(() => stdout.write(sign), 1000 * place)),
  // Takes no notice of polite signals either.
  stubborn: () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
    stay();
  },
  crash: () => {
    stderr.write("the engine has fallen over its own feet\n");
    process.exit(1);
  },
  // Leaves as if all were well.
  vanish: () => process.exit(0),
  killed: () => void process.kill(process.pid, "SIGKILL"),
  // Leaves a child behind that holds on to its output.
  orphan: () => {
    spawn("sleep", ["600"], { stdio: "inherit" });
    process.exit(0);
  },
  garbage: () => "Segmentation fault (core dumped)\n",
  bytes: () => Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]),
  deep: () => `${"[".repeat(100_000)}${"]".repeat(100_000)}\n`,
  shape: () => text([{ jsonrpc: 2, id: "one", result: [], error: 0 }]),
  nonsense: (line, id) =>
    text({
      jsonrpc: "2.0",
      id,
      result: { to_act: ["nobody", 7], legal: [{ name: 1 }, null], state: 7, positions: {} },
    }),
  // Lines that nobody asked for, without end; and one line without end.
  flood: () => flood(text({ jsonrpc: "2.0", id: 0, result: {} }).repeat(1000)),
  endless: () => flood("x".repeat(1 << 16)),
  // Writes a good deal to standard error beside each answer, which must not block anything.
  grumble: (line) => (stderr.write("hm\n".repeat(5_000)), line),
  chatter: (line) => `thinking hard\n${line}`,
  twice: (line) => line + line,
  // Two answers at a time, the later one first.
  swap: (line) => {
    const both = held === null ? "" : line + held;
    held = held === null ? line : null;
    return both;
  },
  stranger: (line) => text({ ...JSON.parse(line), id: 12_345_678 }),
  // Lies: an old answer again; moves that are never made; everything refused.
  stale: (line, id) => {
    held ??= line;
    return text({ ...JSON.parse(held), id });
  },
  forget: (line) => {
    engine.apply = () => null;
    return line;
  },
  refuse: (line, id) =>
    text({ jsonrpc: "2.0", id, error: { code: 1, message: "I would rather not" } }),
  // These are for AFTER = 0: they greet strangely.
  mute: (line, id) => text({ jsonrpc: "2.0", id, result: {} }),
  chess: (line) => line.replace('"game":"doge"', '"game":"chess"'),
  future: (line) => line.replace('"protocol":1', '"protocol":99'),
};

const [name, after = "4"] = process.argv.slice(2);
if (!Object.hasOwn(HOSTILE, name)) {
  stderr.write(
    `usage: node hostile.js NAME [AFTER], where NAME is ${Object.keys(HOSTILE).join(", ")}\n`,
  );
  process.exit(2);
}
const call = adapt(engine, DogeEngine.about);
let asked = 0;
createInterface({ input: process.stdin }).on("line", (request) => {
  const reply = answer(call, request);
  asked += 1;
  const written = asked > Number(after) ? HOSTILE[name](text(reply), reply.id) : text(reply);
  if (written !== undefined) stdout.write(written);
});
