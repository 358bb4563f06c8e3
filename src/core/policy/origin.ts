/**
 * Origins in rules: exact, `https://*.host` for every subdomain of host, or `http://localhost:*` for any port of this
 * computer. Only an origin that can be a principal's is
 * accepted, in the browser's own spelling; a rule for `https://Chat.example/` would otherwise sit there and never match,
 * and a rule for `https://*.com` would match half of the web.
 *
 * @see HTML · 7.1.1 Origins · ASCII serialization
 */
import { isLoopback } from "../loopback.ts";
import { type Complaint, quoted } from "./problem.ts";
import { isSharedSuffix } from "./shared-suffix.ts";

const WILDCARD = "https://*.";
const ANY = ":*";
const ANY_PORT = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\*$/;
const CANONICAL = "Write it as the browser does, for example https://chat.example.";

/** What is wrong with an origin in a rule, if anything. */
export function originComplaint(text: string): Complaint | undefined {
  if (text === "*") return { message: "“*” is not an origin.", remedy: "Leave the clause out to mean every site." };
  if (text.startsWith(WILDCARD)) return wildcardComplaint(text);
  if (ANY_PORT.test(text)) return undefined;
  if (text.includes("*")) {
    return {
      message: `${quoted(text)} has a * where none can stand.`,
      remedy: "Write https://*.example.org for all subdomains of example.org, or http://localhost:* for any port.",
    };
  }
  if (!URL.canParse(text)) return { message: `${quoted(text)} is not an origin.`, remedy: withScheme(text) };
  const url = new URL(text);
  if (!canConnect(url)) {
    return {
      message: `No agent can ever connect from ${quoted(text)}.`,
      remedy: "Use an https origin, or http on this computer (localhost, 127.0.0.1, [::1]).",
    };
  }
  if (url.origin !== text) {
    return {
      message: `${quoted(text)} is more than an origin, or spelled differently.`,
      remedy: `Write ${url.origin}.`,
    };
  }
  return undefined;
}

/** A test for one origin of a rule. The argument is an origin as the browser spells it. */
export function originTest(text: string): (origin: string) => boolean {
  if (ANY_PORT.test(text)) {
    const host = text.slice(0, -ANY.length);
    return (origin) =>
      origin === host || (origin.startsWith(`${host}:`) && /^[0-9]+$/.test(origin.slice(host.length + 1)));
  }
  if (!text.startsWith(WILDCARD)) return (origin) => origin === text;
  const suffix = text.slice(WILDCARD.length - 1);
  const shortest = "https://".length + suffix.length;
  return (origin) => origin.length > shortest && origin.startsWith("https://") && origin.endsWith(suffix);
}

/** What a wildcard is for everything below of; nothing for an origin without one. */
export function wildcardHost(text: string): string | undefined {
  return text.startsWith(WILDCARD) ? text.slice(WILDCARD.length).replace(/:\d+$/, "") : undefined;
}

export function sharedComplaint(host: string): Complaint {
  return {
    message: `Anybody can have a site below ${quoted(host)}, so this would match sites of strangers.`,
    remedy: `Name one part more, for example https://*.mine.${host}, or an exact origin.`,
  };
}

export function isExactOrigin(text: string): boolean {
  return !text.startsWith(WILDCARD) && !ANY_PORT.test(text);
}

function wildcardComplaint(text: string): Complaint | undefined {
  const rest = text.slice(WILDCARD.length);
  const probe = `https://x.${rest}`;
  if (rest.includes("*") || !URL.canParse(probe)) {
    return {
      message: `${quoted(text)} is not an origin.`,
      remedy: "Write https://*.example.org, with one * at the start.",
    };
  }
  const url = new URL(probe);
  const host = url.hostname.slice("x.".length);
  const labels = host.split(".");
  if (labels.length < 2 || labels.includes("")) {
    return {
      message: `${quoted(text)} would match far too many sites.`,
      remedy: "Name at least two parts after the *, for example https://*.example.org.",
    };
  }
  if (isSharedSuffix(host)) return sharedComplaint(host);
  if (url.origin === probe) return undefined;
  return {
    message: `${quoted(text)} is not spelled as the browser does.`,
    remedy: `Write https://*.${url.origin.slice(10)}.`,
  };
}

function canConnect(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

function withScheme(text: string): string {
  const guess = `https://${text}`;
  return /^[^\s:/]+$/.test(text) && URL.canParse(guess) ? `Write ${new URL(guess).origin}.` : CANONICAL;
}

/** Whether one origin of a rule holds wherever another does. */
export function originCovers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  if (isExactOrigin(narrow)) return originTest(wide)(narrow);
  if (!wide.startsWith(WILDCARD) || !narrow.startsWith(WILDCARD)) return false;
  return narrow.endsWith(`.${wide.slice(WILDCARD.length)}`);
}
