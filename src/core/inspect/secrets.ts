/**
 * Five families of keys that can be told by their form alone, and the key in the fragment of a link. The form is checked
 * further than a prefix (length, digits, variety), because tools' documentation is full of `ghp_xxxx`. What is not
 * claimed: keys without a form of their own, and keys that were encoded, reversed or spread over strings.
 *
 * Linear: each family is found from one rare character, then judged by a pattern that matches at that place only and
 * cannot go back over what it read.
 *
 * @see RFC 7468 · 2 (labels of PEM) and RFC 3986 · 3.5 (fragments never reach the server, so a key may live there)
 */
import type { Spot } from "./spot.ts";

/** No secret of ours fits into fewer characters: `https://a#k=K`. */
export const SHORTEST_SECRET = 12;

/** Whether the text has any place worth a pattern. */
export function mayHoldSecret(text: string): boolean {
  return (
    text.includes("_") || text.includes("-") || text.includes("#") || text.includes("AKIA") || text.includes("ASIA")
  );
}

export function findSecrets(text: string): Spot[] {
  const spots: Found = new Map();
  atUnderscores(text, spots);
  atHyphens(text, spots);
  atAccessKeyIds(text, spots);
  atFragments(text, spots);
  return spots.size === 0 ? NONE : [...spots.values()].flat();
}

/** By type, so that a flood of one leaves room for the others. */
type Found = Map<string, Spot[]>;
const NONE: Spot[] = [];
/** Of each type in one string; a flood must not fill the memory. */
const MOST = 10_000;

/** Installation tokens may be followed by a signed part. */
const GITHUB = /gh[pousr]_[A-Za-z0-9_]{36,}(?:\.eyJ[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})?/y;
const GITHUB_FINE = /github_pat_[A-Za-z0-9_]{36,}/y;

function atUnderscores(text: string, spots: Found): void {
  let past = 0;
  for (let at = text.indexOf("_"); at >= 0; at = text.indexOf("_", Math.max(at + 1, past))) {
    if (text.charCodeAt(at - 3) === 0x67 && text.charCodeAt(at - 2) === 0x68)
      past = githubToken(GITHUB, text, at - 3, spots);
    else if (text.charCodeAt(at - 1) === 0x62 && text.startsWith("github_pat_", at - 6))
      past = githubToken(GITHUB_FINE, text, at - 6, spots);
  }
}

function githubToken(pattern: RegExp, text: string, start: number, spots: Found): number {
  const found = matchAt(pattern, text, start);
  if (found === undefined) return 0;
  const end = start + found.length;
  if (isVaried(found)) add(spots, "github-token", { start, end });
  return end;
}

const MODEL_KEY = /sk-[A-Za-z0-9_-]{20,}/y;
const SLACK = /xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}/y;
const SLACK_APP = /xapp-\d-[A-Za-z0-9-]{20,}/y;
const PEM_HEADER = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;

function atHyphens(text: string, spots: Found): void {
  let past = 0;
  for (let at = text.indexOf("-"); at >= 0; at = text.indexOf("-", Math.max(at + 1, past))) {
    if (text.charCodeAt(at - 1) === LOWER_K && text.charCodeAt(at - 2) === LOWER_S)
      past = modelKey(text, at - 2, spots);
    else if (text.charCodeAt(at - 4) === LOWER_X) past = slackToken(text, at - 4, spots);
    else if (text.charCodeAt(at + 1) === HYPHEN && text.startsWith("-----BEGIN ", at))
      past = privateKey(text, at, spots);
  }
}

const HYPHEN = 0x2d;
const LOWER_K = 0x6b;
const LOWER_S = 0x73;
const LOWER_X = 0x78;

/** What was read is never read again, also where it was no key: `sk-sk-sk-…` would cost the square of its length. */
function modelKey(text: string, start: number, spots: Found): number {
  const found = beginsWord(text, start) ? matchAt(MODEL_KEY, text, start) : undefined;
  if (found === undefined) return 0;
  const end = start + found.length;
  if (isModelKey(found)) add(spots, "model-key", { start, end });
  return end;
}

const NAMED_MODEL_KEY = /^sk-(?:ant|proj|svcacct|admin|None|or-v\d)-/;
const UNBROKEN = /[A-Za-z0-9]{24}/;

/** Words joined by hyphens (`sk-learn-…`) have neither digits among letters nor a long unbroken run. */
function isModelKey(key: string): boolean {
  if (digits(key) < 2 || !isVaried(key)) return false;
  if (NAMED_MODEL_KEY.test(key)) return key.length >= 40;
  return key.length >= 35 && UNBROKEN.test(key);
}

