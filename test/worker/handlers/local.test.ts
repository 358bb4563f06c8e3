/** What the dashboard asks about local servers, answered by the real handlers over the real port and a host in its place. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ControlMethod, ControlParams, ControlResult } from "../../../src/bridge/control-api.ts";
import type { HostServer, Proposal } from "../../../src/bridge/native.ts";
import { fourWords, proposalText } from "../../../src/bridge/native-words.ts";
import { createNativePort } from "../../../src/platform/worker/native-port.ts";
import { createHandlers } from "../../../src/worker/handlers/all.ts";
import { createWorld } from "../../fakes/gateway.ts";
import { type Answers, createFakeNativeHost } from "../../fakes/native-host.ts";

const PROPOSAL: Proposal = { name: "notes", program: "npx", args: ["notes@1.0.0"], cwd: "", env: ["TOKEN"] };
const FILES: HostServer = {
  name: "files",
  program: "/usr/bin/node",
  args: ["/srv/files.js"],
  cwd: "/home/ada",
  env: [],
  running: true,
  crashes: 1,
  stopped: false,
};
const WORDS = fourWords(createHash("sha256").update(proposalText(PROPOSAL)).digest("hex"));

async function setUp(answers: Answers | undefined) {
  const world = await createWorld();
  const host = createFakeNativeHost(answers);
  const changes: string[] = [];
  const native = createNativePort({ ...host.browser, changed: () => undefined });
  const handlers = createHandlers({
    gateway: world.gateway,
    reader: undefined as never,
    native,
    openApproval: async () => undefined,
    openPage: async () => undefined,
    updateFence: async () => undefined,
    changed: (topic) => changes.push(topic),
  });
  const ask = async <M extends ControlMethod>(method: M, params: ControlParams<M>): Promise<ControlResult<M>> => {
    const handler = handlers[method] as (params: unknown, peer: unknown) => unknown;
    return (await handler(params, { door: "dashboard" })) as ControlResult<M>;
  };
  return { world, host, native, changes, ask };
}

const listing = (servers: readonly unknown[], waiting: readonly unknown[] = []): Answers => ({
  list: () => ({ servers, waiting }),
});

describe("the view of local servers", () => {
  it("says that the helper is missing instead of failing", async () => {
    const { ask } = await setUp(undefined);
    expect(await ask("local.read", null)).toEqual({ host: { state: "missing" }, servers: [], waiting: [] });
    expect(await ask("local.check", null)).toEqual({ state: "missing" });
  });

  it("shows the helper's list with the registered server that stands for an entry", async () => {
    const { ask, world } = await setUp(listing([FILES]));
    expect((await ask("local.read", null)).servers).toEqual([FILES]);
    const { id } = await world.gateway.registry.add({ name: "mine", url: "local:files", trust: "untrusted" });
    const view = await ask("local.read", null);
    expect(view.host).toEqual({ state: "ready", version: "0.1.0", node: "v20.1.0", platform: "linux", same: true });
    expect(view.servers).toEqual([{ ...FILES, serverId: id }]);
  });

  it("shows how a server's last run ended", async () => {
    const { ask, native, host } = await setUp(listing([FILES]));
    native.local("files", { open() {}, text() {}, close() {} });
    await ask("local.read", null);
    const tag = { server: "files", run: 1 };
    host.say({
      kind: "closed",
      ...tag,
      reason: "exited",
      message: "The server ended with code 7.",
      code: 7,
      stderr: [],
    });
    const [server] = (await ask("local.read", null)).servers;
    expect(server?.last).toMatchObject({ message: "The server ended with code 7." });
  });

  it("takes the words of what waits from what would run, whatever words the helper sends along", async () => {
    const { ask } = await setUp(listing([], [{ proposal: PROPOSAL, words: "what the helper says", at: 5 }]));
    expect((await ask("local.read", null)).waiting).toEqual([{ proposal: PROPOSAL, words: WORDS, at: 5 }]);
  });

  it.each([
    ["no list", { servers: "none" }],
    ["an entry without a program", { servers: [{ ...FILES, program: "" }], waiting: [] }],
    ["a proposal without words", { servers: [], waiting: [{ proposal: PROPOSAL, at: 5 }] }],
  ])("shows nothing of an answer that is odd: %s", async (_what, answer) => {
    const { ask } = await setUp({ list: () => answer });
    expect(await ask("local.read", null)).toMatchObject({ host: { state: "ready" }, servers: [], waiting: [] });
  });
});

it("shows the command that looks at what waits as the helper says it, because only it knows where it lies", async () => {
  const { ask } = await setUp({ list: () => ({ servers: [], waiting: [], review: "/opt/navra-host review" }) });
  expect((await ask("local.read", null)).review).toBe("/opt/navra-host review");
});

describe("proposing a local server", () => {
  it("stores it with the helper and shows words of our own", async () => {
    const { ask, host, changes } = await setUp({ propose: () => ({ words: "what the helper says" }) });
    expect(await ask("local.propose", { proposal: PROPOSAL })).toEqual({ words: WORDS });
    expect(host.asked).toEqual([{ method: "propose", params: { proposal: PROPOSAL } }]);
    expect(changes).toEqual(["local"]);
  });

  it.each([
    ["no program", { program: "" }],
    ["a name that is a path", { name: "../x" }],
    ["arguments that are one line", { args: "a b" as never }],
  ])("refuses one with %s before the helper hears of it", async (_what, change) => {
    const { ask, host } = await setUp({ propose: () => null });
    expect(await ask("local.propose", { proposal: { ...PROPOSAL, ...change } })).toMatchObject({
      problem: expect.stringContaining("are needed"),
    });
    expect(host.asked).toEqual([]);
  });

  it("passes on the helper's own sentence where it refuses, and nothing has changed", async () => {
    const { ask, changes } = await setUp({
      propose() {
        throw new Error("LD_PRELOAD loads code into every program, so it cannot be given.");
      },
    });
    expect(await ask("local.propose", { proposal: PROPOSAL })).toEqual({
      problem: "LD_PRELOAD loads code into every program, so it cannot be given.",
    });
    expect(changes).toEqual([]);
  });

  it("is taken back by its name", async () => {
    const { ask, host, changes } = await setUp({ withdraw: () => null });
    expect(await ask("local.withdraw", { name: "notes" })).toBeNull();
    expect(host.asked).toEqual([{ method: "withdraw", params: { name: "notes" } }]);
    expect(changes).toEqual(["local"]);
  });
});

describe("looking after a local server", () => {
  it("shows its log and the helper's checks, and refuses answers of another shape", async () => {
    const checks = [{ what: "Node", ok: true, found: "20.1.0" }];
    const { ask } = await setUp({ log: () => ({ lines: ["hello"], noise: 2 }), health: () => ({ checks }) });
    expect(await ask("local-log.read", { name: "files" })).toEqual({ lines: ["hello"], noise: 2 });
    expect(await ask("local-checks.read", null)).toEqual({ checks });
    const odd = await setUp({ log: () => ({ lines: "hello" }), health: () => ({ checks: [{ what: "Node" }] }) });
    await expect(odd.ask("local-log.read", { name: "files" })).rejects.toThrow("does not understand");
    await expect(odd.ask("local-checks.read", null)).rejects.toThrow("does not understand");
  });

  it("restarts it: its runs end at once and the helper forgets its crashes", async () => {
    const { ask, native, host, changes } = await setUp({ list: () => null, restart: () => null });
    const faults: string[] = [];
    native.local("files", { open() {}, text() {}, close: ({ fault }) => faults.push(fault) });
    native.local("other", { open() {}, text() {}, close: ({ fault }) => faults.push(fault) });
    await ask("local.restart", { name: "files" });
    expect(faults).toEqual(["upstream-unreachable"]);
    expect(host.heard.filter(({ kind }) => kind === "close")).toEqual([{ kind: "close", server: "files", run: 1 }]);
    expect(host.asked.at(-1)).toEqual({ method: "restart", params: { server: "files" } });
    expect(changes).toEqual(["local"]);
  });
});
