/**
 * Extensions that navra carries. A declaration that goes through is a promise that what it invites is policed, so one that
 * is not in this list goes through in neither direction: the other side must then do without it or say that it cannot.
 *
 * - Tasks: whose a task is, is known (`servers/tasks.ts`). Only where each request stands alone; the tasks of 2025-11-25
 *   are another thing.
 * - Apps (`ui`): the page is the host that shows them; navra keeps a tool's visibility (`visibility.ts`), and what is shown
 *   is active content that policy asks about. Older sessions have them too: that is where they began.
 * - Skills: texts for a model, judged and labelled as every other content of a server.
 *
 * @see MCP 2026-07-28 · Extensions · Negotiation
 * @see SEP-1865 MCP Apps, SEP-2663 Tasks, SEP-2640 Skills
 */
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import type { Edit } from "../wire/splice.ts";
import { isModern, type Revision } from "./revision.ts";

export const TASKS = "io.modelcontextprotocol/tasks";
export const UI = "io.modelcontextprotocol/ui";
const SKILLS = "io.modelcontextprotocol/skills";

interface Extension {
  readonly eras: "modern" | "both";
  /** What an agent may say of itself; lists of short words. */
  readonly settings: readonly string[];
}

const CARRIED: ReadonlyMap<string, Extension> = new Map([
  [TASKS, { eras: "modern", settings: [] }],
  [UI, { eras: "both", settings: ["mimeTypes"] }],
  [SKILLS, { eras: "both", settings: [] }],
]);

/** What is left of the extensions an agent declares; nothing where none is left. */
export function carriedExtensions(declared: JsonValue | undefined, revision: Revision): JsonObject | undefined {
  if (!isObject(declared)) return undefined;
  const left = Object.entries(declared).flatMap(([name, settings]) => {
    const extension = carried(name, revision);
    return extension && isObject(settings) ? [[name, settingsOf(settings, extension)] as const] : [];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** What has to go from a server's capabilities, which are at this path of a text. */
export function uncarried(
  capabilities: JsonValue | undefined,
  { path, revision }: { readonly path: readonly string[]; readonly revision: Revision },
): readonly Edit[] {
  if (!isObject(capabilities) || !isObject(capabilities.extensions)) return [];
  return Object.keys(capabilities.extensions)
    .filter((name) => !carried(name, revision))
    .map((name) => ({ path: [...path, "extensions", name], value: null }));
}

export function declares(capabilities: JsonObject, extension: string): boolean {
  return isObject(capabilities.extensions) && isObject(capabilities.extensions[extension]);
}

function carried(name: string, revision: Revision): Extension | undefined {
  const extension = CARRIED.get(name);
  return extension?.eras === "modern" && !isModern(revision) ? undefined : extension;
}

const MOST_WORDS = 16;
const MOST_LENGTH = 128;

function settingsOf(declared: JsonObject, { settings }: Extension): JsonObject {
  return Object.fromEntries(
    settings.flatMap((name) => {
      const words = declared[name];
      if (!Array.isArray(words) || words.length > MOST_WORDS) return [];
      return [[name, words.filter((word) => typeof word === "string" && word.length <= MOST_LENGTH)]];
    }),
  );
}
