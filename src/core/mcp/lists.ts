/**
 * Replies that list things: where the items are, and what each is called. An item without a name of its kind is not one that
 * a rule, a pin or an agent could speak of.
 *
 * @see MCP 2025-11-25 · Schema reference (tools/list, prompts/list, resources/list, resources/templates/list)
 */
import type { MutableCall, ReplyInHand } from "../call.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { itemsAt } from "../wire/splice.ts";

export interface ListKind {
  /** The member of the result that holds the items. */
  readonly member: string;
  /** The member of an item that names it. */
  readonly name: string;
}

export interface ListedItem {
  readonly name: string;
  readonly value: JsonObject;
  /** Exactly as the server sent it. */
  readonly text: string;
}

export const LISTS: ReadonlyMap<string, ListKind> = new Map([
  ["tools/list", { member: "tools", name: "name" }],
  ["prompts/list", { member: "prompts", name: "name" }],
  ["resources/list", { member: "resources", name: "uri" }],
  ["resources/templates/list", { member: "resourceTemplates", name: "uriTemplate" }],
]);

/** The items of a list reply in hand, found once for each reply; empty for anything else. */
export function listedItems({ reply, message }: MutableCall): readonly ListedItem[] {
  const kind = LISTS.get(message.method);
  if (!kind || reply?.kind !== "result") return [];
  const known = LISTED.get(reply) ?? itemsOf(reply, kind);
  LISTED.set(reply, known);
  return known;
}

const LISTED = new WeakMap<ReplyInHand, readonly ListedItem[]>();

function itemsOf(reply: ReplyInHand, kind: ListKind): readonly ListedItem[] {
  const values = reply.value?.[kind.member];
  const texts = itemsAt(reply.text, ["result", kind.member]);
  if (!Array.isArray(values) || !texts || values.length !== texts.length) return [];
  return texts.flatMap((text, at) => {
    const value = values[at];
    if (!isObject(value)) return [];
    const name = value[kind.name];
    return typeof name === "string" ? [{ name, value, text }] : [];
  });
}
