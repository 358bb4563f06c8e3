/**
 * The form of a JSON text that digests and pins are taken over: keys sorted by UTF-16 code unit, no white space, strings
 * escaped minimally, number tokens as they were written. Two texts that differ only in layout have one form; two that
 * differ in any digit have two, which is why numbers are not normalised as RFC 8785 would (it merges 2^53 and 2^53 + 1).
 *
 * INVARIANT: the text has passed `scan` or was written by `JSON.stringify`. Works without recursion, at any depth.
 *
 * @see RFC 8785 · 3.2.3 Sorting of object properties (for the order of keys only)
 */
import { afterString, afterValue } from "./skip.ts";
import { afterSpace, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./tokens.ts";

export function canonicalize(text: string): string {
  const open: Container[] = [];
  let at = afterSpace(text, 0);
  for (;;) {
    const code = text.charCodeAt(at);
    let done: string | undefined;
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      open.push({ isObject: code === OPEN_OBJECT, names: [], values: [] });
      at = afterSpace(text, at + 1);
    } else {
      const end = code === QUOTE ? afterString(text, at) : afterValue(text, at);
      done = code === QUOTE ? canonicalString(text.slice(at, end)) : text.slice(at, end);
      at = afterSpace(text, end);
    }

    // Hand a finished value to its container, and close every container that ends here.
    for (;;) {
      const container = open.at(-1);
      if (container === undefined) return done ?? "";
      if (done !== undefined) container.values.push(done);
      done = undefined;
      const mark = at < text.length ? text.charCodeAt(at) : CLOSE_OBJECT;
      if (mark === COMMA) at = afterSpace(text, at + 1);
      if (mark !== CLOSE_OBJECT && mark !== CLOSE_ARRAY) break;
      open.pop();
      done = closed(container);
      at = afterSpace(text, at + 1);
    }

    const container = open.at(-1);
    if (!container?.isObject) continue;
    const end = afterString(text, at);
    container.names.push(canonicalString(text.slice(at, end)));
    at = afterSpace(text, afterSpace(text, end) + 1);
  }
}

interface Container {
  readonly isObject: boolean;
  readonly names: string[];
  readonly values: string[];
}

function closed({ isObject, names, values }: Container): string {
  if (!isObject) return `[${values.join(",")}]`;
  const members = names.map((token, index) => ({ token, name: nameOf(token), value: values[index] ?? "null" }));
  members.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return `{${members.map(({ token, value }) => `${token}:${value}`).join(",")}}`;
}

function nameOf(token: string): string {
  return token.includes("\\") ? String(JSON.parse(token)) : token.slice(1, -1);
}

/** A token without an escape is minimal already: what must be escaped cannot stand in it raw. */
function canonicalString(token: string): string {
  return token.includes("\\") ? JSON.stringify(JSON.parse(token)) : token;
}
