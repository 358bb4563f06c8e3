/**
 * Bundles the agent page, and the one that only listens, and serves them on loopback, under two names that are two origins. Two more paths let tests stand
 * in awkward places: a page that frames another address, and a page that tells its parent what navra told it.
 */
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { installFolder } from "../servers/install.ts";

export interface AgentSite {
  readonly url: string;
  /** The same page on another origin. */
  readonly otherUrl: string;
  stop(): Promise<void>;
}

const PAGE = fileURLToPath(new URL("./page", import.meta.url));
const OUT = fileURLToPath(new URL("../../node_modules/.cache/demo-page", import.meta.url));

export async function bundleAgentPage(): Promise<void> {
  installFolder("demo");
  await build({
    configFile: false,
    root: PAGE,
    base: "./",
    logLevel: "error",
    build: {
      outDir: OUT,
      emptyOutDir: true,
      target: "es2022",
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: ["index.html", "listener.html"].map((page) => join(PAGE, page)) },
    },
  });
}

/** The page must have been bundled. */
export async function serveAgentPage(): Promise<AgentSite> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/frame") html(response, framePage(searchParams));
    else if (pathname === "/probe") html(response, PROBE);
    else void file(response, pathname);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    otherUrl: `http://localhost:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

async function file(response: ServerResponse, pathname: string): Promise<void> {
  const path = join(OUT, normalize(pathname === "/" ? "/index.html" : pathname));
  try {
    const bytes = await readFile(path);
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

/** Frames `src`, sandboxed as `sandbox` says where it is there, and keeps what the frame posts in `told`. */
function framePage(query: URLSearchParams): string {
  const inAttribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const sandbox = query.get("sandbox");
  return `<!doctype html><title>Frame</title>
    <script>window.told = []; addEventListener("message", (event) => told.push(event.data));</script>
    <iframe ${sandbox === null ? "" : `sandbox="${inAttribute(sandbox)}"`} src="${inAttribute(query.get("src") ?? "about:blank")}"></iframe>`;
}

/** Asks navra for this document's servers and tells the frame's parent what came, if anything came. */
const PROBE = `<!doctype html><title>Probe</title><script>
  const tell = (text) => parent.postMessage(text, "*");
  let found = false;
  addEventListener("navra:announce-provider", ({ detail }) => {
    if (found) return;
    found = true;
    const channel = detail.provider.open("");
    channel.onframe = (frame) => tell("frame " + frame);
    channel.onlost = (reason) => tell("lost " + reason);
    channel.send('{"jsonrpc":"2.0","id":1,"method":"io.github.navra/servers","params":{}}');
  });
  dispatchEvent(new Event("navra:request-provider"));
  if (!found) tell("absent");
</script>`;

function html(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
}
