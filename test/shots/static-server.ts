/** Serves a built extension's files on loopback, with the content security policy of its own manifest. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

export interface StaticServer {
  readonly origin: string;
  close(): void;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

export async function serveFolder(folder: string, policy: string): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://loopback").pathname);
    readFile(join(folder, path)).then(
      (body) => {
        const type = TYPES[extname(path)] ?? "application/octet-stream";
        response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(body);
      },
      () => response.writeHead(path === "/favicon.ico" ? 204 : 404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
