/**
 * Conditions on an argument that is an address. An attacker chooses the spelling and the server chooses the parser, so a
 * text is read in every way that matters: a rule that asks or denies holds when one reading matches, and also when the
 * text looks like an address that nobody can read; a rule that allows holds only when there is a single plain reading.
 *
 * @see WHATWG URL · 4.4 URL parsing
 */
import { hostTest, netsOf } from "./host.ts";
import type { Net, UrlShape } from "./policy.ts";
import { decodings } from "./readings.ts";

/** For rules that tighten. */
export function maybeUrl(shape: UrlShape): (text: string) => boolean {
  const test = shapeTest(shape);
  return (text) => {
    let read = false;
    for (const [candidate, isWritten] of candidates(text)) {
      const place = placeOf(candidate);
      // What stands beside an address that nobody can read says nothing about it.
      if (!place && isWritten && WITH_HOST.test(candidate)) return true;
      if (!place) continue;
      read = true;
      if (test.some(place)) return true;
    }
    return !read && looksLikeUrl(text);
  };
}

/** For rules that widen. */
export function surelyUrl(shape: UrlShape): (text: string) => boolean {
  const test = shapeTest(shape);
  return (text) => {
    if (!/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/\\]/.test(text) || /[\s\\\p{C}]/u.test(text) || !URL.canParse(text))
      return false;
    const url = new URL(text);
    if (!SPECIAL.has(url.protocol) || HOST_AFTER_AT.test(text) || LISTED.test(text)) return false;
    // A host in any but its plain spelling may be another host to the next reader.
    const written = /^[^:]+:\/\/([^/?#]*)/.exec(text.toLowerCase())?.[1]?.replace(/:\d*$/, "");
    if (written !== url.hostname || written.endsWith(".") || !PLAIN_HOST.test(written)) return false;
    return test.every({ scheme: url.protocol.slice(0, -1), host: url.hostname });
  };
}

interface Place {
  readonly scheme: string;
  readonly host: string | undefined;
}

/** For some readers the host begins after the last `@` before a `/`, whatever else comes between. */
const HOST_AFTER_AT = /^([A-Za-z][A-Za-z0-9+.-]*:\/+)[^/]*@([^/]*)/;

/** Where an address begins, also inside another one, as in a list or in what a page is to lead on to. */
const NEXT_ADDRESS = /(?<![A-Za-z0-9+.-])(?=[A-Za-z][A-Za-z0-9+.-]{0,30}:[/\\])/;
const ADDRESS = /^[A-Za-z][A-Za-z0-9+.-]{0,30}:\/+[^\s"'<>`|)\]}]*(?:\][^\s"'<>`|)]*)?/;

/** Another address behind what parts the items of a list. */
const LISTED = /[,;|]\w+:\//;
const WITH_HOST = /^[^:]+:\/\/[^/]/;
/** What else stands in a host is for a shell or a fetcher to make something of: `127.0.0.{1,2}` is two hosts to curl. */
const PLAIN_HOST = /^[\w.:[\]-]*$/;

const SPECIAL: ReadonlySet<string> = new Set(["http:", "https:", "ws:", "wss:", "ftp:"]);

function shapeTest({ scheme, host, net }: UrlShape) {
  const schemes = scheme && new Set(scheme);
  const hosts = host?.map(hostTest);
  const nets = net && new Set<Net>(net);
  const schemed = (place: Place): boolean => !schemes || schemes.has(place.scheme);
  const isOdd = ({ host }: Place): boolean =>
    (hosts ?? nets) !== undefined && host !== undefined && !PLAIN_HOST.test(host);
  const named = (place: Place): boolean =>
    schemed(place) && (!hosts || (place.host !== undefined && hosts.some((test) => test(place.host ?? ""))));
  return {
    some: (place: Place): boolean =>
      isOdd(place)
        ? schemed(place)
        : named(place) && (!nets || (place.host !== undefined && netsOf(place.host).some((one) => nets.has(one)))),
    every: (place: Place): boolean =>
      named(place) && (!nets || (place.host !== undefined && netsOf(place.host).every((one) => nets.has(one)))),
  };
}

/** What a lenient reader may take the text for, and whether it is written so, or we only added or left out something. */
function candidates(text: string): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const decoded of decodings(text)) {
    const plain = decoded.replace(/[\p{C}]/gu, "").trim();
    const slashed = plain.replaceAll("\\", "/");
    if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(slashed)) found.set(slashed, true);
    if (!/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(slashed) && !/\s/.test(slashed)) {
      found.set(`http://${slashed.replace(/^\/+/, "")}`, false);
    }
    for (const piece of slashed.split(NEXT_ADDRESS)) {
      const inside = ADDRESS.exec(piece);
      if (inside) found.set(inside[0], true);
    }
    for (const piece of plain.split(NEXT_ADDRESS)) {
      const [, scheme, host] = HOST_AFTER_AT.exec(piece) ?? [];
      if (host !== undefined) found.set(`${scheme}${host}`, false);
    }
  }
  return found;
}

function placeOf(text: string): Place | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (SPECIAL.has(url.protocol)) return { scheme, host: url.hostname };
  // Only special schemes have their host put into one spelling.
  const hierarchical = /^[^:]+:\/\/(.*)$/s.exec(text)?.[1];
  if (hierarchical === undefined) return { scheme, host: undefined };
  const asHttp = `http://${hierarchical}`;
  return { scheme, host: URL.canParse(asHttp) ? new URL(asHttp).hostname : url.hostname };
}

function looksLikeUrl(text: string): boolean {
  return decodings(text).some((decoded) => /:[/\\]{2}|^\s*[/\\]{2}/.test(decoded)) || !/\s/.test(text.trim());
}
