/**
 * `redact`: carries out what the decision obliges to. A payload changed here is re-encoded from the judged value, the only
 * text that is not a slice of what was received. Redacted arguments must still fit the tool's schema, or the call is
 * denied; hidden list items are left out by keeping the slices of the others.
 */

import type { MutableCall } from "../call.ts";
import { LISTS, listedItems } from "../mcp/lists.ts";
import { refuse, type Stage, type Stop } from "../pipeline/stage.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import { splice } from "../wire/splice.ts";
import type { Finding } from "./finding.ts";
import { fits } from "./fits.ts";
import { inspect } from "./inspect.ts";
import { redact } from "./redact.ts";

/** What of an agent's parameters are its own words: arguments, and answers to what a server asked. */
const LEAVING = ["arguments", "inputResponses", "argument", "context", "_meta"] as const;

export function redactStage(): Stage {
  return {
    name: "redact",
    request(call) {
      const wanted = call.ledger.decisions.at(-1)?.redact ?? [];
      return wanted.length === 0 ? undefined : redactRequest(call, wanted);
    },
    reply(call) {
      redactReply(call);
      dropHidden(call);
      return undefined;
    },
    event(_call, event) {
      const { value } = event.payload;
      if (!value || !event.redact?.length) return undefined;
      const { value: clean, replaced } = redact(value, event.findings ?? [], event.redact);
      if (replaced === 0 || !isObject(clean)) return undefined;
      event.payload = {
        text: splice(event.payload.text, [{ path: ["params"], value: JSON.stringify(clean) }]),
        value: clean,
      };
      return undefined;
    },
  };
}

/** A server's request is text for the agent as a whole; an agent's has members that leave, and others that name things. */
function redactRequest(call: MutableCall, wanted: readonly string[]): Stop | undefined {
  const members = call.direction === "back" ? Object.keys(call.request.value ?? {}) : LEAVING;
  // What names a tool or a resource cannot be changed and still mean the same; with a secret in it, it does not leave.
  const rest = Object.fromEntries(
    Object.entries(call.request.value ?? {}).filter(([name]) => !(members as readonly string[]).includes(name)),
  );
  if (redact(rest, inspect(rest), wanted).replaced > 0) return UNFIT;
  for (const member of members) {
    const params = call.request.value;
    const before = params?.[member];
    if (params === undefined || before === undefined) continue;
    const { value, replaced } = redact(before, under(call.ledger.read("requestFindings"), `/${member}`), wanted);
    if (replaced === 0) continue;
    if (member === "arguments" && !fitsSchema(call, value)) return UNFIT;
    call.request = {
      text: splice(call.request.text, [{ path: ["params", member], value: JSON.stringify(value) }]),
      value: { ...params, [member]: value },
    };
  }
  return undefined;
}

function redactReply(call: MutableCall): void {
  const wanted = call.ledger.decisions.at(-1)?.redact ?? [];
  const { reply } = call;
  if (wanted.length === 0 || !reply?.value) return;
  const { value, replaced } = redact(reply.value, call.ledger.read("replyFindings") ?? [], wanted);
  if (replaced === 0 || !isObject(value)) return;
  call.reply = {
    kind: reply.kind,
    value,
    text: splice(reply.text, [{ path: [reply.kind], value: JSON.stringify(value) }]),
  };
}

function dropHidden(call: MutableCall): void {
  const hidden = call.ledger.read("hidden");
  const kind = LISTS.get(call.message.method);
  const { reply } = call;
  if (!hidden || hidden.size === 0 || !kind || !reply?.value) return;
  const { member, name: naming } = kind;
  const kept = listedItems(call).filter(({ name }) => !hidden.has(name));
  const items = reply.value[member];
  call.reply = {
    kind: reply.kind,
    text: splice(reply.text, [
      { path: ["result", member], value: `[${kept.map(({ text }) => text).join(",")}]` },
      // What is left is for this site; a shared cache must not give it to another.
      ...(reply.value.cacheScope === undefined ? [] : [{ path: ["result", "cacheScope"], value: '"private"' }]),
    ]),
    value: {
      ...reply.value,
      ...(reply.value.cacheScope === undefined ? {} : { cacheScope: "private" }),
      [member]: Array.isArray(items)
        ? items.filter(
            (item: JsonValue) => isObject(item) && typeof item[naming] === "string" && !hidden.has(item[naming]),
          )
        : [],
    },
  };
}

/** Findings within one member, with pointers that start there. */
function under(findings: readonly Finding[] = [], member: string): readonly Finding[] {
  return findings
    .filter(({ path }) => path.startsWith(`${member}/`) || path === member)
    .map((finding) => ({ ...finding, path: finding.path.slice(member.length) }));
}

function fitsSchema(call: MutableCall, args: JsonValue): boolean {
  const schema = call.ledger.read("definition")?.value.inputSchema;
  return !isObject(schema) || fits(schema, args);
}

const UNFIT: Stop = refuse(
  "denied",
  "The person's policy removes a secret from these arguments, and what is left does not fit the tool. The call was not sent. Use other arguments.",
  ["rule"],
);
