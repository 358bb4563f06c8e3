/** A page cannot go around navra to a server that is registered, whatever it tries; the person can allow it for a server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { until } from "../drivers/wait.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage } from "./journey.ts";

const NOTE = { server: "scripted", name: "note", arguments: { text: "hello" } };

describe.each(journeyBrowsers())("The way around navra in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { scripted: true } });
    page = await connectedPage(scene);
  });
  afterAll(() => scene?.close());

  /** How many requests arrive at the server when the page tries everything it has. */
  async function arriving(): Promise<number> {
    const { scripted } = scene.servers;
    const before = scripted.reached;
    await page.evaluate(tryEverything, scripted.url);
    return scripted.reached - before;
  }

  /** Until what is on its way has arrived, and would not be taken for what comes next. */
  async function stillness(): Promise<void> {
    let last = -1;
    await until(
      async () => {
        const still = scene.servers.scripted.reached === last;
        last = scene.servers.scripted.reached;
        return still;
      },
      { what: "the last request to arrive", timeoutMs: 20_000, everyMs: 1_000 },
    );
  }

  it("is closed to scripts, workers, frames, forms, images and sockets of a page, under any name of this computer", async () => {
    expect(await arriving()).toBe(0);
    expect(await call(page, NOTE)).toMatchObject({ ok: true });
  });

  it("is open where the person says so, and closed again", async () => {
    const { servers } = await scene.control.ask("servers.read", null);
    const id = servers.find(({ server: { name } }) => name === "scripted")?.server.id ?? "";
    await scene.control.ask("server.update", { id, openToPages: true });
    const { scripted } = scene.servers;
    const before = scripted.reached;
    await arriving();
    await until(async () => scripted.reached - before > 5, { what: "requests to arrive", timeoutMs: 10_000 });
    await stillness();
    await scene.control.ask("server.update", { id, openToPages: false });
    expect(await arriving()).toBe(0);
  });

  it("is closed also where the address is longer than the browser has a pattern for", async () => {
    const long = scene.servers.scripted.url.replace("/mcp", `/${"long".repeat(60)}/mcp`);
    const { server } = await scene.control.ask("server.add", {
      draft: { name: "long", url: long, trust: "untrusted" },
    });
    const before = scene.servers.scripted.reached;
    await page.evaluate(async (url) => {
      await fetch(url, { method: "POST", mode: "no-cors", body: "{}" }).catch(() => undefined);
    }, long);
    expect(scene.servers.scripted.reached).toBe(before);
    await scene.control.ask("server.remove", { id: server?.id ?? "" });
  });

  it("stays closed while the worker is dead", async () => {
    await scene.driver.killWorker();
    expect(await arriving()).toBe(0);
  });

  it("is nothing to what lies beside the endpoint, nor to a person who opens its address", async () => {
    const { scripted } = scene.servers;
    const before = scripted.reached;
    await page.evaluate(async (url) => {
      await fetch(new URL("/beside", url), { mode: "no-cors" }).catch(() => undefined);
    }, scripted.url);
    expect(scripted.reached).toBe(before + 1);
    const tab = await scene.driver.open(scripted.url);
    expect(scripted.reached).toBeGreaterThan(before + 1);
    await tab.close();
  });
});

/** Runs in the page. */
async function tryEverything(url: string): Promise<void> {
  const { port } = new URL(url);
  const body = '{"jsonrpc":"2.0","method":"notifications/evil"}';
  const names = ["127.0.0.1", "localhost", "127.0.0.2", "0.0.0.0", "[::ffff:127.0.0.1]"].map(
    (name) => `http://${name}:${port}/mcp`,
  );
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const sent = names.map((to) => fetch(to, { method: "POST", mode: "no-cors", body }).catch(() => undefined));
  sent.push(fetch(url.replace("/mcp", "/%6dcp"), { method: "POST", mode: "no-cors", body }).catch(() => undefined));
  sent.push(
    fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => undefined),
  );
  navigator.sendBeacon(url, body);
  new EventSource(url).onerror = ({ target }) => (target as EventSource).close();
  new WebSocket(url.replace("http", "ws"));
  new Image().src = url;
  const frame = document.createElement("iframe");
  frame.name = "around";
  frame.src = url;
  document.body.append(frame);
  const form = document.createElement("form");
  Object.assign(form, { action: url, method: "post", target: "around" });
  document.body.append(form);
  const script = `fetch(${JSON.stringify(url)}, { method: "POST", mode: "no-cors", body: "{}" }).catch(() => 0);`;
  const worker = new Worker(URL.createObjectURL(new Blob([script])));
  await later(200);
  form.submit();
  await Promise.race([Promise.all(sent), later(1_500)]);
  await later(400);
  worker.terminate();
  frame.remove();
  form.remove();
}
