/**
 * One kind of the browser's network rules, in its own range of ids: all of it is replaced at once, and what stands already is
 * left alone. Dynamic rules outlive the worker and the browser, so they hold before anything of ours runs.
 *
 * @see https://developer.chrome.com/docs/extensions/reference/api/declarativeNetRequest (dynamic rules)
 */
import type { DeclarativeNetRequest } from "webextension-polyfill";
import { GatewayError } from "../../core/errors.ts";

export type Rule = DeclarativeNetRequest.Rule;
export type ResourceType = DeclarativeNetRequest.ResourceType;

/** The part of `declarativeNetRequest` that this needs. */
export interface RulesApi {
  /** The browser's own table of names; not in the types. */
  readonly ResourceType?: Readonly<Record<string, string>>;
  getDynamicRules(): Promise<Rule[]>;
  updateDynamicRules(change: { removeRuleIds: number[]; addRules: Rule[] }): Promise<void>;
  isRegexSupported(of: { regex: string }): Promise<{ isSupported: boolean }>;
}

export interface IdRange {
  readonly first: number;
  readonly last: number;
}

export interface RuleSet {
  /** Everything this browser has a name for; each browser refuses a rule with a name it does not know. */
  readonly resourceTypes: readonly ResourceType[];
  /** Begins to read what stands, so that the first `become` and what is asked before it need not wait for that. */
  look(): void;
  /** Whether this browser has room for the pattern. */
  takes(regexFilter: string): Promise<boolean>;
  /** Calls are carried out in order. */
  become(wanted: readonly Rule[]): Promise<void>;
}

export function createRuleSet(api: RulesApi, ids: IdRange): RuleSet {
  let queue: Promise<void> = Promise.resolve();
  let looked: Promise<readonly Rule[]> | undefined;
  const read = (): Promise<readonly Rule[]> => {
    const standing = looked ?? api.getDynamicRules();
    looked = undefined;
    return standing;
  };
  return {
    resourceTypes: api.ResourceType ? (Object.values(api.ResourceType) as ResourceType[]) : COMMON_TYPES,
    look() {
      looked = api.getDynamicRules().catch(() => api.getDynamicRules());
      looked.catch(() => undefined);
    },
    async takes(regex) {
      // A pattern that stands was taken before.
      const standing = await looked?.catch(() => []);
      if (standing?.some(({ condition }) => condition.regexFilter === regex)) return true;
      return (await api.isRegexSupported({ regex })).isSupported;
    },
    become(wanted) {
      const turn = queue.then(async () => apply(api, ids, { wanted, all: await read() }));
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

async function apply(
  api: RulesApi,
  { first, last }: IdRange,
  { wanted, all }: { readonly wanted: readonly Rule[]; readonly all: readonly Rule[] },
): Promise<void> {
  if (wanted.length > last - first) {
    throw new GatewayError("internal-error", "Too many servers are registered. Remove some of them.");
  }
  const standing = all.filter(({ id }) => id >= first && id <= last);
  if (fingerprint(standing) === fingerprint(wanted)) return;
  await api.updateDynamicRules({ removeRuleIds: standing.map(({ id }) => id), addRules: [...wanted] });
}

/** Equal for rules of equal effect. Chromium gives lists back in another order, Firefox gives `null` for what is absent. */
function fingerprint(rules: readonly Rule[]): string {
  const lines = rules.map(({ id, action, condition }) => {
    const { initiatorDomains, excludedInitiatorDomains, requestMethods, resourceTypes, urlFilter, regexFilter } =
      condition;
    const lists = [initiatorDomains, excludedInitiatorDomains, requestMethods, resourceTypes];
    return [
      id,
      action.type,
      urlFilter ?? regexFilter ?? "",
      ...lists.map((list) => [...(list ?? [])].sort().join(",")),
    ].join(" ");
  });
  return lines.sort().join("\n");
}

/** What both browsers know, for one that has no table. */
const COMMON_TYPES: readonly ResourceType[] = [
  "main_frame",
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
