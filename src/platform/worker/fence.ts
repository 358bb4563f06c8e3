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
import type { DeclarativeNetRequest } from "webextension-polyfill";
import { GatewayError } from "../../core/errors.ts";

type Rule = DeclarativeNetRequest.Rule;
type ResourceType = DeclarativeNetRequest.ResourceType;

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

/** The part of `declarativeNetRequest` that the fence needs. */
export interface FenceApi {
  /** The browser's own table of names; not in the types. */
  readonly ResourceType?: Readonly<Record<string, string>>;
  getDynamicRules(): Promise<Rule[]>;
  updateDynamicRules(change: { removeRuleIds: number[]; addRules: Rule[] }): Promise<void>;
}

export interface Fence {
  /** Replaces all fence rules at once. Calls are carried out in order; rules that stand already are left alone. */
  update(origins: readonly string[], withoutOrigin?: readonly string[]): Promise<void>;
  /** Whether the address lies in an origin of the last `update`; nothing does before the first. */
  allows(url: string): boolean;
}

export function createFence(api: FenceApi, ownHost: string): Fence {
  let queue: Promise<void> = Promise.resolve();
  let registered: ReadonlySet<string> = new Set();
  return {
    update(origins, withoutOrigin = []) {
      registered = new Set(origins);
      const turn = queue.then(() => apply(api, { ownHost, origins, withoutOrigin, resourceTypes: resourceTypes(api) }));
      queue = turn.catch(() => {});
      return turn;
    },
    allows: (url) => URL.canParse(url) && registered.has(new URL(url).origin),
  };
}

async function apply(api: FenceApi, input: FenceInput): Promise<void> {
  const wanted = fenceRules(input);
  if (wanted.length > FENCE_IDS.last - FENCE_IDS.first) {
    throw new GatewayError("internal-error", "Too many servers are registered. Remove some of them.");
  }
  const standing = (await api.getDynamicRules()).filter(({ id }) => id >= FENCE_IDS.first && id <= FENCE_IDS.last);
  if (fingerprint(standing) === fingerprint(wanted)) return;
  await api.updateDynamicRules({ removeRuleIds: standing.map(({ id }) => id), addRules: wanted });
}

/** Equal for rules of equal effect. Chromium gives lists back in another order, Firefox gives `null` for what is absent. */
function fingerprint(rules: readonly Rule[]): string {
  const lines = rules.map(({ id, action, condition }) => {
    const { initiatorDomains, resourceTypes: types, urlFilter, regexFilter } = condition;
    const filter = urlFilter ?? regexFilter ?? "";
    return [id, action.type, filter, ...(initiatorDomains ?? []), ...[...(types ?? [])].sort()].join(" ");
  });
  return lines.sort().join("\n");
}

/** What both browsers know, for one that has no table. */
const COMMON_TYPES: readonly ResourceType[] = [
  "sub_frame",
  "stylesheet",
  "script",
  "image",
  "font",
  "object",
  "xmlhttprequest",
  "ping",
  "csp_report",
  "media",
  "websocket",
  "other",
];

function resourceTypes(api: FenceApi): readonly ResourceType[] {
  const known = api.ResourceType ? (Object.values(api.ResourceType) as ResourceType[]) : COMMON_TYPES;
  return known.filter((type) => type !== "main_frame");
}
