/** The rows that are measured in a worker of Chromium, without the extension: codec and pipeline. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import puppeteer from "puppeteer-core";
import { build } from "vite";
import { findBrowser } from "../browsers/find.ts";
import { CHROMIUM_FLAGS } from "../drivers/chromium-flags.ts";
import type { Samples } from "./in-worker.ts";
import { type BenchRow, benchRow, type Wanted } from "./rows.ts";

const AGAINST: Readonly<Record<string, string>> = {
  decode: "JSON.parse of the same text",
  pipeline: "parsing and writing both texts once",
};

const WORKER_ROWS = ["decode/10KB", "decode/10KBdense", "pipeline/1KB", "pipeline/10KB", "pipeline/10KBdense"] as const;

export async function workerRows(wanted: Wanted): Promise<readonly BenchRow[]> {
  const script = await bundle();
  const server = createServer((request, response) => {
    const isScript = request.url === "/bench.js";
    response.writeHead(200, {
      "content-type": isScript ? "text/javascript" : "text/html",
      // An isolated page gets the finer clock.
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    });
    response.end(isScript ? script : "<!doctype html><title>bench</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const browser = await puppeteer.launch({
    executablePath: await findBrowser("chromium"),
    args: [...CHROMIUM_FLAGS],
    protocolTimeout: 600_000,
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const name = JSON.stringify(WORKER_ROWS.filter(wanted));
    const results = (await page.evaluate(`new Promise((resolve) => {
      const options = { type: "module", name: ${JSON.stringify(name)} };
      new Worker("/bench.js", options).onmessage = ({ data }) => resolve(data);
    })`)) as readonly Samples[] | { readonly problem: string };
    if ("problem" in results) throw new Error(results.problem);
    return results.map(({ name, ours, against }) =>
      benchRow({ name, unit: "µs", against: AGAINST[name.split("/")[0] ?? ""] ?? "" }, { ours, against }),
    );
  } finally {
    await browser.close();
    server.close();
  }
}

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      target: "chrome128",
      lib: { entry: new URL("in-worker.ts", import.meta.url).pathname, formats: ["es"], fileName: "bench" },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !("output" in output)) throw new Error("The bench was not bundled.");
  return output.output[0].code;
}
