/**
 * Serves the agent page on loopback and is joined by it through a WebSocket: from here on the runner can have the page act
 * out a scenario, and can speak through it to navra in plain frames.
 */
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { type WebSocket, WebSocketServer } from "ws";
import type { Errand, FromPage, ToPage } from "./page/wire.ts";

export interface PageSide {
  readonly url: string;
  /** When the page has joined. */
  readonly ready: Promise<void>;
  /** Resolves to a sentence about what the agent saw go wrong, or nothing. */
  act(errand: Errand): Promise<string | undefined>;
  open(server: string, listener: FrameListener): FrameChannel;
  stop(): Promise<void>;
}

export interface FrameListener {
  readonly frame: (text: string) => void;
  /** navra let the channel go and the page took it up again. */
  readonly lost: (reason: string) => void;
}

export interface FrameChannel {
  send(frame: string): void;
  close(): void;
}

const PAGE = fileURLToPath(new URL("./page", import.meta.url));
const OUT = fileURLToPath(new URL("../../node_modules/.cache/conformance-page", import.meta.url));

export async function bundlePage(): Promise<void> {
  await build({
    configFile: false,
    root: PAGE,
    base: "./",
    logLevel: "error",
    build: { outDir: OUT, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 2000 },
  });
}

/** The page must have been bundled. */
export async function servePage(): Promise<PageSide> {
  const server = createServer((request, response) => void file(response, request.url ?? "/"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const sockets = new WebSocketServer({ server, path: "/join" });
  const errands = new Map<number, (problem: string | undefined) => void>();
  const listeners = new Map<string, FrameListener>();
  let page: WebSocket | undefined;
  let last = 0;

  const tell = (message: ToPage): void => {
    if (page === undefined) throw new Error("The agent page has not joined.");
    page.send(JSON.stringify(message));
  };

  const ready = new Promise<void>((resolve) => {
    sockets.on("connection", (socket) => {
      page = socket;
      socket.on("message", (data) => hear(JSON.parse(String(data)) as FromPage));
    });
    const hear = (message: FromPage): void => {
      if (message.kind === "ready") resolve();
      else if (message.kind === "done") settle(message.id, message.problem);
      else if (message.kind === "frame") listeners.get(message.channel)?.frame(message.frame);
      else listeners.get(message.channel)?.lost(message.reason);
    };
  });

  const settle = (id: number, problem: string | undefined): void => {
    errands.get(id)?.(problem);
    errands.delete(id);
  };

  return {
    url: `http://127.0.0.1:${port}/`,
    ready,
    act(errand) {
      last += 1;
      const id = last;
      return new Promise((resolve) => {
        errands.set(id, resolve);
        tell({ kind: "errand", id, errand });
      });
    },
    open(name, listener) {
      last += 1;
      const channel = `c${last}`;
      listeners.set(channel, listener);
      tell({ kind: "open", channel, server: name });
      return {
        send: (frame) => tell({ kind: "frame", channel, frame }),
        close() {
          if (listeners.delete(channel)) tell({ kind: "close", channel });
        },
      };
    },
    stop: () =>
      new Promise((resolve) => {
        page?.terminate();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

async function file(response: ServerResponse, path: string): Promise<void> {
  const at = join(OUT, normalize(path === "/" ? "/index.html" : path));
  try {
    const bytes = await readFile(at);
    response.writeHead(200, { "content-type": TYPES[extname(at)] ?? "application/octet-stream" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}
