/**
 * One request of an agent as several: a part for each server, each of them a whole call of its own, with its own
 * admission, decision and record. What they answer is put together by who asked for the parts; a server that does not
 * answer in time, or not at all, is left out and named, and never hides the others.
 */
import { GatewayError } from "../../errors.ts";
import { META_REFUSAL, META_SERVER } from "../../mcp/meta.ts";
import { isModern } from "../../mcp/revision.ts";
import type { Clock } from "../../ports.ts";
import { createDeadline } from "../../servers/deadline.ts";
import { CLIENT_INFO } from "../../servers/rewrite.ts";
import { encodeResult } from "../../wire/encode.ts";
import { isObject, type JsonObject, type JsonValue } from "../../wire/json.ts";
import type { RequestMessage } from "../../wire/message.ts";
import { type Edit, splice } from "../../wire/splice.ts";
import type { FaceCall } from "../face.ts";

export interface Part {
  readonly server: string;
  /** The whole reply frame. */
  readonly frame: string;
  readonly result: JsonObject | undefined;
  readonly error: { readonly code: number; readonly name: string } | undefined;
}

/** Runs a call at one server, by the lines that every call takes. */
export type RunAt = (server: string, call: FaceCall) => Promise<void>;

/** How long the others wait for one server, in milliseconds. */
const PART_MS = 10_000;

export interface PartsOptions {
  readonly run: RunAt;
  readonly clock: Clock;
}

export function askEach(
  call: FaceCall,
  wanted: readonly { readonly server: string; readonly edits: readonly Edit[] }[],
  options: PartsOptions,
): Promise<readonly Part[]> {
  return Promise.all(wanted.map((one) => askOne(call, one, options)));
}

async function askOne(
  call: FaceCall,
  { server, edits }: { readonly server: string; readonly edits: readonly Edit[] },
  { run, clock }: PartsOptions,
): Promise<Part> {
  const limit = createDeadline(clock, { ms: PART_MS });
  let frame = "";
  const reply = (text: string): void => {
    frame = text;
  };
  const signal = AbortSignal.any([call.signal, limit.signal]);
  // Several servers cannot report on one thing that only grows.
  const quiet: Edit = { path: ["params", "_meta", "progressToken"], value: null };
  const message = edited(call.message, [...edits, quiet]);
  await run(server, { ...call, message, signal, agentSide: { ...call.agentSide, reply } });
  limit.stop();
  return partOf(server, frame);
}

/** The message with these changes in its text and in its value. */
export function edited(message: RequestMessage, edits: readonly Edit[]): RequestMessage {
  const text = splice(message.text, edits);
  if (text === message.text) return message;
  const { params } = JSON.parse(text) as { readonly params?: JsonObject };
  return { ...message, text, params };
}

export function partOf(server: string, frame: string): Part {
  const value = frame === "" ? {} : (JSON.parse(frame) as JsonObject);
  const { result, error } = value;
  if (isObject(result)) return { server, frame, result, error: undefined };
  const code = isObject(error) && typeof error.code === "number" ? error.code : 0;
  const data = isObject(error) && isObject(error.data) ? error.data : {};
  return {
    server,
    frame,
    result: undefined,
    error: { code, name: typeof data.name === "string" ? data.name : "error" },
  };
}

const METHOD_NOT_FOUND = -32601;

/** The reply of a whole: the parts' own where none has a result, else what is put together from those that have. */
export function together(
  { message: { id }, revision, signal }: FaceCall,
  parts: readonly Part[],
  merge: (parts: readonly Part[]) => { readonly members: readonly string[]; readonly cacheable: boolean },
): string {
  const [first] = parts;
  if (!first || signal.aborted) throw new GatewayError("cancelled", "The call was cancelled.", { by: "agent" });
  const good = parts.filter(({ result }) => result !== undefined);
  if (good.length === 0) return (parts.find(({ error }) => error?.code !== METHOD_NOT_FOUND) ?? first).frame;
  const { members, cacheable } = merge(good);
  // A server that has no such list has nothing to leave out.
  const absent = parts.flatMap(({ server, error }) =>
    error && error.code !== METHOD_NOT_FOUND ? [{ server, reason: error.name }] : [],
  );
  return encodeResult(id, `{${[...members, ...added({ absent, cacheable, modern: isModern(revision) })].join(",")}}`);
}

interface Added {
  readonly absent: readonly { readonly server: string; readonly reason: string }[];
  readonly cacheable: boolean;
  readonly modern: boolean;
}

function added({ absent, cacheable, modern }: Added): readonly string[] {
  const meta: Record<string, JsonValue> = {
    ...(modern ? { [META_SERVER]: JSON.parse(CLIENT_INFO) } : {}),
    ...(absent.length > 0 ? { [META_ABSENT]: absent.map((one) => ({ ...one })) } : {}),
  };
  return [
    ...(modern ? [`"resultType":"complete"`] : []),
    ...(modern && cacheable ? [`"ttlMs":0,"cacheScope":"private"`] : []),
    ...(Object.keys(meta).length > 0 ? [`"_meta":${JSON.stringify(meta)}`] : []),
  ];
}

/** Servers whose part is missing, and the name of the fault. */
const META_ABSENT = META_REFUSAL.replace("refusal", "absent");
