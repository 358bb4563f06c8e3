/**
 * The organisation's policy: from the text the browser hands over to the layer that is judged beside the person's. Nothing
 * in it is skipped: a text with one problem anywhere is unreadable as a whole, because a rule left out would open what it was
 * to close, and an unreadable policy lets nothing pass.
 *
 * Its rules name servers by address, since a name is the person's own choice; where a server is added or removed the layer is
 * read anew. A server nobody added is no problem: its rule waits.
 */
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import { type CompiledPolicy, compile } from "./compile.ts";
import { parseManaged } from "./document.ts";
import type { PolicyState } from "./history.ts";
import { readJsonText } from "./json-text.ts";
import type { ManagedLayer, Rule } from "./policy.ts";
import type { RuleProblem } from "./problem.ts";
import { lineOf } from "./text.ts";

/** What managed storage holds: a text, or something that is not even a text. */
export interface ManagedPolicy {
  readonly text: string | null;
}

export type ManagedState =
  | { readonly state: "none" }
  | { readonly state: "in-force"; readonly rules: readonly Rule[] }
  | { readonly state: "unreadable"; readonly problems: readonly RuleProblem[] };

interface KnownServer {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

const LONGEST_TEXT = 4 * 1024 * 1024;

export function readManaged(policy: ManagedPolicy | null, servers: readonly KnownServer[]): ManagedState {
  if (policy === null) return { state: "none" };
  const { text } = policy;
  if (text === null)
    return unreadable([problem("", "The policy is not a text.", "Set “policy” to one string of JSON.")]);
  if (text.length > LONGEST_TEXT) return unreadable([problem("", "The policy is too long.", "Keep it under 4 MB.")]);
  const read = readJsonText(text);
  if ("problem" in read) return unreadable([read.problem]);
  const parsed = parseManaged(withIds(read.value, servers));
  if (!parsed.document) return unreadable(placed(parsed.problems, read.lines));
  return { state: "in-force", rules: parsed.document.rules };
}

/** What is compiled of it. */
export function managedLayer(managed: ManagedState): ManagedLayer | undefined {
  if (managed.state === "none") return undefined;
  return managed.state === "unreadable" ? "unreadable" : { version: 1, rules: managed.rules };
}

/** The person's policy under an organisation's: what decides, and what is tried out before it does. */
export function compileBoth({ head, rules }: PolicyState, managed: ManagedState): CompiledPolicy {
  return compile(rules, { managed: managedLayer(managed), default: head.default });
}

function withIds(policy: JsonValue, servers: readonly KnownServer[]): JsonValue {
  if (!isObject(policy) || !Array.isArray(policy.rules)) return policy;
  // One text stands for a list of one; among sources “other” is a word of ours.
  const ids = (names: JsonValue | undefined, word?: string): JsonValue | undefined => {
    if (names === undefined || names === word) return names;
    return [names].flat().flatMap((name: JsonValue) => idsOf(name, servers));
  };
  const rules = policy.rules.map((rule: JsonValue): JsonValue => {
    if (!isObject(rule) || !isObject(rule.when)) return rule;
    const { when } = rule;
    return {
      ...rule,
      when: {
        ...when,
        ...member("server", ids(when.server)),
        ...(isObject(when.after) ? { after: { ...when.after, ...member("server", ids(when.after.server)) } } : {}),
        ...(isObject(when.labels)
          ? { labels: { ...when.labels, ...member("sources", ids(when.labels.sources, "other")) } }
          : {}),
      },
    };
  });
  return { ...policy, rules };
}

/** Every server of that address or name; what nobody added keeps its word, which is the id of none. */
function idsOf(name: JsonValue, servers: readonly KnownServer[]): readonly JsonValue[] {
  if (typeof name !== "string") return [name];
  const found = servers.filter((server) => isSameAddress(server.url, name) || server.name === name);
  return found.length > 0 ? found.map(({ id }) => id) : [name];
}

function isSameAddress(url: string, written: string): boolean {
  return url === written || (URL.canParse(written) && new URL(written).href === new URL(url).href);
}

function member(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function problem(path: string, message: string, remedy: string): RuleProblem {
  return { path, message, remedy };
}

function unreadable(problems: readonly RuleProblem[]): ManagedState {
  return { state: "unreadable", problems };
}

function placed(problems: readonly RuleProblem[], lines: ReadonlyMap<string, number>): readonly RuleProblem[] {
  return problems.map((one) => ({ ...one, line: lineOf(one.path, lines) }));
}
