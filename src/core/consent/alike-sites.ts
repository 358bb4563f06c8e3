/**
 * Names of sites that can be taken for one another at a glance. A site that asks is compared with those the person has
 * dealt with, for that is the name it would borrow; `paypa1.com` says nothing to someone who never used `paypal.com`.
 *
 * It only points: nothing is refused for a name, and a site that is not pointed out is not thereby what it says it is.
 *
 * @see Unicode Technical Standard 39 · 4 Confusable Detection
 */
import { readableHost } from "../elicit/punycode.ts";
import type { Principal } from "../principal.ts";

export interface AlikeSite {
  /** The site that asks, or the one it sits in. */
  readonly origin: string;
  /** The one the person knows. */
  readonly known: string;
}

/** Nothing where no name looks like one of those that are known. */
export function alikeSite(
  asks: Pick<Principal, "origin" | "topSite">,
  known: readonly string[],
): AlikeSite | undefined {
  for (const origin of new Set([asks.origin, asks.topSite])) {
    const like = known.find((other) => looksAlike(hostOf(origin), hostOf(other)));
    if (like !== undefined) return { origin, known: like };
  }
  return undefined;
}

/** Whether two hosts differ and look alike: the same at a glance, one letter apart, or one written in front of the other. */
export function looksAlike(one: string, other: string): boolean {
  if (one === other || NUMBER.test(one) || NUMBER.test(other)) return false;
  if (skeleton(one) === skeleton(other)) return true;
  const [mine, theirs] = [ownerOf(one), ownerOf(other)];
  // Under one owner a name is taken on purpose: `app1` beside `app2` says nothing.
  if (mine === theirs) return false;
  return skeleton(mine) === skeleton(theirs) || isNear(mine, theirs) || isInFront(one, other) || isInFront(other, one);
}

const NUMBER = /^(?:[\d.]+|\[.*\])$/;
/** Shorter names have neighbours that mean nothing. */
const LONG = 6;

function hostOf(origin: string): string {
  return origin.replace(/^[a-z]+:\/\//, "").replace(/:\d+$/, "");
}

/** The part that is bought, by the look of it: two labels, or three under a short one such as `co.uk`. */
function ownerOf(host: string): string {
  return /[^.]+\.(?:[^.]{1,3}\.[^.]{2}|[^.]+)$/.exec(host)?.[0] ?? host;
}

/** What is left of a name when letters and digits that look alike are one. */
function skeleton(host: string): string {
  const letters = readableHost(host).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const plain = Array.from(letters, (letter) => LIKE.get(letter) ?? letter).join("");
  return plain.replace(/rn/g, "m").replace(/vv/g, "w").replace(/cl/g, "d");
}

const LIKE: ReadonlyMap<string, string> = new Map(
  [
    "o0оοø",
    "l1iіӏιıł",
    "s5ѕ",
    "e3еε",
    "a4аα",
    "b8в",
    "cс",
    "pрρ",
    "yу",
    "xх",
    "jј",
    "dԁđ",
    "kкκ",
    "vν",
    "hн",
    "uυ",
  ].flatMap(([first = "", ...others]) => others.map((other): [string, string] => [other, first])),
);

/** One letter missing, changed or swapped with its neighbour, in the name or lost from its end. */
function isNear(one: string, other: string): boolean {
  const [[name, rest], [name2, rest2]] = [parted(one), parted(other)];
  if (Math.min(name.length, name2.length) < LONG) return false;
  if (rest === rest2) return isOneStep(name, name2);
  return name === name2 && rest.length !== rest2.length && isOneStep(rest, rest2);
}

function parted(owner: string): readonly [string, string] {
  const dot = owner.indexOf(".");
  return dot < 0 ? [owner, ""] : [owner.slice(0, dot), owner.slice(dot)];
}

function isOneStep(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let from = 0;
  while (from < short.length && short[from] === long[from]) from += 1;
  const [left, right] = [short.slice(from), long.slice(from)];
  if (long.length - short.length === 1) return left === right.slice(1);
  if (long.length !== short.length) return false;
  if (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)) return true;
  // A number counted on is no letter changed.
  return left.slice(1) === right.slice(1) && !/\d/.test(`${left[0]}${right[0]}`);
}

function isInFront(known: string, host: string): boolean {
  return known.includes(".") && host.startsWith(`${known}.`);
}
