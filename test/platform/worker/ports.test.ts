import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { FetchRequest, SocketEvents, Tables } from "../../../src/core/ports.ts";
import type { Sites } from "../../../src/core/sessions.ts";
import {
  browserClock,
  browserPorts,
  digest,
  fetchWithin,
  openSocket,
  randomId,
} from "../../../src/platform/worker/ports.ts";

const servers: Server[] = [];
const seen: { url: string | undefined; cookie: string | undefined; body: string }[] = [];
let here = "";
let elsewhere = "";

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  // Node 20 has none of its own; this one also emits a Node event, which throws where nobody listens.
  vi.stubGlobal(
    "WebSocket",
    class extends WebSocket {
      override emit(event: string | symbol, ...data: unknown[]): boolean {
        return (event === "error" && this.listenerCount(event) === 0) || super.emit(event, ...data);
      }
    },
  );
  const stranger = createServer((_request, response) => response.end("stranger"));
  elsewhere = await listen(stranger);
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ url: request.url, cookie: request.headers.cookie, body });
    if (request.url === "/moved") response.writeHead(307, { location: "/mcp" }).end();
    else if (request.url === "/away") response.writeHead(307, { location: `http://${elsewhere}/` }).end();
    else response.writeHead(200, { "set-cookie": "a=b" }).end("here");
  });
  here = await listen(server);
  const sockets = new WebSocketServer({ server, handleProtocols: (wanted) => (wanted.has("mcp") ? "mcp" : false) });
  sockets.on("connection", (socket) => {
    socket.on("message", (data) => {
      const text = String(data);
      if (text === "binary") socket.send(new Uint8Array([1, 2]));
      else if (text === "bye") socket.close(4001, "a text of the server's own");
      else socket.send(`echo ${text}`);
    });
  });
});

afterAll(() => {
  vi.unstubAllGlobals();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const post = (): FetchRequest => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
  signal: new AbortController().signal,
});

const text = async (response: Awaited<ReturnType<typeof fetchWithin>>) => (response as Response).text();

describe("fetch", () => {
  it("reaches the address it was given and sends no cookie", async () => {
    await fetchWithin(`http://${here}/mcp`, post());
    expect(await text(await fetchWithin(`http://${here}/mcp`, post()))).toBe("here");
    expect(seen.every(({ cookie }) => cookie === undefined)).toBe(true);
  });

  it("asks the browser for no cookies, no cache and no referrer", async () => {
    const asked = vi.spyOn(globalThis, "fetch");
    await fetchWithin(`http://${here}/mcp`, post());
    expect(asked.mock.calls[0]?.[1]).toMatchObject({
      credentials: "omit",
      redirect: "follow",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
    asked.mockRestore();
  });

  it("follows a redirect within the origin, body and all", async () => {
    expect(await text(await fetchWithin(`http://${here}/moved`, post()))).toBe("here");
    expect(seen.at(-1)).toMatchObject({ url: "/mcp", body: "{}" });
  });

  it("refuses the answer of another origin", async () => {
    await expect(fetchWithin(`http://${here}/away`, post())).rejects.toMatchObject({ fault: "upstream-broken" });
  });

  it("ends when it is aborted", async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(fetchWithin(`http://${here}/mcp`, { ...post(), signal: controller.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});

describe("a socket", () => {
  function events() {
    const told: string[] = [];
    let wake = () => {};
    const note = (what: string) => {
      told.push(what);
      wake();
    };
    const on: SocketEvents = {
      open: () => note("open"),
      text: (data) => note(data),
      binary: () => note("a binary message"),
      close: (reason) => note(reason),
    };
    const until = (count: number) =>
      new Promise<string[]>((resolve) => {
        wake = () => {
          if (told.length >= count) resolve(told);
        };
        wake();
      });
    return { on, until };
  }

  it("opens, carries text both ways, names binary, and tells its end once without the server's words", async () => {
    const { on, until } = events();
    const socket = openSocket(`ws://${here}/`, ["mcp"], on);
    await until(1);
    for (const message of ["hello", "binary", "bye"]) socket.send(message);
    expect(await until(4)).toEqual(["open", "echo hello", "a binary message", "The connection ended with code 4001."]);
  });

  it("tells a connection that never opened as closed", async () => {
    const { on, until } = events();
    openSocket(`ws://${elsewhere}/`, [], on);
    expect(await until(1)).toEqual(["The connection ended with code 1006."]);
  });
});

describe("the other ports", () => {
  it("digests the UTF-8 of a text", async () => {
    expect(await digest("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
  });

  it("draws ids of 128 bits that differ", () => {
    const ids = Array.from({ length: 100 }, randomId);
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it("calls back once after a while, unless cancelled", () => {
    vi.useFakeTimers();
    const ran: string[] = [];
    browserClock.after(10, () => ran.push("kept"));
    const cancel = browserClock.after(10, () => ran.push("cancelled"));
    cancel();
    vi.advanceTimersByTime(30);
    vi.useRealTimers();
    expect(ran).toEqual(["kept"]);
  });

  it("gives the gateway the host's part beside the browser's", () => {
    const local = () => ({ send() {}, close() {} });
    const host = {
      tables: {} as Tables,
      sites: {} as Sites,
      local,
      changed: () => {},
      showApprovals: () => {},
      busy: () => {},
    };
    const ports = browserPorts({ ...host, allows: () => true });
    expect(ports).toMatchObject(host);
    expect(ports.clock.monotonic()).toBeLessThan(ports.clock.now());
  });

  it("opens nothing at an address that is not registered", async () => {
    const local = () => ({ send() {}, close() {} });
    const host = {
      tables: {} as Tables,
      sites: {} as Sites,
      local,
      changed: () => {},
      showApprovals: () => {},
      busy: () => {},
    };
    const ports = browserPorts({ ...host, allows: (url) => url.startsWith(`http://${here}`) });
    const none: SocketEvents = { open: () => {}, text: () => {}, binary: () => {}, close: () => {} };
    expect(await text(await ports.fetch(`http://${here}/mcp`, post()))).toBe("here");
    await expect(ports.fetch(`http://${elsewhere}/`, post())).rejects.toMatchObject({ fault: "upstream-unreachable" });
    expect(() => ports.socket(`ws://${elsewhere}/`, [], none)).toThrow("not registered");
  });
});
