/** The facts of a call on record, for trying policies on it. What a record does not hold is left out, never made up. */
import { actionOf } from "../mcp/methods.ts";
import { isModern } from "../mcp/revision.ts";
import type { RecordEntry } from "../recorder/entry.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { Annotations, Facts, Phase } from "./policy.ts";
import type { Usage } from "./usage.ts";

export interface RecordFactsOptions {
  readonly utcOffsetMinutes?: number;
  readonly annotationsOf?: (serverId: string, tool: string) => Annotations | undefined;
  readonly usage?: Usage;
}

export function factsOf(record: RecordEntry, phase: Phase, options: RecordFactsOptions = {}): Facts {
  const { principal, tool, serverId, labels } = record;
  const excerpt = phase === "reply" ? record.reply : record.request;
  const annotations = tool === undefined ? undefined : options.annotationsOf?.(serverId, tool);
  let action: ReturnType<typeof actionOf> | undefined;
  // Read only by rules that look into arguments.
  const acted = () => {
    action ??= actionOf({ method: record.method, params: paramsOf(record) });
    return action;
  };
  return {
    phase,
    now: record.at,
    utcOffsetMinutes: options.utcOffsetMinutes ?? 0,
    direction: record.direction === "back" ? "back" : "out",
    origin: principal.origin,
    topSite: principal.topSite,
    private: principal.private,
    serverId,
    method: record.method,
    ...(record.revision === null ? {} : { era: isModern(record.revision) ? "modern" : "legacy" }),
    ...(tool === undefined ? {} : { tool }),
    ...(record.class === undefined ? {} : { class: record.class }),
    ...(annotations && { annotations }),
    findings: excerpt?.findings ?? [],
    ...(labels && phase === "request" ? { labels } : {}),
    pin: pinOf(record.pin),
    bytes: excerpt?.bytes ?? 0,
    ...(phase === "request" && options.usage ? { usage: options.usage } : {}),
    get prompt() {
      return phase === "event" ? undefined : acted().prompt;
    },
    get uri() {
      return phase === "event" ? undefined : acted().uri;
    },
    get args() {
      return phase === "request" ? acted().args : undefined;
    },
  } as Facts;
}

/** Nothing where the text was cut: half an argument says something nobody sent. */
function paramsOf({ request }: RecordEntry): JsonObject | undefined {
  if (request.cut) return undefined;
  try {
    const message: unknown = JSON.parse(request.text);
    const params = isObject(message as JsonObject) ? (message as JsonObject).params : undefined;
    return isObject(params) ? params : undefined;
  } catch {
    return undefined;
  }
}

const PINS: readonly string[] = ["approved", "changed", "new"];

function pinOf(pin: string | undefined): Facts["pin"] {
  return pin !== undefined && PINS.includes(pin) ? (pin as Facts["pin"]) : "none";
}
