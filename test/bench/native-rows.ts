/**
 * Local servers: a page's call through navra and the native host, against the official client that speaks to the same
 * program directly over its standard input and output. One row more says what the browser's own way to a native host costs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { distOf } from "../demo/scene.ts";
import { type BareChromium, type BarePage, launchBareChromium } from "../drivers/chromium-bare.ts";
import { buildHost, createMachine, type Machine } from "../hosts/machine.ts";
import { installFolder } from "../servers/install.ts";
import { connect, emptySite, startAgent } from "./browser-rows.ts";
import { type BenchRow, benchRow, type Wanted } from "./rows.ts";

const SERVER = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));
const DEMO = new URL("../demo/", import.meta.url);
const CLIENT = new URL("node_modules/@modelcontextprotocol/client/dist/", DEMO);
const AGAINST = "the official client speaking to the same server over stdio";
const MB = 1024 * 1024;

/** Calls one after the other, or all of a round at once; each row has as many rounds. */
const ROWS = [
  { name: "native/1KB", tool: "echo", size: 900, atOnce: 1, rounds: 400 },
  { name: "native/1MB", tool: "give", size: MB, atOnce: 1, rounds: 30 },
  { name: "native/10MB", tool: "give", size: 10 * MB, atOnce: 1, rounds: 12 },
  { name: "native/concurrent100", tool: "echo", size: 900, atOnce: 100, rounds: 20 },
] as const;

type RowPlan = (typeof ROWS)[number];

export async function nativeRows(wanted: Wanted): Promise<readonly BenchRow[]> {
  installFolder("demo");
  await buildHost();
  const machine = await createMachine();
  await machine.allow({ name: "bench", program: process.execPath, args: [SERVER] });
  const site = await emptySite();
  const { environment = {} } = machine.browser("chromium");
  const browser = await launchBareChromium(distOf("chromium"), { profile: machine.folder, environment });
  const direct = await directClient();
  try {
    const port = await portTimes(browser);
    await connect(browser, site.origin, { name: "bench", url: "local:bench", tools: ["echo", "give"] });
    const page = await browser.open(`${site.origin}/`);
    await page.evaluate(startAgent, "bench");
    const rows: BenchRow[] = [];
    for (const plan of ROWS.filter(({ name }) => wanted(name)))
      rows.push(await measure(plan, { page, direct, machine }));
    return [...rows, benchRow(PORT, { ours: port, against: port })];
  } finally {
    await direct.close();
    await browser.close();
    site.stop();
    await machine.discard();
  }
}

const PORT = {
  name: "native/port",
  unit: "ms",
  against: "itself: an extension page's message to the host and back",
} as const;

interface Ways {
  readonly page: BarePage;
  readonly direct: DirectClient;
  readonly machine: Machine;
}

async function measure(plan: RowPlan, { page, direct, machine }: Ways): Promise<BenchRow> {
  const ours: number[] = [];
  const against: number[] = [];
  const half = Math.ceil(plan.rounds / 4);
  for (let done = 0; done < plan.rounds; done += half) {
    ours.push(...(await page.evaluate(roundsInPage, plan, half)));
    against.push(...(await direct.rounds(plan, half)));
  }
  const memoryMB = hostMemory(machine);
  const row = benchRow({ name: plan.name, unit: "ms", against: AGAINST }, { ours, against });
  return { ...asRate(row, plan), ...(memoryMB === undefined ? {} : { memoryMB }) };
}

async function roundsInPage(plan: RowPlan, rounds: number): Promise<number[]> {
  const args = plan.tool === "echo" ? { text: "x".repeat(plan.size) } : { characters: plan.size };
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const lengths = await Promise.all(
      Array.from({ length: plan.atOnce }, () => window.benchAgent.ask(plan.tool, args)),
    );
    times.push(performance.now() - began);
    if (lengths.some((length) => length < plan.size)) throw new Error("An answer is too short.");
  }
  return times;
}

/** Ten megabytes are told as a rate; the slow end of it stands under p99. */
function asRate(row: BenchRow, { name, size }: RowPlan): BenchRow {
  if (name !== "native/10MB") return row;
  const rate = (ms: number) => Number((size / 1e6 / (ms / 1000)).toPrecision(4));
  const [p50, p99, againstP50] = [rate(row.p50), rate(row.p99), rate(row.againstP50)];
  return { ...row, unit: "MB/s", p50, p99, againstP50, ratio: Number((p50 / againstP50).toPrecision(4)) };
}

/** What the browser itself needs: an extension page asks the host for something it has at hand. */
async function portTimes(browser: BareChromium): Promise<readonly number[]> {
  const page = await browser.open(`${browser.baseUrl}/src/ui/dashboard/index.html`);
  const times = await page.evaluate(async () => {
    interface Port {
      readonly onMessage: { addListener(listener: () => void): void };
      postMessage(message: unknown): void;
      disconnect(): void;
    }
    const { chrome } = globalThis as unknown as { chrome: { runtime: { connectNative(name: string): Port } } };
    const port = chrome.runtime.connectNative("dev.navra.host");
    let heard = () => {};
    port.onMessage.addListener(() => heard());
    const turn = (message: unknown) =>
      new Promise<void>((resolve) => {
        heard = resolve;
        port.postMessage(message);
      });
    await turn({ kind: "hello", protocol: 1, version: "bench" });
    const taken: number[] = [];
    for (let ask = 1; ask <= 500; ask++) {
      const began = performance.now();
      await turn({ kind: "ask", ask, method: "log", params: { server: "bench", pad: "x".repeat(900) } });
      taken.push(performance.now() - began);
    }
    port.disconnect();
    return taken;
  });
  await page.close();
  return times;
}

interface DirectClient {
  rounds(plan: RowPlan, rounds: number): Promise<number[]>;
  close(): Promise<void>;
}

async function directClient(): Promise<DirectClient> {
  const [{ Client }, { StdioClientTransport }] = (await Promise.all([
    import(new URL("index.mjs", CLIENT).href),
    import(new URL("stdio.mjs", CLIENT).href),
  ])) as [{ Client: new (info: object) => OfficialClient }, { StdioClientTransport: new (options: object) => object }];
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER], maxBufferSize: 64 * MB }));
  return {
    async rounds(plan, rounds) {
      const args = plan.tool === "echo" ? { text: "x".repeat(plan.size) } : { characters: plan.size };
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const began = performance.now();
        await Promise.all(
          Array.from({ length: plan.atOnce }, () => client.callTool({ name: plan.tool, arguments: args })),
        );
        times.push(performance.now() - began);
      }
      return times;
    },
    close: () => client.close(),
  };
}

interface OfficialClient {
  connect(transport: object): Promise<void>;
  callTool(call: object): Promise<unknown>;
  close(): Promise<void>;
}

/** Resident memory of the host's own process, where the system tells. */
function hostMemory({ folder }: Machine): number | undefined {
  try {
    const own = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .find((pid) => readText(`/proc/${pid}/cmdline`).includes(`${folder}/navra-host/program/navra-host.mjs`));
    const kilobytes = /VmRSS:\s*(\d+)/.exec(readText(`/proc/${own}/status`))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
