/**
 * Text to JSON-RPC messages. The order of the checks is: size, JSON, envelope; whatever fails is a fault with the id it
 * belongs to where that could be read. Strict on purpose: a frame that two readers could understand differently would be
 * judged as one call and carried out as another. Members that JSON-RPC does not name are left in the text and ignored.
 *
 * INVARIANT: `decode` never throws, and its work is bounded by the limits.
 *
 * @see JSON-RPC 2.0 · 4 Request object · 5 Response object · 6 Batch
 * @see MCP 2025-11-25 · Base protocol · Messages
 */
import { exceedsUtf8 } from "./bytes.ts";
import { isObject, type JsonObject, type JsonValue, type Limits, type Span } from "./json.ts";
import type { Id, Message } from "./message.ts";
import { type Outline, type ScanFault, scan } from "./scan.ts";

export interface WireFault {
  readonly kind: "fault";
  readonly name: "parse-error" | "invalid-request" | "invalid-params" | "too-large";
  /** The id the frame had, where it could be read. */
  readonly id: Id | null;
  /** A sentence of ours with the remedy; nothing of the frame is in it. */
  readonly detail: string;
}

export interface DecodeOptions {
  readonly limits: Limits;
  /** Whether the revision in force has batches (2024-11-05 and 2025-03-26). */
  readonly batches: boolean;
}

export interface Decoded {
  readonly batch: boolean;
  readonly items: readonly (Message | WireFault)[];
}

/** Bytes of UTF-8 that a method or a string id may have. */
export const MOST_TOKEN_BYTES = 256;

export function decode(frame: string, options: DecodeOptions): Decoded {
  const { limits, batches } = options;
  if (exceedsUtf8(frame, limits.bytes)) return single(fault("too-large", null, "The message is too large; send less."));
  const scanned = scan(frame, { limits, brief: BRIEF });
  if (scanned.kind === "fault") return single(scanFault(frame, scanned));
  const { root, items } = scanned;
  if (root.shape !== "array") return single(readMessage(frame, root));
  if (!batches)
    return single(fault("invalid-request", null, "Batches are not part of this revision; send one message."));
  if (items.length === 0)
    return single(fault("invalid-request", null, "The batch is empty; send at least one message."));
  if (items.length > limits.batch) {
    return single(fault("invalid-request", null, `The batch is too long; send at most ${limits.batch} messages.`));
  }
  return { batch: true, items: items.map((item) => readMessage(frame, item)) };
}

/** An escape takes at most six code units for each byte. */
const BRIEF: ReadonlyMap<string, number> = new Map([
  ["method", 6 * MOST_TOKEN_BYTES],
  ["id", 6 * MOST_TOKEN_BYTES],
]);

function single(item: Message | WireFault): Decoded {
  return { batch: false, items: [item] };
}

function fault(name: WireFault["name"], id: Id | null, detail: string): WireFault {
  return { kind: "fault", name, id, detail };
}

function scanFault(frame: string, found: ScanFault): WireFault {
  const span = found.members.get("id");
  const id = (span && found.reason !== "syntax" && readId(frame, span)) || null;
  if (found.reason === "limit") return fault("too-large", id, found.detail);
  return fault(found.reason === "overlong" ? "invalid-request" : "parse-error", id, found.detail);
}

function readMessage(frame: string, outline: Outline): Message | WireFault {
  const { members } = outline;
  const idSpan = members.get("id");
  const id = idSpan && readId(frame, idSpan);
  const refuse = (detail: string): WireFault => fault("invalid-request", id ?? null, detail);

  if (outline.shape !== "object") return refuse("A message is a JSON object; send one.");
  const version = members.get("jsonrpc");
  if (version === undefined || readString(frame, version) !== "2.0") return refuse('Set the member jsonrpc to "2.0".');
  const text = textOf(frame, outline);
  if (members.has("method")) return readCall(frame, { members, id, text });
  return readReply(frame, { members, id, text });
}

/**
 * The message as it was written. Members that JSON-RPC does not have are left behind: nobody judges them and nobody is
 * shown them, so they must not travel either.
 */
