/** Rules beside one call: what they decide, and for each whether it matches or which clause fails. Nothing is counted. */
import type { TriedCall } from "../../bridge/policy-api.ts";
import type { Gateway } from "../../core/gateway.ts";
import { inspect } from "../../core/inspect/inspect.ts";
import { decide } from "../../core/policy/decide.ts";
import { readJsonText } from "../../core/policy/json-text.ts";
import { managedLayer } from "../../core/policy/managed.ts";
import type { Facts, Rule } from "../../core/policy/policy.ts";
import { factsOf } from "../../core/policy/record-facts.ts";
import { trace } from "../../core/policy/trace.ts";
import { principalKey } from "../../core/principal.ts";
import { toolClass } from "../../core/servers/tool-class.ts";
import { isObject } from "../../core/wire/json.ts";
import type { HandlerOptions, Handlers } from "./all.ts";
import { simulation } from "./policy-check.ts";
import { serverNames } from "./rules.ts";
import { pinOf } from "./tool-views.ts";
import { typedPolicy } from "./typed-policy.ts";

type Subject = "rules.try";
type MadeUp = Exclude<TriedCall, { readonly seq: number }>;

export function ruleTryHandlers({ gateway }: HandlerOptions): Pick<Handlers, Subject> {
  const { rules, records } = gateway;
  return {
    async "rules.try"({ call, text }) {
      const typed = text === undefined ? undefined : typedPolicy(gateway, text);
      if (typed && typed.problems.length > 0)
        return failed("The rules have problems. Solve them first, then try them.");
      const tried = typed?.next ?? { head: rules.head(), rules: rules.rules() };
      const facts = await factsFor(call);
      if (typeof facts === "string") return failed(facts);
      return {
        decision: decide(rules.compiledWith(tried), facts),
        rules: tracedWith(tried.rules, facts),
      };
    },
  };

  function tracedWith(tried: readonly Rule[], facts: Facts) {
    return trace({ rules: tried, managed: managedLayer(rules.managed()), serverNames: serverNames(gateway) }, facts);
  }

  async function factsFor(call: TriedCall): Promise<Facts | string> {
    if (!("seq" in call)) return madeUpFacts(gateway, call);
    const [entry] = await records.page({ before: call.seq + 1, limit: 1 });
    if (entry?.seq !== call.seq) return "This record is no longer kept. Choose another call.";
    return factsOf(entry, "request", simulation(gateway));
  }
}

function failed(problem: string) {
  return { decision: null, rules: [], problem };
}

/** As if the site made this call now: its labels, the tool as it is known, what the detectors find in the arguments. */
function madeUpFacts({ registry, labels, pins }: Gateway, call: MadeUp): Facts | string {
  if (!URL.canParse(call.origin)) return "The site is not an address. Write it like https://example.org.";
  const { origin } = new URL(call.origin);
  const server = registry.byId(call.serverId);
  if (!server) return "Choose one of your servers.";
  const read = readJsonText(call.argumentsText.trim() === "" ? "{}" : call.argumentsText);
  if ("problem" in read || !isObject(read.value)) return "The arguments are not a JSON object. Write {} for none.";
  const definition = registry.catalogue(server.id)?.tools.find(({ name }) => name === call.tool);
  const pin = definition ? pinOf({ pins }, server.id, definition) : "none";
  const principal = { origin, topSite: origin, cookieStore: "default", private: false };
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
    args: read.value,
    findings: inspect(read.value),
    labels: labels.of(principalKey(principal)),
    pin,
    bytes: call.argumentsText.length,
  };
}
