/**
 * A page that lies, forges, floods and pushes gains nothing that its own origin does not have, and harms nobody else. Every
 * message here is one that a page's own script can really send.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { pause, until } from "../drivers/wait.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, startCall } from "./journey.ts";

const NOTE = { server: "scripted", name: "note", arguments: { text: "honest" } };

describe.each(journeyBrowsers())("A hostile page in %s", (browser) => {
  let scene: Scene;
  /** Connected, at one origin. */
  let honest: Tab;
  /** Not connected, at another. */
  let hostile: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { scripted: true } });
    honest = await connectedPage(scene);
    hostile = await scene.agentPage(scene.site.otherUrl);
  });
  afterAll(() => scene?.close());

  it("gets no control answer for control messages sent as frames", async () => {
    const heard = await hostile.evaluate(exchange, "", [
      '{"ask":1,"method":"rules.read","params":null}',
      '{"ask":2,"method":"server.add","params":{"draft":{"name":"evil","url":"http://127.0.0.1:9/","trust":"trusted"}}}',
      '{"jsonrpc":"2.0","id":3,"method":"rules.read"}',
      '{"jsonrpc":"2.0","id":4,"method":"approval.answer","params":{"id":"x","digest":"y","answer":"allow","scope":"tool"}}',
    ]);
    expect(heard.join("\n")).not.toMatch(/"rules"|"serverNames"|"state":"done"/);
    for (const frame of heard.filter((text) => text.startsWith("frame"))) expect(frame).toContain('"error"');
    const { servers } = await scene.control.ask("servers.read", null);
    expect(servers.map((view) => view.server.name)).toEqual(["scripted"]);
  });

  it("cannot name a control door or another door by its channel's name", async () => {
    const heard = await hostile.evaluate(tellRelay, [
      "open:dashboard:",
      "open:../dashboard:",
      "open:x/scripted/../../popup:scripted",
      "open:ok:scripted/../../dashboard",
      "open::",
      "open",
      `open:${"x".repeat(5000)}:scripted`,
      "frame:ok:{}",
      ":::",
    ]);
    expect(heard.filter((text) => text.startsWith("frame"))).toEqual([]);
  });

  it("changes nothing for others with events that are no strings, or not its own", async () => {
    await honest.evaluate(() => {
      for (const detail of [null, 1, {}, [], { toString: () => "open:a:b" }, Symbol.iterator, new Proxy({}, {})]) {
        dispatchEvent(new CustomEvent("navra:to-relay", { detail }));
        dispatchEvent(new CustomEvent("navra:from-relay", { detail }));
      }
      dispatchEvent(
        new CustomEvent("navra:from-relay", { detail: 'frame:nobody:{"jsonrpc":"2.0","id":1,"result":{}}' }),
      );
    });
    expect(await call(honest, NOTE)).toMatchObject({ ok: true });
  });

  it("is not connected by saying in its messages that it is another origin, tab or principal", async () => {
    const claims = { origin: scene.site.url, tabId: 1, principal: { origin: new URL(scene.site.url).origin } };
    const before = scene.servers.scripted.received.length;
    const frames = [
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "note", ...claims, _meta: claims },
        ...claims,
      }),
      JSON.stringify({
        jsonrpc: "2.0",
        id: 2,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "navra", version: "1", ...claims },
        },
      }),
    ];
    const heard = await hostile.evaluate(exchange, "scripted", frames, frames.length);
    expect(heard.join()).toContain("not-connected");
    for (const frame of heard) expect(frame).not.toContain('"result"');
    expect(scene.servers.scripted.received).toHaveLength(before);
  });

  it("can neither hear nor cancel another page's call by its ids", async () => {
    scene.servers.scripted.behave("never");
    const { ending } = startCall(honest, NOTE);
    await until(async () => scene.servers.scripted.waiting === 1, { what: "the call to arrive", timeoutMs: 5000 });
    const cancels = Array.from({ length: 20 }, (_, id) =>
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }),
    );
    const heard = await hostile.evaluate(exchange, "scripted", cancels);
    expect(heard.filter((text) => text.includes('"result"'))).toEqual([]);
    await pause(300);
    expect(scene.servers.scripted.waiting).toBe(1);
    scene.servers.scripted.behave("well");
    await honest.evaluate(() => window.agent.cancel(""));
    await ending;
  });

  it("floods without stopping others and without filling the record", async () => {
    const recordsBefore = (await scene.control.ask("records.page", { limit: 1 })).entries[0]?.seq ?? 0;
    const received = scene.servers.scripted.received.length;
    const flood = hostile.evaluate(
      exchange,
      "scripted",
      Array.from(
        { length: 5000 },
        (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"note"}}`,
      ),
    );
    const honestEndings = await Promise.all(
      Array.from({ length: 5 }, (_, n) => call(honest, { ...NOTE, key: `flood ${n}` })),
    );
    expect(honestEndings.every((ending) => ending.ok)).toBe(true);
    await flood;
    await pause(500);
    const { entries } = await scene.control.ask("records.page", { limit: 100 });
    expect((entries[0]?.seq ?? 0) - recordsBefore).toBeLessThan(50);
    expect(scene.servers.scripted.received.length - received).toBeLessThanOrEqual(5 + 5);
    expect(await scene.control.ask("records.verify", null)).toMatchObject({ state: "whole" });
  });

  it("has an oversized frame refused, and what was open goes on", async () => {
    const heard = await honest.evaluate(
      (units: number) =>
        new Promise<string[]>((resolve) => {
          const told: string[] = [];
          addEventListener("navra:from-relay", (event) => {
            const text = String((event as CustomEvent).detail);
            if (text.includes(":big:")) told.push(text.slice(0, 200));
          });
          const tell = (detail: string) => dispatchEvent(new CustomEvent("navra:to-relay", { detail }));
          tell("open:big:scripted");
          tell(`send:big:${"x".repeat(units)}`);
          const began = performance.now();
          const look = () => {
            if (told.length === 0 && performance.now() - began < 15_000) setTimeout(look, 50);
            // Nothing more may come.
            else setTimeout(() => resolve(told), 300);
          };
          look();
        }),
      33 * 1024 * 1024,
    );
    expect(heard).toEqual([expect.stringMatching(/^lost:big:/)]);
    expect(await call(honest, NOTE)).toMatchObject({ ok: true });
  });

  it("has a frame that nests without end refused by name", async () => {
    const nested = `{"jsonrpc":"2.0","id":1,"x":${"[".repeat(100_000)}`;
    const heard = await honest.evaluate(exchange, "scripted", [nested], 1);
    expect(heard).toEqual([expect.stringContaining('"too-large"')]);
  });

  it("gets nothing as a sandboxed frame", async () => {
    const told = await framed(scene, { top: scene.site.url, src: `${scene.site.url}probe`, sandbox: "allow-scripts" });
    expect(told.filter((text) => text.startsWith("frame"))).toEqual([]);
  });

  it("does not get a connected site's servers by framing it", async () => {
    const own = await framed(scene, { top: scene.site.url, src: `${scene.site.url}probe` });
    expect(own.join()).toContain("scripted");
    const inside = await framed(scene, { top: scene.site.otherUrl, src: `${scene.site.url}probe` });
    expect(inside.join()).not.toContain("scripted");
  });

  it("leaves the honest page working after all of it", async () => {
    expect(await call(honest, NOTE)).toMatchObject({ ok: true });
  });
});

interface Framed {
  readonly top: string;
  readonly src: string;
  readonly sandbox?: string;
}

/** What the framed probe told its parent. */
async function framed(scene: Scene, { top, src, sandbox }: Framed): Promise<readonly string[]> {
  const query = new URLSearchParams({ src, ...(sandbox !== undefined && { sandbox }) });
  const page = await scene.driver.open(`${top}frame?${query}`);
  const read = () => page.evaluate(() => (window as unknown as { told: string[] }).told);
  await until(async () => (await read()).length > 0, { what: "the frame to tell something", timeoutMs: 10_000 });
  // Nothing more may come.
  await pause(300);
  const told = await read();
  await page.close();
  return told;
}

/**
 * Runs in the page: opens a channel as the runtime would, sends the frames, and gives all that comes back for a while, and
 * until as many came as were to come.
 */
function exchange(server: string, frames: readonly string[], due = 0): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const channel = `h${Math.random().toString(36).slice(2)}`;
    const heard: string[] = [];
    addEventListener("navra:from-relay", (event) => {
      const [op = "", name, ...rest] = String((event as CustomEvent).detail).split(":");
      if (name === channel) heard.push(`${op} ${rest.join(":")}`);
    });
    const tell = (detail: string) => dispatchEvent(new CustomEvent("navra:to-relay", { detail }));
    tell(`open:${channel}:${server}`);
    for (const frame of frames) tell(`send:${channel}:${frame}`);
    const began = performance.now();
    const look = () => {
      const patience = heard.length < due ? 15_000 : 1_500;
      if (performance.now() - began < patience) {
        setTimeout(look, 50);
        return;
      }
      tell(`close:${channel}:`);
      resolve(heard);
    };
    look();
  });
}

/** Runs in the page: says these things to the relay, and gives all that the relay says for a while. */
function tellRelay(details: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const heard: string[] = [];
    addEventListener("navra:from-relay", (event) => heard.push(String((event as CustomEvent).detail)));
    for (const detail of details) dispatchEvent(new CustomEvent("navra:to-relay", { detail }));
    setTimeout(() => resolve(heard), 1000);
  });
}
