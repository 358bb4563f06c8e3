/**
 * One rule that denies everything, and every way in and out of the gateway: whatever the entry, whatever the method,
 * whichever side asks, nothing passes. The entries are found in the sources; one that is added without standing in the
 * tables here fails, because a gateway that covers all transports but one is a gateway with a way around it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findNavra, NavraTransport } from "../../src/agent/transport.ts";
import { SERVER_METHODS } from "../../src/core/mcp/methods.ts";
import { type Revision, vocabularyOf } from "../../src/core/mcp/revision.ts";
import type { Rule } from "../../src/core/policy/policy.ts";
import { createWorld, type FakeWorld, MODERN_META } from "../fakes/gateway.ts";
import { localOver } from "../fakes/local.ts";
import { documentWithNavra } from "../fakes/page-side.ts";
import type { FakeRequest } from "../fakes/server.ts";
import { createFakeServer } from "../fakes/server.ts";
import { readSources, SRC } from "../tools/sources.ts";

/** How an agent speaks through an entry; every one of them goes through the page door. */
type Agent = { send(message: object): void; readonly heard: Frame[] };
type Frame = Record<string, unknown>;

const AGENT_ENTRIES: Readonly<Record<string, (world: FakeWorld) => Promise<Agent>>> = {
  "page/provider.ts": throughProvider,
  "agent/transport.ts": throughTransport,
};

/** An address of a server for each way to reach one; `null` where no server of the person's can be reached by it. */
const UPSTREAM_ENTRIES: Readonly<Record<string, string | null>> = {
  "core/transports/streamable-http.ts": "http://127.0.0.1:9/mcp",
  "core/transports/websocket.ts": "ws://127.0.0.1:9/mcp",
  "core/transports/http-sse.ts": "http://127.0.0.1:9/sse",
  "core/transports/native.ts": "local:files",
  "core/transports/pair.ts": null,
};

/** What opens a channel of the gateway's for somebody. */
const DOORS = ["worker/page-door.ts"];

const DENY_ALL: Rule = {
  id: "deny-all",
  verdict: "deny",
  priority: 0,
  on: ["request", "reply", "event", "list"],
  when: {},
  mode: "enforce",
};

const REVISIONS: readonly Revision[] = ["2025-11-25", "2026-07-28"];
const URLS = Object.entries(UPSTREAM_ENTRIES).flatMap(([entry, url]) => (url === null ? [] : [{ entry, url }]));
const WAYS = Object.keys(AGENT_ENTRIES).flatMap((agent) =>
  URLS.flatMap(({ entry, url }) => REVISIONS.map((revision) => ({ agent, entry, url, revision }))),
);

