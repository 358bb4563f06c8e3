/**
 * Starts the real servers that tests and the demo call: each on a free loopback port, ready when this resolves, ended by
 * `stop` or with this process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { until } from "../drivers/wait.ts";
import { installFolder } from "./install.ts";
import { type ScriptedServer, startScripted } from "./scripted.ts";

export interface ServerChoice {
  /** The official everything server, 2025-11-25. */
  readonly everything?: true;
  /** Our file-sharing server, 2026-07-28. */
  readonly share?: true;
  /** A server in this process whose behaviour the test writes. */
  readonly scripted?: true;
}

export interface RunningServers {
  readonly everything: string;
  readonly share: string;
  readonly scripted: ScriptedServer;
  stop(): Promise<void>;
}

/** Asking for a server that was not chosen throws. */
export async function startServers(choice: ServerChoice): Promise<RunningServers> {
  if (choice.everything || choice.share) installFolder("servers");
  const [everything, share, scripted] = await Promise.all([
    choice.everything ? startChild(["--import", "./loopback-only.mjs", EVERYTHING, "streamableHttp"]) : undefined,
    choice.share ? startChild(["--import", "tsx", "./share.ts"]) : undefined,
    choice.scripted ? startScripted() : undefined,
  ]);
  return {
    get everything() {
      return chosen(everything, "everything").url;
    },
    get share() {
      return chosen(share, "share").url;
    },
    get scripted() {
      return chosen(scripted, "scripted");
    },
    async stop() {
      await Promise.all([everything?.stop(), share?.stop(), scripted?.stop()]);
    },
  };
}

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const EVERYTHING = "./node_modules/@modelcontextprotocol/server-everything/dist/index.js";

interface ChildServer {
  readonly url: string;
  stop(): Promise<void>;
}

async function startChild(args: readonly string[]): Promise<ChildServer> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    cwd: FOLDER,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, PORT: String(port) },
  });
  const complaints: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => complaints.push(text));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const url = `http://127.0.0.1:${port}/mcp`;
  await until(() => answers(url, child, complaints), { what: `the server at ${url}`, timeoutMs: 20_000, everyMs: 50 });
  return {
    url,
    async stop() {
      process.off("exit", kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      kill();
      await gone;
    },
  };
}

async function answers(url: string, child: ChildProcess, complaints: readonly string[]): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`A test server ended at once:\n${complaints.join("")}`);
  return fetch(url).then(
    () => true,
    () => false,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

function chosen<T>(server: T | undefined, name: string): T {
  if (server === undefined) throw new Error(`The ${name} server was not started. Name it in startServers.`);
  return server;
}