function textOf(frame: string, { start, end, members }: Outline): string {
  if ([...members.keys()].every((name) => ENVELOPE.has(name))) return frame.slice(start, end);
  const known = [...members].filter(([name]) => ENVELOPE.has(name));
  return `{${known.map(([name, span]) => `"${name}":${frame.slice(span.start, span.end)}`).join(",")}}`;
}

const ENVELOPE: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);

interface Envelope {
  readonly members: ReadonlyMap<string, Span>;
  /** `undefined` where the id is absent, null, or not an id at all. */
  readonly id: Id | undefined;
  readonly text: string;
}

function readCall(frame: string, { members, id, text }: Envelope): Message | WireFault {
  const refuse = (detail: string): WireFault => fault("invalid-request", id ?? null, detail);
  const methodSpan = members.get("method");
  const method = methodSpan && readString(frame, methodSpan);
  if (method === undefined || method === "") return refuse("The method is not a string with a name; send one.");
  if (exceedsUtf8(method, MOST_TOKEN_BYTES)) return refuse("The method is too long; use at most 256 bytes.");
  if (members.has("id") && id === undefined) return refuse(BAD_ID);
  if (members.has("result") || members.has("error"))
    return refuse("A request has neither result nor error; drop them.");
  const params = readValue(frame, members.get("params"));
  if (params !== undefined && !isObject(params)) {
    return fault("invalid-params", id ?? null, "The params are not an object; send named parameters.");
  }
  return id === undefined
    ? { kind: "notification", method, params, text }
    : { kind: "request", id, method, params, text };
}

function readReply(frame: string, { members, id, text }: Envelope): Message | WireFault {
  const refuse = (detail: string): WireFault => fault("invalid-request", id ?? null, detail);
  if (members.has("result") === members.has("error")) {
    return refuse("A message has a method, a result or an error, and only one of them; send exactly one.");
  }
  const result = readValue(frame, members.get("result"));
  if (result !== undefined) {
    if (id === undefined) return refuse(BAD_ID);
    return isObject(result) ? { kind: "result", id, result, text } : refuse("The result is not an object; send one.");
  }
  const idSpan = members.get("id");
  if (idSpan !== undefined && id === undefined && frame.slice(idSpan.start, idSpan.end) !== "null")
    return refuse(BAD_ID);
  const error = readError(readValue(frame, members.get("error")));
  if (error === undefined) return refuse("The error is not an object with an integer code and a message; send one.");
  return { kind: "error", id: id ?? null, error, text };
}

const BAD_ID = "The id is not an integer or a string of at most 256 bytes; send one, or none for a notification.";

type ErrorBody = { readonly code: number; readonly message: string; readonly data?: JsonValue };

function readError(error: JsonValue | undefined): ErrorBody | undefined {
  if (!isObject(error)) return undefined;
  const code = own(error, "code");
  const message = own(error, "message");
  const data = own(error, "data");
  if (typeof code !== "number" || !Number.isSafeInteger(code) || typeof message !== "string") return undefined;
  return data === undefined ? { code, message } : { code, message, data };
}

function own(object: JsonObject, member: string): JsonValue | undefined {
  return Object.hasOwn(object, member) ? object[member] : undefined;
}

/** The canonical token of an id; strings are re-escaped minimally, integers keep every digit. */
function readId(frame: string, span: Span): Id | undefined {
  const token = frame.slice(span.start, span.end);
  if (!token.startsWith('"')) return INTEGER.test(token) ? token : undefined;
  const value = readString(frame, span);
  if (value === undefined || exceedsUtf8(value, MOST_TOKEN_BYTES)) return undefined;
  return token.includes("\\") ? JSON.stringify(value) : token;
}

const INTEGER = /^-?\d+$/;

function readString(frame: string, span: Span): string | undefined {
  if (!frame.startsWith('"', span.start)) return undefined;
  const inner = frame.slice(span.start + 1, span.end - 1);
  return inner.includes("\\") ? String(JSON.parse(`"${inner}"`)) : inner;
}

/** The scan has passed, so `JSON.parse` neither throws nor drops a member; `__proto__` becomes an own property. */
function readValue(frame: string, span: Span | undefined): JsonValue | undefined {
  return span === undefined ? undefined : (JSON.parse(frame.slice(span.start, span.end)) as JsonValue);
}
