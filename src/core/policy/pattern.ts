/**
 * Patterns that people write in rules. They run in a linear-time engine, because a pattern is tried on text that an
 * attacker chose, in the one process every call waits for. Size is bounded too: a short pattern can ask for a huge program.
 *
 * @see RE2 · Syntax
 */
import { RE2JS } from "re2js";
import { type Complaint, quoted } from "./problem.ts";

const LONGEST = 1_000;
const LARGEST_PROGRAM = 4_000;

export function patternComplaint(pattern: string): Complaint | undefined {
  if (pattern === "") {
    return { message: "An empty pattern matches everything.", remedy: 'Write {"exists": true} if any value will do.' };
  }
  if (pattern.length > LONGEST) {
    return { message: "The pattern is too long.", remedy: `Keep it under ${LONGEST} characters, or split the rule.` };
  }
  try {
    if (RE2JS.compile(pattern).programSize() <= LARGEST_PROGRAM) return undefined;
    return { message: "The pattern asks for too many repetitions.", remedy: "Use smaller counts in { }." };
  } catch {
    return { message: `The pattern ${quoted(pattern)} cannot be read.`, remedy: patternRemedy(pattern) };
  }
}

/** Whether the pattern matches anywhere in a text. Throws for a pattern that has a complaint. */
export function patternTest(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (text) => compiled.test(text);
}

function patternRemedy(pattern: string): string {
  if (/\(\?<?[=!]/.test(pattern))
    return "Look-around is not supported, because it can take forever. Use “not”, or a second rule.";
  if (/\\[1-9]/.test(pattern)) return "References back to a group are not supported, because they can take forever.";
  return "Check brackets and escapes. A \\ is written \\\\ in JSON.";
}
