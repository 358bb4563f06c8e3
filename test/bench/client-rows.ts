/**
 * The rows against the official client: navra's core and that client in one bundle, in the worker of an extension made for
 * this, calling the same server in turn. What is compared is the work of a client that does nothing more than carry.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer, { type CDPSession } from "puppeteer-core";
import { build } from "vite";
import { findBrowser } from "../browsers/find.ts";
import { CHROMIUM_FLAGS } from "../drivers/chromium-flags.ts";
import { until } from "../drivers/wait.ts";
import { installFolder } from "../servers/install.ts";
import { startClientBenchServer } from "./client/server.ts";
import { CLIENT_ROWS, type ClientRow, type SideName } from "./client/side.ts";
import { type BenchRow, benchRow, type Wanted } from "./rows.ts";

const RUNS = 5;
const AGAINST = "the official client in the same worker";
const MB = 1024 * 1024;
const LOOK_MS = 20;

export async function clientRows(wanted: Wanted): Promise<readonly BenchRow[]> {
  installFolder("bench/client");
  const folder = mkdtempSync(join(tmpdir(), "navra-bench-"));
  await bundleExtension(folder);
  const server = await startClientBenchServer();
  const browser = await puppeteer.launch({
    executablePath: await findBrowser("chromium"),
    args: [...CHROMIUM_FLAGS],
    enableExtensions: [folder],
    pipe: true,
    protocolTimeout: 600_000,
  });
  try {
    const target = await browser.waitForTarget((one) => one.type() === "service_worker");
    const worker = await target.worker();
    if (!worker) throw new Error("The bench's extension has no worker.");
    const isReady = () => worker.evaluate(() => typeof globalThis.benchRun === "function");
    await until(isReady, { what: "the bench's worker", timeoutMs: 10_000 });
    const run = (side: SideName, row: ClientRow): Promise<number> =>
      worker.evaluate((a: SideName, b: ClientRow, c: string) => globalThis.benchRun(a, b, c), side, row, server.url);
    const rows: BenchRow[] = [];
    for (const name of CLIENT_ROWS.filter(wanted)) rows.push(await measure(name, run, worker.client));
    return rows;
  } finally {
    await browser.close();
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  name: ClientRow,
  run: (side: SideName, row: ClientRow) => Promise<number>,
  session: CDPSession,
): Promise<BenchRow> {
  const samples: Record<SideName, number[]> = { ours: [], theirs: [] };
  for (let round = 0; round <= RUNS; round++) {
    for (const side of round % 2 === 0 ? (["ours", "theirs"] as const) : (["theirs", "ours"] as const)) {
      const ms = await run(side, name);
      // The first round is for warming up.
      if (round > 0) samples[side].push(ms);
    }
  }
  // By itself: collecting garbage by force throws compiled code away too.
  await session.send("HeapProfiler.collectGarbage");
  const peak = watchHeap(session);
  await run("ours", name);
  const most = await peak();
  const row = benchRow({ name, unit: "ms", against: AGAINST }, { ours: samples.ours, against: samples.theirs });
  return { ...row, memoryMB: Number(most.toPrecision(4)) };
}

/** The most that the worker's heap held meanwhile, beyond what it held before, in megabytes. */
function watchHeap(session: CDPSession): () => Promise<number> {
  let going = true;
  const used = async (): Promise<number> => (await session.send("Runtime.getHeapUsage")).usedSize / MB;
  const watching = (async () => {
    const before = await used();
    let most = before;
    while (going) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      most = Math.max(most, await used());
    }
    return most - before;
  })();
  return () => {
    going = false;
    return watching;
  };
}

async function bundleExtension(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    manifest_version: 3,
    name: "navra bench",
    version: "1",
    background: { service_worker: "worker.js", type: "module" },
    host_permissions: ["http://127.0.0.1/*"],
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "chrome128",
      lib: {
        entry: fileURLToPath(new URL("client/in-worker.ts", import.meta.url)),
        formats: ["es"],
        fileName: () => "worker.js",
      },
    },
  });
}