function slackToken(text: string, at: number, spots: Found): number {
  if (text.startsWith("xapp", at)) return slack(SLACK_APP, text, at, spots);
  if (!text.startsWith("xox", at)) return 0;
  const chained = at >= 5 && text[at - 1] === "." && text.startsWith("xox", at - 5);
  return slack(SLACK, text, chained ? at - 5 : at, spots);
}

function slack(pattern: RegExp, text: string, start: number, spots: Found): number {
  const found = beginsWord(text, start) ? matchAt(pattern, text, start) : undefined;
  if (found === undefined) return 0;
  const end = start + found.length;
  if (digits(found) >= 10) add(spots, "slack-token", { start, end });
  return end;
}

/** Also with line breaks written as `\n`, as in JSON inside a string. */
const PEM_BODY = /(?:[A-Za-z0-9+/=\s]|\\[nr])*/y;
const LEAST_PEM_BODY = 60;

/** To its END line, or, where that was cut off, as far as the body goes. */
function privateKey(text: string, start: number, spots: Found): number {
  const header = matchAt(PEM_HEADER, text, start);
  if (header === undefined) return 0;
  const bodyStart = start + header.length;
  const next = text.indexOf("-----", bodyStart);
  const closes = next >= 0 && text.startsWith("-----END ", next);
  const bodyEnd = closes ? next : bodyStart + (matchAt(PEM_BODY, text, bodyStart)?.length ?? 0);
  const body = text.slice(bodyStart, bodyEnd);
  if (body.length < LEAST_PEM_BODY || !isVaried(body)) return bodyStart;
  const tail = closes ? text.indexOf("-----", next + 9) : -1;
  const end = tail >= 0 && tail - next < 80 ? tail + 5 : bodyEnd;
  add(spots, "private-key", { start, end });
  return end;
}

const ACCESS_KEY_ID = /A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/y;

function atAccessKeyIds(text: string, spots: Found): void {
  for (const prefix of ["AKIA", "ASIA"]) {
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
      const found = beginsWord(text, at) ? matchAt(ACCESS_KEY_ID, text, at) : undefined;
      if (found === undefined || PLACEHOLDER_ID.test(found)) continue;
      add(spots, "aws-access-key", { start: at, end: at + found.length });
    }
  }
}

/** One letter repeated over and over, or the documentation's own example. */
const PLACEHOLDER_ID = /EXAMPLE|^A[KS]IA([A-Z0-9])\1{15}$/;

const URL_TEXT = /^[^\s"'`<>\\]+$/;
const FRAGMENT_PART = /[^\s"'`<>\\#&]*/y;
const KEY_PART = /^((?:amp;)?(?:k|key)=)([A-Za-z0-9_.~%+/=:,;!*$@-]*[A-Za-z0-9_~%+/=*$@-])/i;

function atFragments(text: string, spots: Found): void {
  let from = 0;
  for (let at = text.indexOf("#"); at >= 0; at = text.indexOf("#", at + 1)) {
    if (isLink(text.slice(from, at))) keysOfFragment(text, at + 1, spots);
    from = at + 1;
  }
}

/** Whether the text ends in an http(s) URL. */
function isLink(text: string): boolean {
  const scheme = text.lastIndexOf("://");
  if (scheme < 4 || !URL_TEXT.test(text.slice(scheme + 3))) return false;
  return /https?$/i.test(text.slice(Math.max(0, scheme - 5), scheme));
}

function keysOfFragment(text: string, start: number, spots: Found): void {
  for (let at = start; ; at += 1) {
    const part = matchAt(FRAGMENT_PART, text, at) ?? "";
    const key = KEY_PART.exec(part);
    if (key?.[1] !== undefined && key[2] !== undefined) {
      const from = at + key[1].length;
      const confidence = key[2].length < 8 ? "low" : "high";
      add(spots, "link-key", { start: from, end: from + key[2].length, confidence });
    }
    at += part.length;
    if (text[at] !== "&") return;
  }
}

function add(spots: Found, name: string, at: Pick<Spot, "start" | "end"> & Partial<Pick<Spot, "confidence">>): void {
  const type = `secret.${name}`;
  const list = spots.get(type) ?? [];
  if (list.length === 0) spots.set(type, list);
  if (list.length < MOST) list.push({ kind: "secret", type, confidence: "high", ...at });
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  if (at < 0) return undefined;
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** No letter or digit before, unless it ends an escape (`\n`, `%3D`) of a text inside a text. */
function beginsWord(text: string, at: number): boolean {
  if (at <= 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return at >= 0;
  return /\\[nrtbf]$|%[0-9A-Fa-f]{2}$/.test(text.slice(Math.max(0, at - 3), at));
}

function digits(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) count += 1;
  }
  return count;
}

/** More than a few letters repeated, as placeholders are. */
function isVaried(text: string): boolean {
  return new Set(text.slice(0, 200)).size >= 10;
}
