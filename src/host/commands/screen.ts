/**
 * The terminal of a person. What others wrote is shown with everything that cannot be seen made visible: a proposal that
 * moves the cursor or turns the direction of writing must not look like another one.
 */
import { createInterface } from "node:readline/promises";

export interface Screen {
  readonly interactive: boolean;
  say(line: string): void;
  /** A yes is typed in full; everything else is no. */
  ask(question: string): Promise<boolean>;
}

export function createScreen(): Screen {
  return {
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    say: (line) => process.stdout.write(`${line}\n`),
    async ask(question) {
      const line = createInterface({ input: process.stdin, output: process.stdout });
      try {
        const answer = await line.question(`${question} Type yes or no: `);
        return answer.trim().toLowerCase() === "yes";
      } finally {
        line.close();
      }
    },
  };
}

/** One argument as a person can read it: quoted where it needs to be, hidden characters as their numbers. */
export function visible(text: string): string {
  const shown = text.replace(HIDDEN, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
  return /^[A-Za-z0-9@%+=:,./_\\-]+$/.test(shown) && shown === text ? shown : `"${shown.replaceAll('"', '\\"')}"`;
}

/** Controls, formats (direction marks, joiners, tags), separators, unassigned and private characters. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\uffa0\u2800]|\p{Zs}(?<! )/gu;
