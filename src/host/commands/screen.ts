/** The terminal of a person. Nothing reaches it that could steer it, whoever wrote it. */
import { createInterface } from "node:readline/promises";
import { readable } from "../readable.ts";

export interface Screen {
  readonly interactive: boolean;
  say(line: string): void;
  /** A yes is typed in full; everything else is no. */
  ask(question: string): Promise<boolean>;
}

export function createScreen(): Screen {
  return {
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    say: (line) => process.stdout.write(`${readable(line)}\n`),
    async ask(question) {
      const line = createInterface({ input: process.stdin, output: process.stdout });
      try {
        const answer = await line.question(`${readable(question)} Type yes or no: `);
        return answer.trim().toLowerCase() === "yes";
      } finally {
        line.close();
      }
    },
  };
}
