/**
 * An index over rules, so that what a decision costs does not grow with the rules that speak of other servers, tools and
 * sites. A rule is filed once for each combination of names it insists on, on three levels: server, then tool (or method),
 * then origin. A level the rule says nothing exact about is filed under "any".
 *
 * INVARIANT: for given facts each rule is met at most once, and every rule that holds is met.
 */
import { isLiteral, literalStart } from "./glob.ts";
import { isExactOrigin } from "./origin.ts";
import type { Facts, When } from "./policy.ts";

export interface RuleIndex<Item> {
  add(item: Item, when: When): void;
  /** Under "any" everywhere: a rule that cannot be read. */
  addAlways(item: Item): void;
  /** Whether there is any rule at all. */
  readonly empty: boolean;
  /** The lists that can hold a rule for these facts. */
  lists(facts: Facts): readonly (readonly Item[])[];
}

export function createRuleIndex<Item>(): RuleIndex<Item> {
  const servers = new Map<string, NameLevel<Item>>();
  const anyServer = nameLevel<Item>();
  let empty = true;
  const file = (item: Item, { server, name, origin }: Keys): void => {
    empty = false;
    for (const id of server ?? [undefined]) {
      const names = id === undefined ? anyServer : at(servers, id, nameLevel<Item>);
      for (const level of originLevels(names, name)) for (const list of lists(level, origin)) list.push(item);
    }
  };
  return {
    add: (item, when) => file(item, keysOf(when)),
    addAlways: (item) => file(item, {}),
    get empty() {
      return empty;
    },
    lists(facts) {
      const found: (readonly Item[])[] = [];
      const server = servers.get(facts.serverId);
      if (server) gather(server, facts, found);
      gather(anyServer, facts, found);
      return found;
    },
  };
}

/** By tool, by how tools begin, by method, or any. */
interface NameLevel<Item> {
  readonly tools: Map<string, OriginLevel<Item>>;
  readonly starts: Map<string, OriginLevel<Item>>;
  /** The lengths of `starts`, each once. */
  readonly lengths: number[];
  readonly methods: Map<string, OriginLevel<Item>>;
  readonly any: OriginLevel<Item>;
}

/** By exact origin, by the host after `https://*.`, or any. */
interface OriginLevel<Item> {
  exact: Map<string, Item[]> | undefined;
  below: Map<string, Item[]> | undefined;
  any: Item[];
}

interface Keys {
  readonly server?: readonly string[];
  readonly name?: { readonly kind: "tools" | "starts" | "methods"; readonly keys: readonly string[] };
  readonly origin?: { readonly kind: "exact" | "below"; readonly keys: readonly string[] };
}

/** A rule is filed at most this often; one that names more is filed less exactly. */
const MOST_PLACES = 256;

function keysOf(when: When): Keys {
  const server = when.server && unique(when.server);
  const name = nameOf(when);
  const origin = originOf(when.origin);
  const servers = server?.length ?? 1;
  const names = name?.keys.length ?? 1;
  if (servers > MOST_PLACES) return {};
  if (servers * names > MOST_PLACES) return server ? { server } : {};
  const both = { ...(server && { server }), ...(name && { name }) };
  return origin && servers * names * origin.keys.length <= MOST_PLACES ? { ...both, origin } : both;
}

function nameOf({ tool, method }: When): Keys["name"] {
  if (tool?.every(isLiteral)) return { kind: "tools", keys: unique(tool) };
  if (tool) {
    const start = commonStart(tool.map(literalStart));
    return start === "" ? undefined : { kind: "starts", keys: [start] };
  }
  return method?.every(isLiteral) ? { kind: "methods", keys: unique(method) } : undefined;
}

/** Two wildcards may hold for one origin, and the rule would be met twice. */
function originOf(origins: readonly string[] | undefined): Keys["origin"] {
  if (!origins) return undefined;
  if (origins.every(isExactOrigin)) return { kind: "exact", keys: unique(origins) };
  const [only = ""] = origins;
  return origins.length === 1 && only.startsWith(WILDCARD)
    ? { kind: "below", keys: [only.slice(WILDCARD.length)] }
    : undefined;
}

const HTTPS = "https://";
const WILDCARD = "https://*.";

function commonStart(texts: readonly string[]): string {
  let [start = ""] = texts;
  for (const text of texts) while (!text.startsWith(start)) start = start.slice(0, -1);
  return start;
}

function unique(texts: readonly string[]): readonly string[] {
  return texts.length === 1 ? texts : [...new Set(texts)];
}

function nameLevel<Item>(): NameLevel<Item> {
  return { tools: new Map(), starts: new Map(), lengths: [], methods: new Map(), any: originLevel() };
}

function originLevel<Item>(): OriginLevel<Item> {
  return { exact: undefined, below: undefined, any: [] };
}

function originLevels<Item>(level: NameLevel<Item>, name: Keys["name"]): readonly OriginLevel<Item>[] {
  if (!name) return [level.any];
  const { kind, keys } = name;
  const start = kind === "starts" ? keys[0] : undefined;
  if (start !== undefined && !level.lengths.includes(start.length)) level.lengths.push(start.length);
  return keys.map((key) => at(level[kind], key, originLevel<Item>));
}

function lists<Item>(level: OriginLevel<Item>, origin: Keys["origin"]): readonly Item[][] {
  if (!origin) return [level.any];
  level[origin.kind] ??= new Map();
  const map = level[origin.kind] ?? new Map<string, Item[]>();
  return origin.keys.map((key) => at(map, key, () => []));
}

function at<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function gather<Item>(level: NameLevel<Item>, facts: Facts, found: (readonly Item[])[]): void {
  const { tool } = facts;
  if (tool !== undefined) {
    const exact = level.tools.get(tool);
    if (exact) gatherOrigins(exact, facts.origin, found);
    for (const length of level.lengths) {
      if (length > tool.length) continue;
      const start = level.starts.get(tool.slice(0, length));
      if (start) gatherOrigins(start, facts.origin, found);
    }
  }
  if (level.methods.size > 0) {
    const method = level.methods.get(facts.method);
    if (method) gatherOrigins(method, facts.origin, found);
  }
  gatherOrigins(level.any, facts.origin, found);
}

function gatherOrigins<Item>(level: OriginLevel<Item>, origin: string, found: (readonly Item[])[]): void {
  if (level.any.length > 0) found.push(level.any);
  const exact = level.exact?.get(origin);
  if (exact) found.push(exact);
  if (!level.below || !origin.startsWith(HTTPS)) return;
  for (let dot = origin.indexOf(".", HTTPS.length); dot >= 0; dot = origin.indexOf(".", dot + 1)) {
    const below = level.below.get(origin.slice(dot + 1));
    if (below) found.push(below);
  }
}
