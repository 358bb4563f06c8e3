/**
 * Closes the other ways to a registered endpoint: whatever a page sends there itself, by a script, a form, a frame or an
 * image, would pass no rule, ask nobody and leave no record. A network rule stops it before a byte leaves, also in frames and
 * workers that no script of ours can see, and while our worker is dead. Our own requests are not a page's.
 *
 * As narrow as it can be: the endpoint's own path, and not a page of the very host that runs the server, which can reach it
 * anyway. On this computer a name proves nothing (a page's own name may be rebound to this address, and there are many
 * names for it), so there the port decides. A person who opens the address in a tab still gets there.
 *
 * Not closed: in Chromium, WebSockets of a page's service or shared workers, which no rule sees.
 *
 * @see https://developer.chrome.com/docs/extensions/reference/api/declarativeNetRequest (excludedInitiatorDomains)
 */
import { isLoopback } from "../../core/loopback.ts";
import type { ResourceType, Rule, RuleSet } from "./rule-set.ts";

export const GUARD_IDS = { first: 2000, last: 3999 } as const;

export interface GuardInput {
  /** Host of `runtime.getURL("/")`. */
  readonly ownHost: string;
  readonly endpoints: readonly Endpoint[];
  readonly resourceTypes: readonly ResourceType[];
}

export interface Endpoint {
  /** http, https, ws or wss. */
  readonly address: string;
  readonly filter: { readonly regexFilter: string } | { readonly urlFilter: string };
}

export function guardRules({ ownHost, endpoints, resourceTypes }: GuardInput): Rule[] {
  const within = resourceTypes.filter((type) => type !== "main_frame");
  return endpoints.flatMap(({ address, filter }, index) => {
    const url = new URL(address);
    const excludedInitiatorDomains = hasPages(url) ? [ownHost, url.hostname] : [ownHost];
    const shared = { ...filter, excludedInitiatorDomains };
    const id = GUARD_IDS.first + 2 * index;
    const block = { priority: 1, action: { type: "block" } } as const;
    return [
      { ...block, id, condition: { ...shared, resourceTypes: [...within] } },
      // A form that takes the whole tab along sends what a page wrote; an address that is opened does not.
      { ...block, id: id + 1, condition: { ...shared, resourceTypes: ["main_frame"], requestMethods: [...SENDING] } },
    ];
  });
}

/** Browsers give a pattern little memory: of those that would do, the best that this one takes, else the address as it is. */
export async function endpointOf(address: string, rules: Pick<RuleSet, "takes">): Promise<Endpoint> {
  const url = new URL(address);
  for (const regexFilter of endpointPatterns(url)) {
    if (await rules.takes(regexFilter)) return { address, filter: { regexFilter } };
  }
  return { address, filter: { urlFilter: `||${url.host}${url.pathname}` } };
}

/** Whether pages of the server's own host are told from others by its name. */
function hasPages({ hostname }: URL): boolean {
  return !isLoopback(hostname) && !hostname.startsWith("[");
}

const SENDING = ["post", "put", "patch", "delete"] as const;

/**
 * Patterns of the spellings of an endpoint's address that the same server may take for it: with letters written as percent
 * codes, which browsers leave as they are and servers read, and without.
 */
export function endpointPatterns({ protocol, hostname, port, pathname }: URL): readonly string[] {
  const usual = protocol === "https:" || protocol === "wss:" ? "443" : "80";
  const at = port === "" ? `(?::${usual})?` : `:${port}`;
  // With a port of its own any name may be one of this computer; without, only those that are known to be.
  const host = !isLoopback(hostname) ? `${escaped(hostname)}\\.?` : port === "" ? LOOPBACK_NAMES : "[^/]*";
  return [encodings, escaped].map((spell) => `^(?:https?|wss?)://${host}${at}${pathPattern(pathname, spell)}`);
}

const LOOPBACK_NAMES = "(?:[^/:]*localhost\\.?|127\\.[0-9.]+|0\\.0\\.0\\.0|\\[[0-9a-f:]+\\])";

/** Below the path, too; of a server at the root of its host only the root, or nothing there could be opened any more. */
function pathPattern(pathname: string, spell: (part: string) => string): string {
  const parts = pathname.split("/").filter((part) => part !== "");
  if (parts.length === 0) return "/+(?:[?#]|$)";
  return `/+${parts.map(spell).join("/+")}(?:[/?#]|$)`;
}

function encodings(part: string): string {
  return Array.from(part, (letter) =>
    /[A-Za-z0-9._~-]/.test(letter)
      ? `(?:${escaped(letter)}|%${(letter.codePointAt(0) ?? 0).toString(16)})`
      : escaped(letter),
  ).join("");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

export interface Guard {
  /** Begins to read the rules that stand, so that the first `update` need not wait for that. */
  look(): void;
  /** Replaces all of the guard's rules at once. */
  update(addresses: readonly string[]): Promise<void>;
}

export function createGuard(rules: RuleSet, ownHost: string): Guard {
  let queue: Promise<unknown> = Promise.resolve();
  return {
    look: rules.look,
    update(addresses) {
      const turn = queue.then(async () => {
        const sorted = [...new Set(addresses)].sort();
        const endpoints = await Promise.all(sorted.map((address) => endpointOf(address, rules)));
        await rules.become(guardRules({ ownHost, endpoints, resourceTypes: rules.resourceTypes }));
      });
      queue = turn.catch(() => {});
      return turn;
    },
  };
}
