/**
 * The fence around our own traffic: the worker reaches registered origins and nothing else. It is a network rule, so it
 * also holds for a redirect, which would carry arguments elsewhere before any code of ours could look (a 307 sends the
 * body again), and for code that should never have asked. Dynamic rules stand before the worker runs and while it is dead.
 *
 * Beside it stands one more kind of rule, for servers whose switch says so: our requests to that one origin leave without
 * the Origin header. Servers check it against pages that reach them by a rebound name; our requests are no page's, and what
 * a page may cause is decided before they are made.
 *
 * A page that is opened in a tab is no traffic of ours: the person sees it, and goes on from there. Firefox counts the first
 * load of a tab that an extension opened, and every redirect of it, as the extension's, so the fence leaves whole tabs out.
 * The one place that opens a page of somebody else's is `open-page.ts`, after the person's yes.
 *
 * Chromium does not show a worker's WebSockets to these rules. `allows` is the same question in code, for whoever opens a
 * connection to ask first.
 *
 * @see https://developer.chrome.com/docs/extensions/reference/api/declarativeNetRequest (priorities, initiatorDomains)
 */
import type { ResourceType, Rule, RuleSet } from "./rule-set.ts";

export interface FenceInput {
  /** Host of `runtime.getURL("/")`: the id in Chromium, this installation's UUID in Firefox. */
  readonly ownHost: string;
  /** Origins of all registered servers, http, https, ws or wss. */
  readonly origins: readonly string[];
  /** Those of them whose requests leave without an Origin header. */
  readonly withoutOrigin?: readonly string[];
  /** Everything this browser has a name for; each browser refuses a rule with a name it does not know. */
  readonly resourceTypes: readonly ResourceType[];
}

/** Rule ids from here on are the fence's; below are other rules'. */
export const FENCE_IDS = { first: 1000, last: 1999 } as const;

export function fenceRules({ ownHost, origins, withoutOrigin = [], resourceTypes }: FenceInput): Rule[] {
  const block: Rule = {
    id: FENCE_IDS.first,
    priority: 1,
    action: { type: "block" },
    condition: {
      initiatorDomains: [ownHost],
      resourceTypes: [...resourceTypes],
      regexFilter: "^(https?|wss?)://",
    },
  };
  const gates = [...new Set(origins)].sort().flatMap(gatesOf);
  const allowed = gates.map(
    ({ urlFilter, type }, index): Rule => ({
      id: FENCE_IDS.first + 1 + index,
      priority: 2,
      action: { type: "allow" },
      condition: { initiatorDomains: [ownHost], resourceTypes: [type], urlFilter },
    }),
  );
  const bare = [...new Set(withoutOrigin)].sort().flatMap(gatesOf);
  const stripped = bare.map(
    ({ urlFilter, type }, index): Rule => ({
      id: FENCE_IDS.first + 1 + allowed.length + index,
      // Above the gates, or the browser would leave the headers of what they let through alone.
      priority: 3,
      action: { type: "modifyHeaders", requestHeaders: [{ header: "origin", operation: "remove" }] },
      condition: { initiatorDomains: [ownHost], resourceTypes: [type], urlFilter },
    }),
  );
  return [block, ...allowed, ...stripped];
}

interface Gate {
  readonly urlFilter: string;
  readonly type: ResourceType;
}

/** Firefox shows a WebSocket to the rules under its http address, Chromium under its own: one gate for each spelling. */
function gatesOf(origin: string): readonly Gate[] {
  if (!origin.startsWith("ws")) return [{ urlFilter: `|${origin}/`, type: "xmlhttprequest" }];
  const spellings = [origin, origin.replace(/^ws/, "http")];
  return spellings.map((spelling) => ({ urlFilter: `|${spelling}/`, type: "websocket" }));
}

export interface Fence {
  /** Begins to read the rules that stand, so that the first `update` need not wait for that. */
  look(): void;
  /** Replaces all fence rules at once. Calls are carried out in order; rules that stand already are left alone. */
  update(origins: readonly string[], withoutOrigin?: readonly string[]): Promise<void>;
  /** Whether the address lies in an origin of the last `update`; nothing does before the first. */
  allows(url: string): boolean;
}

export function createFence(rules: RuleSet, ownHost: string): Fence {
  let registered: ReadonlySet<string> = new Set();
  const resourceTypes = rules.resourceTypes.filter((type) => type !== "main_frame");
  return {
    look: rules.look,
    update(origins, withoutOrigin = []) {
      registered = new Set(origins);
      return rules.become(fenceRules({ ownHost, origins, withoutOrigin, resourceTypes }));
    },
    allows: (url) => URL.canParse(url) && registered.has(new URL(url).origin),
  };
}
