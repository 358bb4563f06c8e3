/**
 * Which network a host is in, whatever its spelling. The host comes from the URL parser, which has already turned decimal,
 * octal, hexadecimal, percent-encoded and full-width forms into one; what is left are IPv4 addresses inside IPv6, names
 * that mean this computer, a dot at the end, and names that carry an address.
 *
 * A name that somebody points at a private address looks like any other name: that cannot be seen here.
 *
 * @see RFC 6890 · Special-purpose address registries
 * @see RFC 4291 · 2.5.5, RFC 6052, RFC 3056, RFC 4380 (IPv4 inside IPv6)
 */
import type { Net } from "./policy.ts";

/** All networks the host may be in; never empty. */
export function netsOf(hostname: string): readonly Net[] {
  const host = hostname.replace(/\.+$/, "");
  if (host.startsWith("[")) return netsOfV6(groupsOf(host.slice(1, -1)));
  const bytes = /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host.split(".").map(Number) : undefined;
  if (bytes) return netsOfV4(bytes);
  return netsOfName(host);
}

/** Whether a host is the one written, or below it for `*.host`. */
export function hostTest(written: string): (hostname: string) => boolean {
  const suffix = written.startsWith("*.") ? written.slice(1) : undefined;
  return (hostname) => {
    const host = hostname.replace(/\.+$/, "");
    return suffix === undefined ? host === written : host.length > suffix.length && host.endsWith(suffix);
  };
}

const LOOPBACK: readonly Net[] = ["loopback"];
const PRIVATE: readonly Net[] = ["private"];
const METADATA: readonly Net[] = ["metadata", "private"];
const PUBLIC: readonly Net[] = ["public"];

function netsOfName(host: string): readonly Net[] {
  if (host === "" || /^(?:.*\.)?localhost[46]?(?:\.localdomain[46]?)?$|^ip6-(?:localhost|loopback)$/.test(host))
    return LOOPBACK;
  if (/^(?:.*\.)?(?:(?:metadata|instance-data)(?:(?:\..*)?\.internal)?|metadata\.(?:goog|tencentyun\.com))$/.test(host))
    return METADATA;
  if (!host.includes(".")) return PRIVATE;
  if (/\.(?:local|localdomain|internal|intranet|lan|home|corp|private|svc|home\.arpa)$/.test(host)) return PRIVATE;
  const carried = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?=[.-]|$)/.exec(host);
  return carried ? [...netsOfV4(carried.slice(1).map(Number)), "public"] : PUBLIC;
}

function netsOfV4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): readonly Net[] {
  if (a === 127 || a === 0) return LOOPBACK;
  // Clouds use all of the link-local range for it: .169.254, .170.2, .0.23.
  if (a === 169 && b === 254) return METADATA;
  if ((a === 100 && b === 100 && c === 100 && d === 200) || (a === 168 && b === 63 && c === 129 && d === 16))
    return METADATA;
  if (a === 192 && b === 0 && c === 0) return d === 192 ? METADATA : PRIVATE;
  if (a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168)) return PRIVATE;
  if ((a === 100 && b >= 64 && b <= 127) || (a === 198 && (b === 18 || b === 19)) || a >= 224) return PRIVATE;
  return PUBLIC;
}

function netsOfV6(groups: readonly number[]): readonly Net[] {
  const [a = 0, b = 0, c = 0] = groups;
  const head = groups.slice(0, 6);
  const low = bytesOf(groups[6] ?? 0, groups[7] ?? 0);
  if (groups.every((group) => group === 0)) return LOOPBACK;
  if (groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1) return LOOPBACK;
  const mapped = head.slice(0, 5).every((group) => group === 0) && ((groups[5] ?? 0) === 0 || groups[5] === 0xffff);
  const translated = head.slice(0, 4).every((group) => group === 0) && groups[4] === 0xffff && groups[5] === 0;
  if (mapped || translated || (a === 0x64 && b === 0xff9b)) return netsOfV4(low);
  if (a === 0x2002) return both(netsOfV4(bytesOf(b, c)));
  if (a === 0x2001 && b === 0) return both(netsOfV4(low.map((byte) => byte ^ 255)));
  if ((a === 0xfd00 && b === 0xec2) || (a === 0xfd20 && b === 0xce)) return METADATA;
  if ((a & 0xfe00) === 0xfc00 || (a & 0xff80) === 0xfe80 || a >= 0xff00) return PRIVATE;
  return PUBLIC;
}

/** A tunnel's address may be taken for itself or for the one inside. */
function both(nets: readonly Net[]): readonly Net[] {
  return nets.includes("public") ? nets : [...nets, "public"];
}

function bytesOf(high: number, low: number): number[] {
  return [high >> 8, high & 255, low >> 8, low & 255];
}

/** The eight groups of a canonical IPv6 address, which the URL parser writes in hexadecimal only. */
function groupsOf(text: string): readonly number[] {
  const [before = "", after] = text.split("::");
  const left = numbers(before);
  if (after === undefined) return left;
  const right = numbers(after);
  return [...left, ...new Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right];
}

function numbers(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
