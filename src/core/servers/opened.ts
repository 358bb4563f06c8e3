/**
 * What an agent hears when it opens: the server's own answer, with what navra does not carry taken out, or the answer of
 * the other era made from it. A server that settled on a newer revision than the agent asked for keeps it on its side;
 * the agent goes on in its own. What is offered is what works: capabilities without a word for them here are left out.
 *
 * @see MCP 2025-11-25 · Lifecycle · Capability negotiation
 * @see MCP 2026-07-28 · Server discovery
 */
import type { Call } from "../call.ts";
import { uncarried } from "../mcp/extensions.ts";
import { META_SERVER } from "../mcp/meta.ts";
import {
  isModern,
  isOlder,
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  NEWEST_MODERN,
  type Revision,
  vocabularyOf,
} from "../mcp/revision.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import { type Edit, sliceAt, splice } from "../wire/splice.ts";
import type { Opened } from "./handshake.ts";

/** The revision that holds on the agent's side. */
export function agreed(asked: Revision, { revision }: Opened): Revision {
  return isModern(asked) !== isModern(revision) || isOlder(asked, revision) ? asked : revision;
}

/** The result for the agent, as JSON text. */
export function openedFor(opened: Opened, { revision, server }: Pick<Call, "revision" | "server">): string {
  if (isModern(revision)) return isModern(opened.revision) ? discovered(opened) : discoverResult(opened);
  const settled = agreed(revision, opened);
  return isModern(opened.revision) ? initializeResult(opened, { revision: settled, server }) : session(opened, settled);
}

function discovered({ resultText, revision }: Opened): string {
  const { capabilities } = JSON.parse(resultText) as { readonly capabilities?: JsonValue };
  return splice(resultText, uncarried(capabilities, { path: ["capabilities"], revision }));
}

function session({ resultText, revision }: Opened, settled: Revision): string {
  const { capabilities } = JSON.parse(resultText) as { readonly capabilities?: JsonValue };
  const edits: Edit[] = capabilityEdits(capabilities, { path: ["capabilities"], revision: settled });
  if (settled !== revision) edits.push({ path: ["protocolVersion"], value: JSON.stringify(settled) });
  return splice(resultText, edits);
}

function initializeResult(
  { resultText }: Opened,
  { revision, server }: Pick<Call, "server"> & { readonly revision: Revision },
): string {
  const named =
    sliceAt(resultText, ["_meta", META_SERVER]) ??
    sliceAt(resultText, ["serverInfo"]) ??
    JSON.stringify({ name: server.name, version: "unknown" });
  const instructions = sliceAt(resultText, ["instructions"]);
  const members = [
    `"protocolVersion":"${revision}"`,
    `"capabilities":${capabilitiesText(resultText, revision)}`,
    `"serverInfo":${named}`,
    ...(instructions === undefined ? [] : [`"instructions":${instructions}`]),
  ];
  return `{${members.join(",")}}`;
}

function discoverResult({ resultText }: Opened): string {
  const instructions = sliceAt(resultText, ["instructions"]);
  const versions = [...MODERN_REVISIONS, ...[...LEGACY_REVISIONS].reverse()];
  const members = [
    `"resultType":"complete"`,
    `"supportedVersions":${JSON.stringify(versions)}`,
    `"capabilities":${capabilitiesText(resultText, NEWEST_MODERN)}`,
    ...(instructions === undefined ? [] : [`"instructions":${instructions}`]),
    `"ttlMs":0,"cacheScope":"private"`,
    `"_meta":{${JSON.stringify(META_SERVER)}:${sliceAt(resultText, ["serverInfo"]) ?? "{}"}}`,
  ];
  return `{${members.join(",")}}`;
}

function capabilitiesText(resultText: string, revision: Revision): string {
  const text = sliceAt(resultText, ["capabilities"]) ?? "{}";
  const capabilities = JSON.parse(text) as JsonValue;
  return isObject(capabilities) ? splice(text, capabilityEdits(capabilities, { path: [], revision })) : "{}";
}

function capabilityEdits(
  capabilities: JsonValue | undefined,
  at: { readonly path: readonly string[]; readonly revision: Revision },
): Edit[] {
  if (!isObject(capabilities)) return [];
  const words = vocabularyOf(at.revision).capabilities;
  const gone = Object.keys(capabilities).filter((name) => OURS.has(name) && !words.has(name));
  return [...uncarried(capabilities, at), ...gone.map((name) => ({ path: [...at.path, name], value: null }))];
}

/** Words that some revisions have and others have not; a word that none has is the server's own. */
const OURS: ReadonlySet<string> = new Set([...vocabularyOf(NEWEST_MODERN).capabilities, "tasks"]);
