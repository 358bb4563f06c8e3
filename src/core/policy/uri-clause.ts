/**
 * The `uri` clause: names of resources, with `*`. A rule that asks or denies compares every reading of the address without
 * regard to case, so that an escape or a `..` does not slip past it; a rule that allows compares the address as it was
 * sent, and only when it is in its plain form already.
 */
import { globTest } from "./glob.ts";
import type { Facts } from "./policy.ts";
import { decodings } from "./readings.ts";

export function uriTest(patterns: readonly string[], widens: boolean): (facts: Facts) => boolean {
  if (widens) {
    const tests = patterns.map(globTest);
    return ({ uri }) => uri !== undefined && isPlain(uri) && tests.some((test) => test(uri));
  }
  const tests = patterns.flatMap((pattern) =>
    [...new Set([pattern, pattern.normalize("NFKC")])].map((one) => globTest(one.toLowerCase())),
  );
  return ({ uri }) => uri !== undefined && readings(uri).some((reading) => tests.some((test) => test(reading)));
}

function readings(uri: string): readonly string[] {
  const found = new Set<string>();
  for (const decoded of decodings(uri)) {
    const slashed = decoded.replace(/\p{C}/gu, "").trim().replaceAll("\\", "/");
    const href = hrefOf(slashed);
    const place = resolved(href);
    for (const text of [decoded, slashed, href, place, `${place}/`]) found.add(text.toLowerCase());
  }
  return [...found];
}

/** Without what leads nowhere else: a user's name, a dot at the host's end, a fragment, a query of a file. */
function hrefOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const { protocol, host, pathname, search, href } = new URL(text);
  const place = href.startsWith(`${protocol}//`) ? `//${host.replace(/\.+(?=:|$)/, "")}` : "";
  return `${protocol}${place}${pathname}${protocol === "file:" ? "" : search}`;
}

/** `..`, `.` and empty segments taken out; hosts in their one spelling where the parser knows them. */
function resolved(href: string): string {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:\/{0,3}/.exec(href)?.[0] ?? "";
  const segments: string[] = [];
  for (const segment of href.slice(scheme.length).split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return scheme + segments.join("/");
}

function isPlain(uri: string): boolean {
  if (/[\\%\s]|\p{C}/u.test(uri) || uri !== uri.normalize("NFC")) return false;
  const rest = uri.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/{0,3}/, "");
  if (
    rest
      .split("/")
      .some((segment, at, all) => segment === "." || segment === ".." || (segment === "" && at < all.length - 1))
  ) {
    return false;
  }
  return !/^(?:https?|wss?|ftp):/i.test(uri) || (URL.canParse(uri) && [uri, `${uri}/`].includes(new URL(uri).href));
}
