/**
 * Local servers: a page's call through navra and the native host, against the official client that speaks to the same
 * program directly over its standard input and output. Beside them stands what the browser's own way to a native host costs,
 * measured with one that does nothing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { distOf } from "../demo/scene.ts";
import { type BarePage, launchBareChromium } from "../drivers/chromium-bare.ts";
import { buildHost, createMachine, type Machine } from "../hosts/machine.ts";
import { installFolder } from "../servers/install.ts";
import { connect, emptySite, startAgent } from "./browser-rows.ts";
import { addBareHost, type PortSamples, portSamples, TEN_MB } from "./port-samples.ts";
import { type BenchRow, benchRow, percentile, type Wanted } from "./rows.ts";

const SERVER = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));
const DEMO = new URL("../demo/", import.meta.url);
const CLIENT = new URL("node_modules/@modelcontextprotocol/client/dist/", DEMO);
const AGAINST = "the official client speaking to the same server over stdio";
const MB = 1024 * 1024;

/** Calls one after the other, or all of a round at once; each row has as many rounds. */
const ROWS = [
  { name: "native/1KB", tool: "echo", size: 900, atOnce: 1, rounds: 400 },
  { name: "native/1MB", tool: "give", size: MB, atOnce: 1, rounds: 30 },
  { name: "native/10MB", tool: "give", size: TEN_MB, atOnce: 1, rounds: 12 },
  { name: "native/concurrent100", tool: "echo", size: 900, atOnce: 100, rounds: 20 },
] as const;

type RowPlan = (typeof ROWS)[number];

export async function nativeRows(wanted: Wanted): Promise<readonly BenchRow[]> {
  installFolder("demo");
  await buildHost();
  const machine = await createMachine();
  await machine.allow({ name: "bench", program: process.execPath, args: [SERVER] });
  addBareHost(machine);
  const site = await emptySite();
  const { environment = {} } = machine.browser("chromium");
  const browser = await launchBareChromium(distOf("chromium"), { profile: machine.folder, environment });
  const direct = await directClient();
  try {
    const port = await portSamples(browser);
    await connect(browser, site.origin, { name: "bench", url: "local:bench", tools: ["echo", "give"] });
    const page = await browser.open(`${site.origin}/`);
    await page.evaluate(startAgent, "bench");
    const rows: BenchRow[] = [];
    for (const plan of ROWS.filter(({ name }) => wanted(name)))
      rows.push(...(await measure(plan, { page, direct, machine, port })));
    return rows;
  } finally {
    await direct.close();
    await browser.close();
    site.stop();
    await machine.discard();
  }
}

interface Ways {
  readonly page: BarePage;
  readonly direct: DirectClient;
  readonly machine: Machine;
  readonly port: PortSamples;
}

async function measure(plan: RowPlan, { page, direct, machine, port }: Ways): Promise<readonly BenchRow[]> {
  const ours: number[] = [];
  const against: number[] = [];
  const quarter = Math.ceil(plan.rounds / 4);
  for (let done = 0; done < plan.rounds; done += quarter) {
    ours.push(...(await page.evaluate(roundsInPage, plan, quarter)));
    against.push(...(await direct.rounds(plan, quarter)));
  }
  const memoryMB = hostMemory(machine);
  const row = benchRow({ name: plan.name, unit: "ms", against: AGAINST }, { ours, against });
  const whole = { ...asRate(row, plan), ...(memoryMB === undefined ? {} : { memoryMB }) };
  return [whole, ...beside(plan, { ours, against, port })];
}

interface Samples {
  readonly ours: readonly number[];
  readonly against: readonly number[];
  readonly port: PortSamples;
}

/** The same figures held against what the browser's own native messaging takes. */
function beside(plan: RowPlan, { ours, against, port }: Samples): readonly BenchRow[] {
  if (plan.name === "native/1KB") {
    const about = { name: "native/1KB-added", unit: "ms", against: `${PORT}, which is taken off` } as const;
    const others = percentile(against, 0.5) + percentile(port.roundTrips, 0.5);
    return [benchRow(about, { ours: ours.map((ms) => ms - others), against: port.roundTrips })];
  }
  if (plan.name !== "native/10MB") return [];
  const about = { name: "native/10MB-port", unit: "ms", against: PORT } as const;
  return [asRate(benchRow(about, { ours, against: port.megabytes }), plan)];
}

const PORT = "the browser's own native messaging with a host that does nothing";

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
