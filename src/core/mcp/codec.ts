/**
 * What an agent of an older revision is given of a newer server's words. What its revision has no word for is said in one
 * that it has, or left out; everything else keeps its bytes. It is the last step before the agent, after everything was
 * judged: pins compare what the server said, and nothing here adds what was not there.
 *
 * @see MCP 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28 · Key changes
 */
import type { Payload } from "../call.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import { type Edit, itemsAt, sliceAt, splice } from "../wire/splice.ts";
import { LISTS } from "./lists.ts";
import {
  isOlder,
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  type Revision,
  type Vocabulary,
  vocabularyOf,
} from "./revision.ts";
import type { Words } from "./revisions/vocabulary.ts";
import { isWrapped, wrappedSchema, wrappedValue } from "./structured.ts";

export interface Codec {
  /** The whole reply frame of a result. */
  result(payload: Payload, about: ResultAbout): string;
  /** The whole frame of a notification. */
  event(payload: Payload, method: string): string;
  /** The whole frame of a request of the server's. */
  request(payload: Payload, method: string): string;
}

export interface ResultAbout {
  readonly method: string;
  /** Of the tool that was called. */
  readonly outputSchema: JsonValue | undefined;
}

/** Nothing where the agent knows every word of the server's. */
export function codecFor(agent: Revision, server: Revision): Codec | undefined {
  return CODECS.get(agent)?.get(server);
}

const REVISIONS: readonly Revision[] = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];
const CODECS: ReadonlyMap<Revision, ReadonlyMap<Revision, Codec>> = new Map(
  REVISIONS.map((agent) => [
    agent,
    new Map(REVISIONS.filter((one) => isOlder(agent, one)).map((server) => [server, codecBetween(agent, server)])),
  ]),
);

function codecBetween(agent: Revision, server: Revision): Codec {
  const to = vocabularyOf(agent);
  const from = vocabularyOf(server);
  const without = (kind: keyof Words, word: string): boolean => from[kind].has(word) && !to[kind].has(word);
  const gone = new Set([...from.members].filter((word) => !to.members.has(word)));
  return {
    result: ({ text, value }, about) => {
      if (!value) return text;
      const list = LISTS.get(about.method);
      if (list) return splice(text, listEdits({ text, value }, { member: list.member, gone, to }));
      if (about.method === "tools/call") return splice(text, callEdits({ text, value }, { about, to, without }));
      if (about.method === "prompts/get") return splice(text, promptEdits({ text, value }, without));
      return text;
    },
    event: ({ text, value }, method) => {
      if (method !== "notifications/progress" || !value) return text;
      const members = Object.keys(value).filter((name) => without("progress", name));
      return splice(
        text,
        members.map((name) => ({ path: ["params", name], value: null })),
      );
    },
    request: ({ text, value }, method) => {
      const schema = value?.requestedSchema;
      if (method !== "elicitation/create" || !isObject(schema) || !isObject(schema.properties)) return text;
      if (!without("fields", "titled")) return text;
      const edits = Object.entries(schema.properties).flatMap(([name, field]) => fieldEdits(name, field));
      return splice(text, edits);
    },
  };
}

type Without = (kind: keyof Words, word: string) => boolean;

interface Listing {
  readonly member: string;
  readonly gone: ReadonlySet<string>;
  readonly to: Vocabulary;
}

function listEdits({ text, value }: Payload, { member, gone, to }: Listing): readonly Edit[] {
  const path = ["result", member];
  const items = value?.[member];
  const texts = itemsAt(text, path);
  if (!texts || !Array.isArray(items)) return [];
  const older = texts.map((item, at) => splice(item, itemEdits(items[at], { gone, to })));
  return older.every((item, at) => item === texts[at]) ? [] : [{ path, value: `[${older.join(",")}]` }];
}

function itemEdits(item: JsonValue | undefined, { gone, to }: Omit<Listing, "member">): readonly Edit[] {
  if (!isObject(item)) return [];
  const edits: Edit[] = Object.keys(item)
    .filter((name) => gone.has(name))
    .map((name) => ({ path: [name], value: null }));
  if (to.structured === "object" && isWrapped(item.outputSchema)) {
    edits.push({ path: ["outputSchema"], value: wrappedSchema(item.outputSchema ?? null) });
  }
  return edits;
}

