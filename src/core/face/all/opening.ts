/**
 * What an agent hears when it opens a channel to all servers: navra's own name, and every capability that at least one of
 * them has. A server that cannot be reached now is left out, and its items come when it does.
 *
 * Decided: no instructions. Put into one text, one server's words could pass for another's; an agent that wants them opens
 * that server's own channel.
 *
 * @see MCP 2025-11-25 · Lifecycle · Initialization
 * @see MCP 2026-07-28 · Server discovery
 */
import { isModern, LEGACY_REVISIONS, MODERN_REVISIONS } from "../../mcp/revision.ts";
import { CLIENT_INFO } from "../../servers/rewrite.ts";
import { isObject, type JsonObject, type JsonValue } from "../../wire/json.ts";
import type { FaceCall } from "../face.ts";
import { askEach, type Part, type PartsOptions, together } from "./parts.ts";

/** The whole reply frame. */
export async function openAll(
  call: FaceCall,
  options: PartsOptions & { readonly servers: readonly string[] },
): Promise<{ readonly frame: string; readonly opened: boolean }> {
  const parts = await askEach(
    call,
    options.servers.map((server) => ({ server, edits: [] })),
    options,
  );
  const modern = isModern(call.revision);
  const versions = [...MODERN_REVISIONS, ...[...LEGACY_REVISIONS].reverse()];
  const frame = together(call, parts, (good) => ({
    members: [
      modern
        ? `"supportedVersions":${JSON.stringify(versions)}`
        : `"protocolVersion":"${call.revision}","serverInfo":${CLIENT_INFO}`,
      `"capabilities":${JSON.stringify(capabilitiesOf(good))}`,
    ],
    cacheable: true,
  }));
  return { frame, opened: parts.some(({ result }) => result !== undefined) };
}

const KNOWN: ReadonlySet<string> = new Set(["tools", "resources", "prompts", "logging", "completions", "extensions"]);

function capabilitiesOf(parts: readonly Part[]): JsonObject {
  const all: Record<string, Record<string, JsonValue>> = {};
  for (const { result } of parts) {
    const capabilities = isObject(result?.capabilities) ? result.capabilities : {};
    for (const [name, settings] of Object.entries(capabilities)) {
      if (!KNOWN.has(name) || !isObject(settings)) continue;
      all[name] = { ...all[name], ...wholeSettings(settings) };
    }
  }
  return all;
}

/** What one of them does is done here; what one of them does not says nothing of the others. */
function wholeSettings(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value === true || isObject(value)));
}
