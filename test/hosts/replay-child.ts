/** A program that says again what a recorded server said: `node replay-child.mjs TRANSCRIPT`. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { readTranscript } from "../fakes/replay.ts";

const transcript = readTranscript(readFileSync(process.argv[2] ?? "", "utf8"));
process.stderr.write("replaying\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  for (const answer of transcript.answer(line)) process.stdout.write(`${answer}\n`);
});
