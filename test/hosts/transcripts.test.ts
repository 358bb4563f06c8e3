/** The same recordings, said again by a child process of the real native host, over the real port. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNativePort, type NativePort } from "../../src/platform/worker/native-port.ts";
import { browserClock } from "../../src/platform/worker/ports.ts";
import { createWorld } from "../fakes/gateway.ts";
import { askAgain, transcriptFiles, transcriptNames, transcriptPath } from "../fakes/transcripts.ts";
import { type HostProcess, startHost } from "./host-process.ts";
import { buildHost, createMachine, type Machine } from "./machine.ts";

const SILENT = transcriptFiles().filter((name) => !transcriptNames().includes(name));

describe.runIf(transcriptNames().length > 0)("Recorded servers behind the native host", () => {
  let machine: Machine;
  let native: NativePort;
  let host: HostProcess | undefined;

  beforeAll(async () => {
    await buildHost();
    machine = await createMachine();
    const child = await bundleChild(machine.folder);
    for (const name of transcriptFiles()) {
      await machine.allow({ name: entryOf(name), program: process.execPath, args: [child, transcriptPath(name)] });
    }
    native = createNativePort({
      connect: () => {
        host = startHost(machine.launcher);
        return host;
      },
      disconnectReason: () => "",
      version: "0.1.0",
      clock: browserClock,
      changed() {},
    });
  }, 120_000);

  afterAll(async () => {
    host?.disconnect();
    await host?.ended;
    await machine?.discard();
  });

  it.each(transcriptNames())("%s says to the agent what it said", async (name) => {
    const world = await createWorld({ local: (_files, events) => native.local(entryOf(name), events) });
    for (const { got, wrote } of await askAgain(world, name)) expect(got).toBe(wrote);
    await world.gateway.removeServer(world.server.id);
  });

  it.each(SILENT)(
    "%s, which died before it answered, is named with its code, and its last words are kept",
    async (name) => {
      const server = entryOf(name);
      const problem = await new Promise((resolve) => {
        native.local(server, { open() {}, text() {}, close: resolve });
      });
      expect(problem).toMatchObject({
        fault: "upstream-broken",
        message: expect.stringMatching(new RegExp(`${server} ended with code \\d`)),
      });
      const { lines } = (await native.ask("log", { server })) as { readonly lines: readonly string[] };
      expect(lines.join("")).not.toBe("");
    },
  );

  it("counted the lines that were no messages, and kept what the programs wrote beside", async () => {
    const log = await native.ask("log", { server: entryOf("mcp-server-code-runner.jsonl") });
    expect(log).toMatchObject({ lines: expect.arrayContaining(["replaying"]), noise: expect.any(Number) });
    expect((log as { noise: number }).noise).toBeGreaterThan(0);
  });
});

function entryOf(name: string): string {
  return name.replace(/\.jsonl$/, "");
}

/** One file that Node runs as it is. */
async function bundleChild(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "node20",
      ssr: fileURLToPath(new URL("replay-child.ts", import.meta.url)),
      rollupOptions: { output: { entryFileNames: "replay-child.mjs" } },
    },
  });
  return join(folder, "replay-child.mjs");
}