describe("The ways in and out", () => {
  const sources = readSources();
  const text = (path: string): string => readFileSync(join(SRC, path), "utf8");

  it("are, from a page, the files that speak to the relay, and each is in the table", () => {
    const found = sources
      .filter(({ path, imports }) => /^(page|agent)\//.test(path) && imports.some(fromHandshake))
      .map(({ path }) => path);
    expect(found.sort()).toEqual(Object.keys(AGENT_ENTRIES).sort());
  });

  it("are, to a server, the files that make a channel, and each is in the table", () => {
    const makes = /\bexport function \w+\([\s\S]*?\): (\w*Channel\b|\{[^}\n]*: Channel\b)/;
    const found = sources
      .filter(({ path }) => path.startsWith("core/transports/") && makes.test(text(path)))
      .map(({ path }) => path);
    expect(found.sort()).toEqual(Object.keys(UPSTREAM_ENTRIES).sort());
  });

  it("are opened by these doors and no other", () => {
    const opens = /\bgateway\.open\(|\bchannels\.open\(/;
    const found = sources.filter(({ path }) => path !== "core/gateway.ts" && opens.test(text(path)));
    expect(found.map(({ path }) => path).sort()).toEqual(DOORS);
  });

  it("leave out what no server is reached by", () => {
    const unreached = Object.keys(UPSTREAM_ENTRIES).filter((path) => UPSTREAM_ENTRIES[path] === null);
    const users = sources.filter(({ imports }) => imports.some(({ target }) => unreached.includes(target)));
    expect(users).toEqual([]);
  });
});

describe.each(WAYS)("With everything denied, from $agent to $entry in $revision", ({ agent, url, revision }) => {
  const modern = revision === "2026-07-28";
  const methods = [...vocabularyOf(revision).requests];

  it.each(methods)("the agent's %s is refused and nothing is sent", async (method) => {
    const { world, speaker } = await meet({ agent, url, revision });
    await world.gateway.rules.save(DENY_ALL);
    world.upstream.received.length = 0;
    speaker.send(requestOf(method, modern));
    const answer = await answerTo(speaker, "q");
    expect(refusalOf(answer)).toMatchObject({ name: REFUSED_AS.get(method) ?? "denied" });
    expect(world.upstream.received).toEqual([]);
  });

  it.each(methods.filter((method) => REFUSED_AS.get(method) === "invalid-params"))(
    "the agent's %s is denied where nothing is hidden, and nothing is sent",
    async (method) => {
      const { world, speaker } = await meet({ agent, url, revision });
      await world.gateway.rules.save({ ...DENY_ALL, on: ["request"] });
      world.upstream.received.length = 0;
      speaker.send(requestOf(method, modern));
      expect(refusalOf(await answerTo(speaker, "q"))).toMatchObject({ name: "denied" });
      expect(world.upstream.received).toEqual([]);
    },
  );

  it("a reply that comes back to a call from before is withheld", async () => {
    const { speaker, answer } = await openCall({ agent, url, revision });
    answer([
      { jsonrpc: "2.0", id: "CALL", result: { resultType: "complete", content: [{ type: "text", text: "kept" }] } },
    ]);
    expect(refusalOf(await answerTo(speaker, "q"))).toMatchObject({ name: "withheld" });
    expect(JSON.stringify(speaker.heard)).not.toContain("kept");
  });

  it("no notification of the server's reaches the agent", async () => {
    const { speaker, answer } = await openCall({ agent, url, revision });
    const said = [...vocabularyOf(revision).notifications].map((method) => ({
      jsonrpc: "2.0",
      method,
      params: notice(method),
    }));
    answer([...said, { jsonrpc: "2.0", id: "CALL", result: { content: [] } }]);
    await answerTo(speaker, "q");
    expect(speaker.heard.filter((frame) => "method" in frame)).toEqual([]);
  });

  it("no request of the server's reaches the agent, and each is answered with an error", async () => {
    const { world, speaker, answer } = await openCall({ agent, url, revision });
    const asked = [...SERVER_METHODS].filter((method) => method !== "ping");
    answer([
      ...asked.map((method, at) => ({ jsonrpc: "2.0", id: 900 + at, method, params: {} })),
      { jsonrpc: "2.0", id: "CALL", result: { content: [] } },
    ]);
    await answerTo(speaker, "q");
    await turns(40);
    expect(speaker.heard.filter((frame) => "method" in frame)).toEqual([]);
    const told = world.upstream.received.map(({ frame }) => frame as Frame).filter((frame) => "error" in frame);
    if (!modern) expect(told).toHaveLength(asked.length);
    const recorded = world.tables.records.entries.filter(({ direction }) => direction === "back");
    for (const { outcome } of recorded) expect(outcome).toMatchObject({ kind: "refused" });
  });
});

function fromHandshake({ target, typeOnly }: { readonly target: string; readonly typeOnly: boolean }): boolean {
  return target === "bridge/handshake.ts" && !typeOnly;
}

interface Way {
  readonly agent: string;
  readonly url: string;
  readonly revision: Revision;
}

/** A world, an agent in it, and where the revision has one, an open session. */
async function meet({ agent, url, revision }: Way): Promise<{ world: FakeWorld; speaker: Agent }> {
  const upstream = createFakeServer(revision);
  const local = url.startsWith("local:") ? { local: localOver(upstream) } : { url };
  const world = await createWorld({ revision, upstream, ...local });
  const speak = AGENT_ENTRIES[agent];
  if (!speak) throw new Error(`No way to speak through ${agent}.`);
  const speaker = await speak(world);
  if (revision !== "2026-07-28") {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "test", version: "1" } };
    speaker.send({ jsonrpc: "2.0", id: "init", method: "initialize", params });
    await answerTo(speaker, "init");
    speaker.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }
  return { world, speaker };
}

/** A call that reached the server before the rule was there; `answer` says what the server sends, with its own id. */
async function openCall(
  way: Way,
): Promise<{ world: FakeWorld; speaker: Agent; answer(frames: readonly Frame[]): void }> {
  const { world, speaker } = await meet(way);
  let told: (frames: readonly string[]) => void = () => undefined;
  let reached: (request: FakeRequest) => void = () => undefined;
  const request = new Promise<FakeRequest>((resolve) => {
    reached = resolve;
  });
  world.upstream.answer = (asked) => {
    if (asked.frame.method !== "tools/call") return { status: 202, body: "" };
    reached(asked);
    return new Promise((resolve) => {
      told = (frames) => resolve({ frames });
    });
  };
  speaker.send(requestOf("tools/call", way.revision === "2026-07-28"));
  const { frame } = await request;
  await world.gateway.rules.save(DENY_ALL);
  return {
    world,
    speaker,
    answer: (frames) => told(frames.map((one) => JSON.stringify(one.id === "CALL" ? { ...one, id: frame.id } : one))),
  };
}

async function throughProvider(world: FakeWorld): Promise<Agent> {
  const provider = await findNavra({ window: documentWithNavra(world.gateway) });
  if (!provider) throw new Error("No provider was announced.");
  const channel = provider.open("files");
  const heard: Frame[] = [];
  channel.onframe = (frame) => heard.push(JSON.parse(frame));
  return { heard, send: (message) => channel.send(JSON.stringify(message)) };
}

async function throughTransport(world: FakeWorld): Promise<Agent> {
  const transport = new NavraTransport({ server: "files", window: documentWithNavra(world.gateway) });
  const heard: Frame[] = [];
  transport.onmessage = (message) => heard.push(message as Frame);
  await transport.start();
  return { heard, send: (message) => void transport.send(message) };
}

const PARAMS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  "tools/call": { name: "file_read", arguments: { path: "x" } },
  "resources/read": { uri: "file:///x" },
  "skills/get": { uri: "skill://x" },
  "resources/directory/read": { uri: "file:///x" },
  "resources/subscribe": { uri: "file:///x" },
  "resources/unsubscribe": { uri: "file:///x" },
  "prompts/get": { name: "p", arguments: {} },
  "completion/complete": { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } },
  "logging/setLevel": { level: "info" },
  "subscriptions/listen": { notifications: { toolsListChanged: true } },
  "tasks/get": { taskId: "t" },
  "tasks/update": { taskId: "t", inputResponses: {} },
  "tasks/cancel": { taskId: "t" },
};

