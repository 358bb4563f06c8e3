/**
 * What is wrong with a rule, told to the person who wrote it: where, what, and what to do about it. Reading a rule reports
 * every problem at once, because fixing one to be shown the next is how rules get abandoned half right.
 */

/** One problem of a rule or of a rule text. */
export interface RuleProblem {
  /** JSON Pointer into the text, or empty. */
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  readonly remedy: string;
}

/** A problem without its place. */
export interface Complaint {
  readonly message: string;
  readonly remedy: string;
}

/** Takes a problem at a JSON Pointer. */
export type Report = (path: string, complaint: Complaint) => void;

/** The pointer to a member or item below `path`. @see RFC 6901 · 3 Syntax */
export function below(path: string, member: string | number): string {
  return `${path}/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** A person's own word in a sentence of ours, short enough for one line. */
export function quoted(text: string): string {
  return text.length > 60 ? `“${text.slice(0, 59)}…”` : `“${text}”`;
}
