/**
 * The rows that need the extension: a page's call through navra against the same page's call to the same server directly,
 * and the time from a page's frame to the first byte at the server when the worker was stopped, against an awake one.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { distOf } from "../demo/scene.ts";
import { type BareChromium, type BarePage, launchBareChromium } from "../drivers/chromium-bare.ts";
import { askInPage } from "../drivers/control.ts";
import { until } from "../drivers/wait.ts";
import { CONSENT_ROWS, consentRows } from "./consent-rows.ts";
import { type EchoServer, startEcho } from "./echo-server.ts";
import { type BenchRow, benchRow, type Wanted } from "./rows.ts";

const ROUND_TRIPS = 40;
const CALLS = 200;
const WAKES = 25;

export async function browserRows(wanted: Wanted): Promise<readonly BenchRow[]> {
  const echo = await startEcho();
  const site = await emptySite();
  const browser = await launchBareChromium(distOf("chromium"));
  try {
    const { origin } = site;
    await connect(browser, origin, { name: "echo", url: echo.url, tools: ["echo"] });
    const page = await browser.open(`${origin}/`);
    await page.evaluate(startAgent, "echo");
    const rows: BenchRow[] = [];
    if (wanted("roundtrip/1KB")) rows.push(await roundTrip(page, echo));
    if (wanted("wake")) rows.push(await wake(browser, page, echo));
    if (CONSENT_ROWS.some(wanted)) rows.push(...(await consentRows({ browser, page, echo })));
    return rows;
  } finally {
    await browser.close();
    site.stop();
    echo.stop();
  }
}

/** A page with nothing on it, at an origin of its own. */
export async function emptySite(): Promise<{ readonly origin: string; stop(): void }> {
  const site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>bench</title>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, stop: () => site.close() };
}

/** Registers the server and connects the site, through navra's own doors as its pages do. */
export async function connect(
  browser: BareChromium,
  origin: string,
  { name, url, tools }: { readonly name: string; readonly url: string; readonly tools: readonly string[] },
): Promise<void> {
  const dashboard = await browser.open(`${browser.baseUrl}/src/ui/dashboard/index.html`);
  const draft = { name, url, trust: "trusted" };
  const added = await dashboard.evaluate(askInPage, "dashboard", { method: "server.add", params: { draft } });
  const { server } = (added as unknown as { result: { server: { id: string } } }).result;
  // The page that is measured against goes past navra.
  const open = { id: server.id, openToPages: true };
  await dashboard.evaluate(askInPage, "dashboard", { method: "server.update", params: open });
  const popup = await browser.open(`${browser.baseUrl}/src/ui/popup/index.html`);
  const principal = { origin, topSite: origin, cookieStore: "default", private: false };
  const params = { principal, serverId: server.id, tools };
  await popup.evaluate(askInPage, "popup", { method: "site.connect", params });
  // Open pages of navra's would ask the worker for news while it is measured.
  for (const page of [dashboard, popup]) await page.close();
}

interface Agent {
  call(text: string): Promise<void>;
  /** Any tool; resolves to the length of the answering frame. */
  ask(name: string, args: object): Promise<number>;
}

declare global {
  interface Window {
    benchAgent: Agent;
  }
}

/** A bare agent over the provider, without a client library: what is measured is the way, not the client. */
export async function startAgent(server: string): Promise<void> {
  const provider = await new Promise<{
    open(server: string): {
      send(f: string): void;
      onframe: ((f: string) => void) | null;
      onlost: (() => void) | null;
      resume(): void;
    };
  }>((resolve) => {
    addEventListener("navra:announce-provider", (event) => resolve((event as CustomEvent).detail.provider), {
      once: true,
    });
    dispatchEvent(new Event("navra:request-provider"));
  });
  const channel = provider.open(server);
  const waiting = new Map<number, (length: number) => void>();
  let id = 0;
  let lost = false;
  channel.onlost = () => {
    lost = true;
  };
  channel.onframe = (frame) => waiting.get(JSON.parse(frame).id)?.(frame.length);
  const request = (method: string, params: unknown): Promise<number> =>
    new Promise((resolve) => {
      const own = ++id;
      waiting.set(own, resolve);
      if (lost) channel.resume();
      lost = false;
      channel.send(JSON.stringify({ jsonrpc: "2.0", id: own, method, params }));
    });
  const clientInfo = { name: "bench", version: "1" };
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  window.benchAgent = {
    call: async (text) => void (await request("tools/call", { name: "echo", arguments: { text } })),
    ask: (name, args) => request("tools/call", { name, arguments: args }),
  };
}

async function roundTrip(page: BarePage, echo: EchoServer): Promise<BenchRow> {
  const samples = await page.evaluate(
    async (rounds: number, calls: number, url: string) => {
      const text = "x".repeat(900);
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "echo", arguments: { text } },
      });
      const direct = async () => {
        const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
        JSON.parse(await (await fetch(url, { method: "POST", headers, body })).text());
      };
      const mean = async (run: () => Promise<void>) => {
        const began = performance.now();
        for (let call = 0; call < calls; call++) await run();
        return (performance.now() - began) / calls;
      };
      const ours: number[] = [];
      const against: number[] = [];
      for (let round = 0; round < rounds; round++) {
        ours.push(await mean(() => window.benchAgent.call(text)));
        against.push(await mean(direct));
      }
      return { ours, against };
    },
    ROUND_TRIPS,
    CALLS,
    echo.url,
  );
  return benchRow(
    { name: "roundtrip/1KB", unit: "ms", against: "the same page calling the same server directly" },
    samples,
  );
}

async function wake(browser: BareChromium, page: BarePage, echo: EchoServer): Promise<BenchRow> {
  const toFirstByte = async (): Promise<number> => {
    const began = await page.evaluate(async () => {
      const at = performance.timeOrigin + performance.now();
      await window.benchAgent.call("wake");
      return at;
    });
    return echo.lastCallAt() - began;
  };
  const ours: number[] = [];
  const against: number[] = [];
  for (let round = 0; round < WAKES; round++) {
    await browser.killWorker();
    await until(async () => !(await browser.workerRuns()), { what: "the worker to end", timeoutMs: 5_000 });
    ours.push(await toFirstByte());
    against.push(await toFirstByte());
  }
  return benchRow({ name: "wake", unit: "ms", against: "the same call with the worker awake" }, { ours, against });
}
