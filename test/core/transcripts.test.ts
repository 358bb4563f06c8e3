/**
 * What real servers said, replayed through the codec and through the whole gateway: every frame that a well-behaved agent
 * and server exchanged passes, in both directions, and reaches the other side byte for byte as it was written, but for ids.
 */
import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createGateway } from "../../src/core/gateway.ts";
import { isShown } from "../../src/core/mcp/visibility.ts";
import type { ServerEntry } from "../../src/core/servers/server.ts";
import type { ChannelEvents } from "../../src/core/transports/channel.ts";
import { createPair } from "../../src/core/transports/pair.ts";
import { decode } from "../../src/core/wire/decode.ts";
import { DEFAULT_LIMITS } from "../../src/core/wire/json.ts";
import { itemsAt, sliceAt, splice } from "../../src/core/wire/splice.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { PLACE, SITE } from "../fakes/gateway.ts";
import { createFakeSites } from "../fakes/sites.ts";
import { createFakeTables } from "../fakes/tables.ts";
import { transcriptFiles, transcriptText } from "../fakes/transcripts.ts";

interface Frame {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

interface Said {
  readonly by: "agent" | "server";
  readonly text: string;
  readonly frame: Frame;
}

const ALL = transcriptFiles().map((name) => ({ name, said: transcript(transcriptText(name)) }));
/** Some servers did not start where they were recorded. */
const TRANSCRIPTS = ALL.filter(({ said }) => said.some(({ by }) => by === "server"));

describe.runIf(ALL.length > 0)("the recorded frames", () => {
  it("are all messages to the codec, and keep their text", () => {
    const frames = ALL.flatMap(({ said }) => said);
    expect(frames.filter(({ by }) => by === "agent").length).toBeGreaterThan(180);
    expect(frames.filter(({ by }) => by === "server").length).toBeGreaterThan(150);
    for (const { text } of frames) {
      const { items } = decode(text, { limits: DEFAULT_LIMITS, batches: false });
      expect(items).toMatchObject([{ text }]);
      expect(items[0]?.kind).not.toBe("fault");
    }
  });

  it("are of every file", () => {
    expect(ALL.length).toBeGreaterThan(25);
    expect(ALL.filter(({ said }) => said.length === 0)).toEqual([]);
    expect(TRANSCRIPTS.length).toBeGreaterThan(20);
  });
});

describe.runIf(TRANSCRIPTS.length > 0)("a real exchange", () => {
  it.each(TRANSCRIPTS)("with $name passes whole, byte for byte", async ({ said }) => {
    const { send, replies, asked, events, answered, tools } = await open(said);
    for (const { by, text, frame } of said) {
      if (by === "agent" && frame.method !== undefined && frame.id === undefined) send(text);
      if (by !== "agent" || frame.method === undefined || frame.id === undefined) continue;
      const expected = said.find((one) => one.by === "server" && isReplyTo(one.frame, frame.id));
      if (!expected) continue;
      send(text);
      await until(() => replies.has(JSON.stringify(frame.id)));
      const got = replies.get(JSON.stringify(frame.id)) ?? "";
      if (SESSION.has(frame.method)) expect(sliceAt(got, ["result"])).toBe(sliceAt(expected.text, ["result"]));
      else if (!KNOWN.has(frame.method)) expect(codeOf(got)).toBe(-32601);
      else if (frame.method === "tools/call" && !tools.has(frame.params?.name)) expect(codeOf(got)).toBe(-32602);
      else expect(got).toBe(forModel(expected.text));
    }
    const byServer = said.filter(({ by, frame }) => by === "server" && frame.method !== undefined);
    for (const { frame, text } of byServer) {
      if (frame.id === undefined) await until(() => events.includes(text));
    }
    const questions = byServer.filter(({ frame }) => frame.id !== undefined);
    await until(() => answered.length >= questions.length);
    expect(asked.map((text) => withoutId(text))).toEqual(questions.map(({ text }) => withoutId(text)));
    expect(answered).toEqual(
      said.filter(({ by, frame }) => by === "agent" && frame.method === undefined).map(({ text }) => text),
    );
  });
});

/** Answered by navra from what it knows of the session: the result is the server's, the envelope is not. */
const SESSION: ReadonlySet<string> = new Set(["initialize", "ping"]);

/** What agents may ask beside; anything else is unknown to both. */
const KNOWN: ReadonlySet<string> = new Set([
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
]);

async function open(said: readonly Said[]) {
  /** Replies of the agent's that reached the server. */
  const answered: string[] = [];
  const ownReplies = said.filter(({ by, frame }) => by === "agent" && frame.method === undefined);
  const tables = createFakeTables();
  const entry: ServerEntry = {
    id: "s1",
    name: "real",
    url: "pair:",
    transport: "pair",
    trust: "trusted",
    enabled: true,
    addedAt: 0,
  };
  tables.servers.rows.set(entry.id, entry);
  const gateway = createGateway({
    clock: createFakeClock(),
    randomId: () => randomUUID().replaceAll("-", ""),
    digest: async (text) => createHash("sha256").update(text).digest("hex"),
    fetch: () => Promise.reject(new Error("no network")),
    socket: () => {
      throw new Error("no sockets");
    },
    local: () => {
      throw new Error("no programs");
    },
    hosted: (_server, events) => replaying(said, events, answered),
    tables,
    sites: createFakeSites(),
    changed: () => undefined,
    showApprovals: () => undefined,
    busy: () => undefined,
  });
  await gateway.restore();
  const { tools } = await gateway.registry.refresh(entry.id, new AbortController().signal);
  const forAgent = tools.filter(({ value }) => isShown(value, {}));
  await gateway.connector.connect(
    SITE,
    entry.id,
    tools.map(({ name }) => name),
  );
  await gateway.rules.save({ id: "all", verdict: "allow", priority: 0, on: ["request"], when: {}, mode: "enforce" });
  const replies = new Map<string, string>();
  const asked: string[] = [];
  const events: string[] = [];
  const channel = gateway.open({
    principal: SITE,
    place: PLACE,
    channel: "c1",
    server: "real",
    act: true,
    post(text) {
      const frame = JSON.parse(text) as Frame;
      if (frame.method === undefined) replies.set(JSON.stringify(frame.id), text);
      else if (frame.id === undefined) events.push(text);
      else {
        const own = ownReplies[asked.length];
        asked.push(text);
        if (own) channel.receive(withId(own.text, JSON.stringify(own.frame.id), JSON.stringify(frame.id)));
      }
    },
  });
  const names = new Set<unknown>(forAgent.map(({ name }) => name));
  return { send: channel.receive, replies, asked, events, answered, tools: names };
}

/** These agents show no apps, so tools that only an app may call are left out of what they get. */
function forModel(text: string): string {
  const items = itemsAt(text, ["result", "tools"]);
  if (!items) return text;
  const kept = items.filter((item) => isShown(JSON.parse(item), {}));
  if (kept.length === items.length) return text;
  return splice(text, [{ path: ["result", "tools"], value: `[${kept.join(",")}]` }]);
}

/** A server that says again what it said, to the same questions. */
function replaying(said: readonly Said[], events: ChannelEvents, answered: string[]) {
  const exchange = { signal: new AbortController().signal, sent() {}, frame() {} };
  const used = new Set<Said>();
  const say = (text: string): void => void right.send({ text, headers: {}, kind: "reply" }, exchange);
  let agentHasRoots = false;

  const take = (frame: Frame): void => {
    if (frame.method === "initialize") {
      agentHasRoots = (frame.params?.capabilities as { roots?: unknown } | undefined)?.roots !== undefined;
    }
    if (frame.method === "notifications/initialized" && agentHasRoots) {
      for (const one of said) if (one.by === "server" && one.frame.method !== undefined) say(one.text);
    }
    if (frame.method === undefined || frame.id === undefined) return;
    const same = (one: Said): boolean => one.by === "agent" && one.frame.method === frame.method;
    const alike = (one: Said): boolean => JSON.stringify(one.frame.params) === JSON.stringify(frame.params);
    const asked = said.find((one) => same(one) && alike(one) && !used.has(one)) ?? said.find(same);
    const reply = asked && said.find((one) => one.by === "server" && isReplyTo(one.frame, asked.frame.id));
    if (asked) used.add(asked);
    if (reply) say(withId(reply.text, JSON.stringify(asked?.frame.id), JSON.stringify(frame.id)));
    else say(JSON.stringify({ jsonrpc: "2.0", id: frame.id, error: { code: -32601, message: "Method not found" } }));
  };

  const { left, right } = createPair(events, {
    unsolicited(text) {
      const frame = JSON.parse(text) as Frame;
      if (frame.method === undefined) answered.push(text);
      take(frame);
    },
    closed: () => undefined,
  });
  return left;
}

/** Servers write the id first or last, never twice. */
function withId(text: string, from: string, to: string): string {
  const at = text.endsWith(`"id":${from}}`) ? text.lastIndexOf(`"id":${from}`) : text.indexOf(`"id":${from}`);
  return `${text.slice(0, at)}"id":${to}${text.slice(at + `"id":${from}`.length)}`;
}

function withoutId(text: string): string {
  return withId(text, JSON.stringify((JSON.parse(text) as Frame).id), "0");
}

function codeOf(text: string): unknown {
  return (JSON.parse(text) as Frame).error?.code;
}

function isReplyTo(frame: Frame, id: unknown): boolean {
  return frame.method === undefined && frame.id === id;
}

function transcript(text: string): readonly Said[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly k: string; readonly raw?: string })
    .flatMap(({ k, raw }) => {
      if ((k !== "c2s" && k !== "s2c") || raw === undefined) return [];
      const frame = parsed(raw);
      return frame ? [{ by: k === "c2s" ? "agent" : "server", text: raw, frame } as const] : [];
    });
}

/** Some servers print words for people where their messages go. */
function parsed(raw: string): Frame | undefined {
  try {
    return JSON.parse(raw) as Frame;
  } catch {
    return undefined;
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}
