/**
 * Extensions that navra carries. A declaration that goes through is a promise that what it invites is policed, so one that
 * is not in this list goes through in neither direction: the other side must then do without it or say that it cannot.
 *
 * @see MCP 2026-07-28 · Extensions · Negotiation
 */
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import { type Edit, splice } from "../wire/splice.ts";

export const TASKS = "io.modelcontextprotocol/tasks";

const CARRIED: ReadonlySet<string> = new Set([TASKS]);

/** What is left of the extensions an agent declares; nothing where none is left. Their settings are not passed on. */
export function carriedExtensions(declared: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(declared)) return undefined;
  const names = Object.keys(declared).filter((name) => CARRIED.has(name) && isObject(declared[name]));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, {}]));
}

/** A server's discovery as JSON text, with the extensions that navra carries only. */
export function withCarriedExtensions(discoveryText: string): string {
  const { capabilities } = JSON.parse(discoveryText) as { readonly capabilities?: JsonValue };
  if (!isObject(capabilities) || !isObject(capabilities.extensions)) return discoveryText;
  const edits: Edit[] = Object.keys(capabilities.extensions)
    .filter((name) => !CARRIED.has(name))
    .map((name) => ({ path: ["capabilities", "extensions", name], value: null }));
  return edits.length === 0 ? discoveryText : splice(discoveryText, edits);
}

export function declares(capabilities: JsonObject, extension: string): boolean {
  return isObject(capabilities.extensions) && isObject(capabilities.extensions[extension]);
}
