/** A program that says again what a recorded server said, or dies as it died: `node replay-child.mjs TRANSCRIPT`. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { readTranscript } from "../fakes/replay.ts";

const { answer, death } = readTranscript(readFileSync(process.argv[2] ?? "", "utf8"));
process.stderr.write(death?.stderr ?? "replaying\n");
if (death) process.exitCode = death.code;
else
  createInterface({ input: process.stdin }).on("line", (line) => {
    for (const one of answer(line)) process.stdout.write(`${one}\n`);
  });
