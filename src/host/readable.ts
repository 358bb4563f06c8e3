/**
 * Text of others on its way to a terminal. Whatever a proposal, another program's configuration, a registry or a server
 * wrote must not move the cursor, change colours, begin a line of its own or turn the direction of writing: what a person
 * reads before they say yes would then not be what is there.
 */

/** One argument as a person can read it: quoted where it needs to be, hidden characters as their numbers. */
export function visible(text: string): string {
  const shown = text.replace(HIDDEN, numbered);
  return /^[A-Za-z0-9@%+=:,./_\\-]+$/.test(shown) && shown === text ? shown : `"${shown.replaceAll('"', '\\"')}"`;
}

/** A whole saying: lines stay lines, everything else that cannot be seen becomes its number. */
export function readable(text: string): string {
  return text.replace(HIDDEN, (one) => (one === "\n" ? one : numbered(one)));
}

function numbered(one: string): string {
  return `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Controls, formats (direction marks, joiners, tags), separators, unassigned and private characters. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\uffa0\u2800]|\p{Zs}(?<! )/gu;
