/**
 * Lists of several servers as one: servers in the order of their names, each with its items in its own order, so that the
 * same servers always give the same list. Items keep their bytes but for the names of tools and prompts; of two with one
 * address the first server's is there.
 *
 * @see MCP 2026-07-28 · Tools · Listing tools (deterministic order)
 */
import { LISTS, type ListKind } from "../../mcp/lists.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import { itemsAt, splice } from "../../wire/splice.ts";
import type { FaceCall } from "../face.ts";
import { aliasOf, type Digest } from "./alias.ts";
import { type Cursors, nextCursorOf } from "./cursors.ts";
import type { Owners } from "./owners.ts";
import { askEach, type Part, type PartsOptions, together } from "./parts.ts";

export interface ListsOptions extends PartsOptions {
  readonly principalKey: string;
  /** Names of the servers that the site is connected to, in order. */
  readonly servers: readonly string[];
  readonly digest: Digest;
  readonly cursors: Cursors;
  readonly owners: Owners;
  /** An alias that cannot be read stands for this. */
  readonly learn: (alias: string, named: { readonly server: string; readonly name: string }) => void;
}

const MERGED: ReadonlyMap<string, ListKind> = new Map([...LISTS, ["skills/list", { member: "skills", name: "uri" }]]);
/** Lists whose items are called by their name. */
const CALLED: ReadonlySet<string> = new Set(["tools/list", "prompts/list"]);

export function isMergedList(method: string): boolean {
  return MERGED.has(method);
}

/** The whole reply frame; nothing for a cursor that was not given for this. */
export async function listAll(call: FaceCall, options: ListsOptions): Promise<string | undefined> {
  const { method, params } = call.message;
  const { principalKey, servers, cursors } = options;
  const kind = MERGED.get(method) ?? { member: "", name: "" };
  const cursor = params?.cursor;
  const places = typeof cursor === "string" ? await cursors.open(cursor, { principalKey, method }) : undefined;
  if (typeof cursor === "string" && !places) return undefined;
  const wanted = servers
    .filter((server) => places?.has(server) ?? true)
    .map((server) => {
      const at = places?.get(server);
      return { server, edits: [{ path: ["params", "cursor"], value: at === undefined ? null : JSON.stringify(at) }] };
    });
  const parts = await askEach(call, wanted, options);
  const items: string[] = [];
  const taken = new Set<string>();
  const next = new Map<string, string>();
  for (const part of parts) {
    for (const { name, text } of await itemsOf(part, { method, kind }, options)) {
      if (taken.has(name)) continue;
      taken.add(name);
      items.push(text);
    }
    const more = part.result && nextCursorOf(part.result);
    if (more !== undefined) next.set(part.server, more);
  }
  const onwards = next.size === 0 ? undefined : await cursors.seal(next, { principalKey, method });
  return together(call, parts, () => ({
    members: [
      `${JSON.stringify(kind.member)}:[${items.join(",")}]`,
      ...(onwards === undefined ? [] : [`"nextCursor":${JSON.stringify(onwards)}`]),
    ],
    cacheable: LISTS.has(method),
  }));
}

interface Listed {
  readonly method: string;
  readonly kind: ListKind;
}

async function itemsOf(
  { server, frame, result }: Part,
  { method, kind }: Listed,
  { principalKey, digest, owners, learn }: ListsOptions,
): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const values = result?.[kind.member];
  const texts = itemsAt(frame, ["result", kind.member]);
  if (!Array.isArray(values) || !texts) return [];
  const items: { name: string; text: string }[] = [];
  for (const [at, text] of texts.entries()) {
    const value = values[at];
    const name = isObject(value) ? value[kind.name] : undefined;
    if (!isObject(value) || typeof name !== "string") continue;
    if (CALLED.has(method)) {
      const alias = await aliasOf({ server, name }, digest);
      learn(alias, { server, name });
      items.push({ name: alias, text: splice(text, [{ path: ["name"], value: JSON.stringify(alias) }]) });
    } else if (claims(value, { method, name, server, principalKey, owners })) items.push({ name, text });
  }
  return items;
}

interface Claiming {
  readonly method: string;
  readonly name: string;
  readonly server: string;
  readonly principalKey: string;
  readonly owners: Owners;
}

function claims(value: JsonObject, { method, name, server, principalKey, owners }: Claiming): boolean {
  if (method === "resources/templates/list") return owners.claimTemplate(principalKey, name, server);
  // A skill names the resources it consists of.
  const parts = method === "skills/list" && Array.isArray(value.resources) ? value.resources : [];
  for (const part of parts) {
    if (isObject(part) && typeof part.uri === "string") owners.claim(principalKey, part.uri, server);
  }
  return owners.claim(principalKey, name, server);
}
