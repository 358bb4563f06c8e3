/**
 * JSON text laid out on lines without reading it as values: only white space between tokens changes, so that a long
 * number, an odd escape or a doubled key is shown exactly as it was sent. Takes cut text too.
 */
export type TokenKind = "key" | "string" | "number" | "word" | "mark";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

export interface JsonLine {
  readonly depth: number;
  readonly tokens: readonly Token[];
}

export function jsonLines(text: string): readonly JsonLine[] {
  const tokens = text.match(TOKENS) ?? [];
  const lines: { depth: number; tokens: Token[] }[] = [{ depth: 0, tokens: [] }];
  let depth = 0;
  const newLine = () => lines.push({ depth, tokens: [] });
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    const next = tokens[at + 1] ?? "";
    const put = (piece: Token) => lines.at(-1)?.tokens.push(piece);
    if (token === "{" || token === "[") {
      if (next === CLOSING[token]) {
        put({ kind: "mark", text: token + next });
        at += 1;
        continue;
      }
      put({ kind: "mark", text: token });
      depth += 1;
      if (next !== "") newLine();
    } else if (token === "}" || token === "]") {
      depth = Math.max(0, depth - 1);
      newLine();
      put({ kind: "mark", text: token });
    } else if (token === ",") {
      put({ kind: "mark", text: token });
      newLine();
    } else if (token === ":") put({ kind: "mark", text: ": " });
    else put({ kind: kindOf(token, next), text: token });
  }
  return lines;
}

/** Whether laying out helps: something that begins like an object or a list. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

const TOKENS = /"(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|[^\s{}[\],:"]+/g;
const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

function kindOf(token: string, next: string): TokenKind {
  if (token.startsWith('"')) return next === ":" ? "key" : "string";
  return /^-?\d/.test(token) ? "number" : "word";
}