/** What looks like something that is not there. A task that no call of the site began is refused before policy is asked. */
const REFUSED_AS: ReadonlyMap<string, string> = new Map([
  // The rule hides every item too, and what is hidden looks like what is not there.
  ["tools/call", "invalid-params"],
  ["prompts/get", "invalid-params"],
  ["resources/read", "invalid-params"],
  ["skills/get", "invalid-params"],
  ["resources/directory/read", "invalid-params"],
  ["resources/subscribe", "invalid-params"],
  ["resources/unsubscribe", "invalid-params"],
  ["completion/complete", "invalid-params"],
  ["tasks/get", "missing-capability"],
  ["tasks/update", "missing-capability"],
  ["tasks/cancel", "missing-capability"],
]);

function requestOf(method: string, modern: boolean): object {
  const params = { ...PARAMS[method], ...(modern ? { _meta: { ...MODERN_META, progressToken: "t" } } : {}) };
  return { jsonrpc: "2.0", id: "q", method, params };
}

function notice(method: string): object {
  if (method === "notifications/progress") return { progressToken: "t", progress: 1 };
  return method === "notifications/message" ? { level: "info", data: "x" } : { uri: "file:///x" };
}

/** What stands in a refusal of either shape. */
function refusalOf(frame: Frame): unknown {
  const { result, error } = frame as { result?: { isError?: boolean; _meta?: Frame }; error?: { data?: unknown } };
  if (error) return error.data;
  return result?.isError === true ? result._meta?.["io.github.navra/refusal"] : { passed: result };
}

async function answerTo(speaker: Agent, id: string): Promise<Frame> {
  for (let count = 0; count < 400; count++) {
    const found = speaker.heard.find((frame) => !("method" in frame) && frame.id === id);
    if (found) return found;
    await turns(1);
  }
  throw new Error(`No answer to ${id}.`);
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