interface Calling {
  readonly about: ResultAbout;
  readonly to: Vocabulary;
  readonly without: Without;
}

function callEdits({ text, value }: Payload, { about, to, without }: Calling): readonly Edit[] {
  const edits: Edit[] = [];
  const path = ["result", "structuredContent"];
  const structured = value?.structuredContent;
  const blocks = value?.content;
  const texts = [...(itemsAt(text, ["result", "content"]) ?? [])];
  const older = texts.map((block, at) => olderBlock(block, Array.isArray(blocks) ? blocks[at] : undefined, without));
  if (structured !== undefined && to.structured === "object") {
    const whole = about.outputSchema === undefined ? !isObject(structured) : isWrapped(about.outputSchema);
    const own = sliceAt(text, path);
    // An error need not fit the tool's schema, and one that is an object can be read as it is.
    const needed = whole && (value?.isError !== true || !isObject(structured));
    if (needed && own !== undefined) edits.push({ path, value: wrappedValue(own) });
  }
  if (structured !== undefined && to.structured === "none") {
    edits.push({ path, value: null });
    const told = Array.isArray(blocks) && blocks.some((block) => isObject(block) && block.type === "text");
    if (!told) older.push(textBlock(sliceAt(text, path) ?? ""));
  }
  const changed = older.length !== texts.length || older.some((block, at) => block !== texts[at]);
  if (changed) edits.push({ path: ["result", "content"], value: `[${older.join(",")}]` });
  return edits;
}

function promptEdits({ text, value }: Payload, without: Without): readonly Edit[] {
  const path = ["result", "messages"];
  const messages = value?.messages;
  const texts = itemsAt(text, path);
  if (!texts || !Array.isArray(messages)) return [];
  const older = texts.map((message, at) => {
    const parsed = messages[at];
    const block = sliceAt(message, ["content"]) ?? "";
    const other = olderBlock(block, isObject(parsed) ? parsed.content : undefined, without);
    return other === block ? message : splice(message, [{ path: ["content"], value: other }]);
  });
  return older.every((message, at) => message === texts[at]) ? [] : [{ path, value: `[${older.join(",")}]` }];
}

/** A block of a kind that the revision does not have, as text; who it is for is kept. */
function olderBlock(text: string, block: JsonValue | undefined, without: Without): string {
  if (!isObject(block) || typeof block.type !== "string" || !without("blocks", block.type)) return text;
  return textBlock(worded(block), sliceAt(text, ["annotations"]));
}

function textBlock(text: string, annotations?: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}${annotations === undefined ? "" : `,"annotations":${annotations}`}}`;
}

function worded(block: JsonObject): string {
  if (block.type === "resource_link") {
    const { name, title, uri, description } = block;
    const first = [title ?? name, uri].filter((part) => typeof part === "string").join(": ");
    return typeof description === "string" ? `${first}\n${description}` : first;
  }
  if (block.type === "audio") {
    return `[Audio${typeof block.mimeType === "string" ? ` (${block.mimeType})` : ""} that this revision of the protocol has no way to carry.]`;
  }
  return `[Content of the kind "${String(block.type)}" that this revision of the protocol has no way to carry.]`;
}

/** A choice with titles, in the words that forms had before; several choices at once have none and stay. */
function fieldEdits(name: string, field: JsonValue): readonly Edit[] {
  if (!isObject(field) || !Array.isArray(field.oneOf)) return [];
  const options = field.oneOf.filter(isObject);
  if (options.length === 0 || options.some((option) => typeof option.const !== "string")) return [];
  const path = ["params", "requestedSchema", "properties", name];
  const titles = options.map((option) => (typeof option.title === "string" ? option.title : option.const));
  return [
    { path: [...path, "oneOf"], value: null },
    { path: [...path, "enum"], value: JSON.stringify(options.map((option) => option.const)) },
    { path: [...path, "enumNames"], value: JSON.stringify(titles) },
  ];
}
