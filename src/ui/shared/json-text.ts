/**
 * JSON text for reading: laid out and cut into members without being parsed into values, so that every number keeps the
 * digits that will be sent and no member is lost. Escapes that stand for a character become that character, where it can
 * be named on paper; quotes, backslashes and line ends inside strings stay escaped.
 *
 * @see RFC 8259 · 2 JSON Grammar
 */

export interface JsonMember {
  /** Decoded name. */
  readonly name: string;
  readonly kind: "text" | "number" | "yes-no" | "nothing" | "list" | "group";
  /** What a person reads: the decoded text of a string, the digits of a number, the laid-out text of anything else. */
  readonly shown: string;
  /** Characters of a text, entries of a list or group; absent for others. */
  readonly size?: number;
}

/** The members of an object's text in their order, or undefined where the text is no JSON object. */
export function jsonMembers(text: string): readonly JsonMember[] | undefined {
  const tokens = tokenize(text);
  if (tokens?.[0] !== "{") return undefined;
  const members: JsonMember[] = [];
  let at = 1;
  while (at < tokens.length && tokens[at] !== "}") {
    if (tokens[at] === ",") at += 1;
    const name = tokens[at] ?? '""';
    const end = valueEnd(tokens, at + 2);
    members.push({ name: decode(name), ...readValue(tokens.slice(at + 2, end)) });
    at = end;
  }
  return members;
}

/** The text laid out with two spaces, or unchanged where it is not JSON. */
export function layOut(text: string): string {
  const tokens = tokenize(text);
  return tokens ? joinTokens(tokens) : text;
}

const TOKENS = /\s+|[{}[\],:]|"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null/gy;

function tokenize(text: string): readonly string[] | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return (text.match(TOKENS) ?? []).filter((token) => token.trim() !== "");
}

function valueEnd(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth <= 0) return at + 1;
  }
  return tokens.length;
}

function readValue(tokens: readonly string[]): Omit<JsonMember, "name"> {
  const first = tokens[0] ?? "null";
  if (first.startsWith('"')) {
    const shown = decode(first);
    return { kind: "text", shown, size: characters(shown) };
  }
  if (first === "[") return { kind: "list", shown: joinTokens(tokens), size: entries(tokens) };
  if (first === "{") return { kind: "group", shown: joinTokens(tokens), size: entries(tokens) };
  if (first === "true" || first === "false") return { kind: "yes-no", shown: first };
  return { kind: first === "null" ? "nothing" : "number", shown: first };
}

/** Surrogate pairs count as one. */
export function characters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1) {
    const low = text.charCodeAt(at);
    const high = text.charCodeAt(at - 1);
    if (low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff) count -= 1;
  }
  return count;
}

function entries(tokens: readonly string[]): number {
  if (tokens.length <= 2) return 0;
  let depth = 0;
  let count = 1;
  for (const token of tokens) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (token === "," && depth === 1) count += 1;
  }
  return count;
}

function joinTokens(tokens: readonly string[]): string {
  let out = "";
  let depth = 0;
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token === "{" || token === "[") {
      depth += 1;
      out += token;
      if (next !== "}" && next !== "]") out += lineAt(depth);
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const before = tokens[at - 1];
      if (before !== "{" && before !== "[") out += lineAt(depth);
      out += token;
    } else if (token === ",") out += token + lineAt(depth);
    else if (token === ":") out += ": ";
    else out += readable(token);
  });
  return out;
}

function lineAt(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}

/** Unescapes `\uXXXX`, except where that would be a quote, a backslash or a control character. */
function readable(token: string): string {
  if (!token.includes("\\u")) return token;
  return token.replace(/\\(?:u([0-9a-fA-F]{4})|.)/g, (written: string, hex: string | undefined) => {
    const character = hex === undefined ? "" : String.fromCharCode(Number.parseInt(hex, 16));
    return hex === undefined || character < " " || character === '"' || character === "\\" ? written : character;
  });
}

function decode(token: string): string {
  return JSON.parse(token) as string;
}
