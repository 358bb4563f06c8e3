/**
 * Log levels where several agents share what a server knows. To an older server a level belongs to the session, which the
 * agents of one site share: it is told the most talkative level that any of them wants, and each agent hears what it asked
 * for. A newer server is told with each call. In memory: a level that is forgotten is the usual one again.
 *
 * @see MCP 2025-11-25 · Utilities · Logging
 * @see MCP 2026-07-28 · Utilities · Logging (`logLevel` of each request)
 */
import type { Call } from "../call.ts";
import { META_LOG_LEVEL, metaOf } from "../mcp/meta.ts";
import { LOG_LEVELS } from "../mcp/methods.ts";
import { isModern } from "../mcp/revision.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import type { Opened } from "./handshake.ts";

export interface LogLevels {
  /** Takes the level of a `logging/setLevel`; gives the one that all agents of this site need at this server. */
  set(call: Call): string;
  /** The most talkative level that these channels asked for, where one did. */
  known(channels: readonly Pick<Call, "place" | "channel" | "server">[]): string | undefined;
  /** For a newer server: the level of an older agent's calls. */
  of(call: Call): string;
  /** Whether the agent asked for messages like this. */
  wants(call: Call, params: JsonObject | undefined): boolean;
  /** Runs `tell` where the session does not give yet what the request of a newer agent asks for. */
  raise(call: Call, opened: Opened, tell: (level: string) => Promise<void>): Promise<void>;
}

/** In a session without a word about it the server decides; this is what most decide. */
const USUAL = "info";
const MOST = 512;
const ORDER: readonly unknown[] = [...LOG_LEVELS];

export function createLogLevels(): LogLevels {
  const levels = new Map<string, { readonly level: string; readonly of: string }>();
  const told = new WeakMap<Opened, string>();
  return {
    set(call) {
      const level = String(call.message.params?.level);
      const [oldest] = levels.keys();
      if (oldest !== undefined && levels.size >= MOST) levels.delete(oldest);
      const of = JSON.stringify([call.principalKey, call.server.id]);
      levels.set(keyOf(call), { level, of });
      return mostOf([...levels.values()].filter((other) => other.of === of).map((other) => other.level)) ?? level;
    },
    known: (channels) => mostOf(channels.flatMap((one) => levels.get(keyOf(one))?.level ?? [])),
    of: (call) => levels.get(keyOf(call))?.level ?? USUAL,
    wants(call, params) {
      const asked = isModern(call.revision)
        ? metaOf(call.message.params)?.[META_LOG_LEVEL]
        : levels.get(keyOf(call))?.level;
      if (asked === undefined) return !isModern(call.revision);
      const said = rank(params?.level);
      return said < 0 || said >= rank(asked);
    },
    async raise(call, opened, tell) {
      const level = metaOf(call.message.params)?.[META_LOG_LEVEL];
      if (typeof level !== "string" || !logs(opened)) return;
      const now = told.get(opened);
      if (now !== undefined && rank(now) <= rank(level)) return;
      told.set(opened, level);
      await tell(level);
    },
  };
}

function logs({ resultText }: Opened): boolean {
  const { capabilities } = JSON.parse(resultText) as { readonly capabilities?: JsonValue };
  return isObject(capabilities) && isObject(capabilities.logging);
}

function mostOf(levels: readonly string[]): string | undefined {
  return [...levels].sort((a, b) => rank(a) - rank(b))[0];
}

/** The most talkative level first. */
function rank(level: JsonValue | undefined): number {
  return ORDER.indexOf(level);
}

/** Of the agent's channel at one server; a channel to all servers has a level at each. */
function keyOf({ place, channel, server }: Pick<Call, "place" | "channel" | "server">): string {
  return `${place.documentId} ${channel} ${server.id}`;
}
