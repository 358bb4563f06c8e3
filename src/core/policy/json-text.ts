/**
 * Reads JSON that a person typed, keeping the line of every member, so that a problem can be shown where it is. Stricter
 * than `JSON.parse` where silence would hurt: a name written twice is an error, not a quiet win for the second. Not for
 * frames; those have their own codec.
 *
 * @see RFC 8259
 */
import type { JsonValue } from "../wire/json.ts";
import { below, quoted, type RuleProblem } from "./problem.ts";

type JsonText =
  | { readonly value: JsonValue; readonly lines: ReadonlyMap<string, number> }
  | { readonly problem: RuleProblem };

const DEEPEST = 64;
const WORDS: readonly (readonly [string, JsonValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

export function readJsonText(text: string): JsonText {
  const reader = new Reader(text.startsWith("\uFEFF") ? text.slice(1) : text);
  try {
    const value = reader.value("", 0);
    reader.end();
    return { value, lines: reader.lines };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.problem };
    throw error;
  }
}

class Unreadable extends Error {
  readonly problem: RuleProblem;
  constructor(problem: RuleProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

class Reader {
  readonly lines = new Map<string, number>();
  readonly #blankToken = /[ \t\n\r]*/y;
  readonly #numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
  readonly #stringToken = /"(?:[^"\\\n\r]|\\.)*"/y;
  readonly #text: string;
  #at = 0;
  #line = 1;
  #counted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(path: string, depth: number): JsonValue {
    this.#skip();
    if (depth > DEEPEST) this.#fail(path, "This is nested too deeply.", "Write rules as a flat list.");
    this.lines.set(path, this.#lineNow());
    const next = this.#text[this.#at];
    if (next === "{") return this.#object(path, depth);
    if (next === "[") return this.#array(path, depth);
    if (next === '"') return this.#string(path);
    return this.#scalar(path, next);
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length)
      this.#fail("", "There is more after the end.", "Remove it, or check the brackets before.");
  }

  #object(path: string, depth: number): JsonValue {
    const members = new Map<string, JsonValue>();
    this.#at++;
    if (this.#take("}")) return {};
    do {
      this.#skip();
      if (this.#text[this.#at] === "}") this.#fail(path, "There is a comma before }.", "Remove the comma.");
      if (this.#text[this.#at] !== '"')
        this.#fail(path, "A name is expected here.", 'Write names in double quotes, like "id".');
      const name = this.#string(path);
      const at = below(path, name);
      if (members.has(name)) this.#fail(at, `${quoted(name)} is written twice.`, "Remove one of them.");
      if (!this.#take(":")) this.#fail(at, "A colon is missing.", `Write : after "${name.slice(0, 60)}".`);
      members.set(name, this.value(at, depth + 1));
    } while (this.#take(","));
    if (!this.#take("}")) this.#fail(path, "A comma or } is missing.", "Put a comma between members, or close with }.");
    return Object.fromEntries(members);
  }

  #array(path: string, depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.#at++;
    if (this.#take("]")) return items;
    do {
      this.#skip();
      if (this.#text[this.#at] === "]") this.#fail(path, "There is a comma before ].", "Remove the comma.");
      items.push(this.value(below(path, items.length), depth + 1));
    } while (this.#take(","));
    if (!this.#take("]")) this.#fail(path, "A comma or ] is missing.", "Put a comma between items, or close with ].");
    return items;
  }

  #string(path: string): string {
    const token = this.#match(this.#stringToken);
    if (token === undefined) this.#fail(path, "A text has no end.", 'Close it with " on the same line.');
    try {
      return JSON.parse(token) as string;
    } catch {
      return this.#fail(path, "A text has an escape that JSON does not know.", "A \\ is written \\\\.");
    }
  }

  #scalar(path: string, next: string | undefined): JsonValue {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    const token = this.#match(this.#numberToken);
    if (token !== undefined) return Number(token);
    if (next === undefined) return this.#fail(path, "The text ends too early.", "Check that every bracket is closed.");
    if (next === "'") return this.#fail(path, "Single quotes are not JSON.", 'Use double quotes: "…".');
    if (next === "/" || next === "#")
      return this.#fail(path, "JSON has no comments.", "Use the rule's “note” instead.");
    return this.#fail(path, "A value is expected here.", "Put texts in double quotes.");
  }

  /** Takes one character after blanks, if it is next. */
  #take(character: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skip(): void {
    this.#match(this.#blankToken);
  }

  #match(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #lineNow(): number {
    for (; this.#counted < this.#at; this.#counted++) if (this.#text[this.#counted] === "\n") this.#line++;
    return this.#line;
  }

  #fail(path: string, message: string, remedy: string): never {
    throw new Unreadable({ path, line: this.#lineNow(), message, remedy });
  }
}
