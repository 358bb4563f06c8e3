/** The rows of the era probe: what a server answers to `server/discover`, and what that proves. */
import { describe, expect, it } from "vitest";
import type { Handler } from "../transports/fakes.ts";
import { json, stream, turns } from "../transports/fakes.ts";
import { createBench, legacyServer, methods, rpcError, rpcResult } from "./fakes.ts";

const live = () => new AbortController().signal;
const UNSUPPORTED = -32022;
const discovery = (versions: unknown) => (id: unknown) => json(rpcResult(id, { supportedVersions: versions }));
const error = (code: number, status: number, data?: unknown) => (id: unknown) =>
  json(rpcError(id, code, data), { status });
const empty = (status: number) => () => new Response("", { status });

/** Discover is answered as given; whoever then initializes finds a server of 2025-11-25. */
function bench(...answers: readonly ((id: unknown) => Response | Promise<Response>)[]) {
  let turn = 0;
  const old = legacyServer(() => json("{}"));
  const handler: Handler = (seen) => {
    if (seen.json.method !== "server/discover") return old(seen);
    const answer = answers[Math.min(turn++, answers.length - 1)];
    return answer ? answer(seen.json.id) : new Response(null, { status: 500 });
  };
  return createBench({ handler });
}

type Row = readonly [why: string, answers: readonly ((id: unknown) => Response)[], outcome: string, asked: number];

const ROWS: readonly Row[] = [
  ["a discovery with our version", [discovery(["2025-11-25", "2026-07-28"])], "2026-07-28", 1],
  ["a discovery that lists only older versions", [discovery(["2025-06-18"])], "2025-11-25", 1],
  ["a discovery that lists only versions nobody knows", [discovery(["2099-01-01"])], "era-mismatch", 1],
  ["an empty result", [(id) => json(rpcResult(id, {}))], "2025-11-25", 1],
  ["an empty object", [() => json("{}")], "2025-11-25", 1],
  ["versions that are no list of texts", [discovery(["2026-07-28", 7])], "2025-11-25", 1],
  [
    "-32022 with our version, then a discovery",
    [error(UNSUPPORTED, 400, { supported: ["2026-07-28"] }), discovery(["2026-07-28"])],
    "2026-07-28",
    2,
  ],
  ["-32022 with our version for ever", [error(UNSUPPORTED, 400, { supported: ["2026-07-28"] })], "upstream-broken", 2],
  [
    "-32022 with newer versions only",
    [error(UNSUPPORTED, 400, { supported: ["2027-02-03", "2025-11-25"] })],
    "era-mismatch",
    1,
  ],
  ["-32022 with older versions only", [error(UNSUPPORTED, 400, { supported: ["2025-11-25"] })], "2025-11-25", 1],
  ["-32022 without data", [error(UNSUPPORTED, 400)], "2025-11-25", 1],
  ["-32022 with malformed data", [error(UNSUPPORTED, 200, { supported: "2026-07-28" })], "2025-11-25", 1],
  ["-32020 once", [error(-32020, 400), discovery(["2026-07-28"])], "2026-07-28", 2],
  ["-32020 twice", [error(-32020, 400)], "2025-11-25", 2],
  ["-32021 twice", [error(-32021, 400)], "2025-11-25", 2],
  ["-32601 with 404", [error(-32601, 404)], "2025-11-25", 1],
  ["-32601 with 200", [error(-32601, 200)], "2025-11-25", 1],
  ["-32602", [error(-32602, 400)], "2025-11-25", 1],
  ["-32000", [error(-32000, 400)], "2025-11-25", 1],
  ["-32001 with 500", [error(-32001, 500)], "2025-11-25", 1],
  ["400", [empty(400)], "2025-11-25", 1],
  ["404", [empty(404)], "2025-11-25", 1],
  ["405", [empty(405)], "2025-11-25", 1],
  ["406", [empty(406)], "2025-11-25", 1],
  ["415", [empty(415)], "2025-11-25", 1],
  ["401", [empty(401)], "upstream-broken", 1],
  [
    "403 with an error of the newer era",
    [error(UNSUPPORTED, 403, { supported: ["2026-07-28"] })],
    "upstream-broken",
    1,
  ],
  ["500", [empty(500)], "upstream-broken", 1],
  ["503", [empty(503)], "upstream-unreachable", 1],
  ["a stream that breaks off", [() => stream('data: {"jsonrpc"')], "upstream-broken", 1],
  ["a web page", [() => new Response("<p>", { headers: { "content-type": "text/html" } })], "upstream-broken", 1],
  [
    "no connection",
    [
      () => {
        throw new TypeError("failed");
      },
    ],
    "upstream-unreachable",
    1,
  ],
];

describe("the probe over HTTP", () => {
  it.each(ROWS)("judges %s", async (_why, answers, outcome, asked) => {
    const { upstream, requests } = bench(...answers);
    const found = await upstream.probe(live()).catch((problem: { fault: string }) => problem.fault);
    expect(found).toBe(outcome);
    expect(methods(requests).filter((method) => method === "server/discover")).toHaveLength(asked);
    expect(methods(requests).includes("initialize")).toBe(outcome === "2025-11-25");
  });

  it("learns nothing from silence", async () => {
    const { upstream, clock, requests } = bench(() => new Promise<Response>(() => undefined));
    const found = upstream.probe(live());
    await turns();
    clock.advance(10_000);
    await expect(found).rejects.toMatchObject({ fault: "timed-out" });
    expect(methods(requests)).toEqual(["server/discover"]);
  });

  it("keeps a verdict for an hour, and asks again then", async () => {
    const { upstream, clock, requests } = bench(empty(404), discovery(["2026-07-28"]));
    const asked = () => methods(requests).filter((method) => method === "server/discover").length;
    await upstream.probe(live());
    clock.advance(60 * 60_000 - 1);
    expect([await upstream.probe(live()), asked()]).toEqual(["2025-11-25", 1]);
    clock.advance(1);
    expect([await upstream.probe(live()), asked()]).toEqual(["2026-07-28", 2]);
  });

  it("keeps no failure", async () => {
    const { upstream } = bench(empty(503), discovery(["2026-07-28"]));
    await expect(upstream.probe(live())).rejects.toMatchObject({ fault: "upstream-unreachable" });
    expect(await upstream.probe(live())).toBe("2026-07-28");
  });

  it("carries the standard headers and keys", async () => {
    const { upstream, requests } = bench(discovery(["2026-07-28"]));
    await upstream.probe(live());
    expect(requests[0]?.headers).toMatchObject({
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "server/discover",
    });
    expect(requests[0]?.json.params?._meta).toHaveProperty(["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
  });

  it("ends with the person's signal, and takes that for nothing", async () => {
    const { upstream, requests } = bench(() => new Promise<Response>(() => undefined));
    const stop = new AbortController();
    const found = upstream.probe(stop.signal);
    await turns();
    stop.abort();
    await expect(found).rejects.toMatchObject({ fault: "cancelled" });
    expect(methods(requests)).toEqual(["server/discover"]);
  });
});
