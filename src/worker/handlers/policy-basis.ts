/**
 * What pages of ours check and try rules with, by themselves: the policy, the servers, the latest calls. The worker decides
 * calls and keeps rules; what is only looked at is worked out where it is shown.
 */
import type { MadeUpCall } from "../../bridge/policy-api.ts";
import type { Gateway } from "../../core/gateway.ts";
import { inspect } from "../../core/inspect/inspect.ts";
import { readJsonText } from "../../core/policy/json-text.ts";
import type { Annotations, Facts } from "../../core/policy/policy.ts";
import { principalKey } from "../../core/principal.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";
import { toolClass } from "../../core/servers/tool-class.ts";
import { utf8Length } from "../../core/wire/bytes.ts";
import { isObject } from "../../core/wire/json.ts";
import type { HandlerOptions, Handlers } from "./all.ts";
import { pinOf } from "./tool-views.ts";

type Subject = "policy.read" | "facts.read";

/** How many calls a change is tried on. */
const CALLS = 500;

export function policyBasisHandlers({ gateway }: HandlerOptions): Pick<Handlers, Subject> {
  const { rules, registry, records } = gateway;
  return {
    "policy.read": () => ({
      policy: { head: rules.head(), rules: rules.rules() },
      managed: rules.managed(),
      servers: registry.list().map(({ id, name, url }) => ({ id, name, url })),
      catalogues: registry.list().flatMap(({ id }) => {
        const tools = registry.catalogue(id)?.tools;
        return tools ? [{ serverId: id, tools: tools.map(({ name, value }) => ({ name, value })) }] : [];
      }),
      calls: records.recent(CALLS).map(withoutReply),
    }),
    "facts.read"(call) {
      const facts = madeUpFacts(gateway, call);
      return typeof facts === "string" ? { problem: facts } : { facts };
    },
  };
}

/** No rule looks into what came back, only at what was found in it and how long it was. */
function withoutReply(entry: RecordEntry): RecordEntry {
  return { ...entry, stages: [], ...(entry.reply ? { reply: { ...entry.reply, text: "" } } : {}) };
}

/** As if the site made this call now: what it has read and done, the tool as it is known, what is found in the arguments. */
function madeUpFacts({ registry, labels, pins, usage }: Gateway, call: MadeUpCall): Facts | string {
  if (!URL.canParse(call.origin)) return "The site is not an address. Write it like https://example.org.";
  const { origin } = new URL(call.origin);
  const server = registry.byId(call.serverId);
  if (!server) return "Choose one of your servers.";
  const text = call.argumentsText.trim() === "" ? "{}" : call.argumentsText;
  const read = readJsonText(text);
  if ("problem" in read || !isObject(read.value)) return "The arguments are not a JSON object. Write {} for none.";
  const definition = registry.catalogue(server.id)?.tools.find(({ name }) => name === call.tool);
  const pin = definition ? pinOf({ pins }, server.id, definition) : "none";
  const key = principalKey({ origin, topSite: origin, cookieStore: "default", private: false });
  const annotations = definition?.value.annotations;
  return {
    phase: "request",
    now: Date.now(),
    utcOffsetMinutes: -new Date().getTimezoneOffset(),
    direction: "out",
    origin,
    topSite: origin,
    private: false,
    serverId: server.id,
    method: call.method,
    ...(call.tool === undefined ? {} : { tool: call.tool }),
    class: definition
      ? toolClass(definition.value, { trusted: server.trust === "trusted", pinned: pin === "approved" })
      : "external",
    ...(isObject(annotations) ? { annotations: annotations as Annotations } : {}),
    args: read.value,
    findings: inspect(read.value),
    labels: labels.of(key),
    pin,
    bytes: utf8Length(text),
    usage: usage.of(key),
  };
}
