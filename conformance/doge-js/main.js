// The engine as a program: `node main.js`, or `node main.js --wrong NAME` for one that errs.
import { readFileSync } from "node:fs";

import { serve } from "../adapter.js";
import { DogeEngine } from "./engine.js";
import { Doge } from "./game.js";

const same = (Class) => Class;
const manifest = new URL("./wrong/manifest.json", import.meta.url);

/** What a wrong variant makes of the game and of the engine; without a name, nothing. */
async function variant(words) {
  if (words.length === 0) return {};
  const [flag, name] = words;
  const names = JSON.parse(readFileSync(manifest)).map((entry) => entry.name);
  if (flag === "--wrong" && names.includes(name)) return import(`./wrong/${name}.js`);
  process.stderr.write(`usage: node main.js [--wrong NAME], where NAME is ${names.join(", ")}\n`);
  return process.exit(2);
}

const { game = same, engine = same } = await variant(process.argv.slice(2));
const Engine = engine(DogeEngine);
serve(new Engine(game(Doge)), DogeEngine.about);
