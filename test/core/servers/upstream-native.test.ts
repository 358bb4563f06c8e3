import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { turns, until } from "../transports/fakes.ts";
import { AGENT, CALL, call, createBench, MODERN, OTHER, rpcError, rpcResult } from "./fakes.ts";

const SETTLED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "old", version: "1" },
};
const DISCOVERED = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "new", version: "2" } },
};
const GONE = new GatewayError("upstream-broken", "The local server files ended with code 1.");
const live = () => new AbortController().signal;

type Answer = (frame: { readonly id: unknown; readonly method: string }) => unknown;

/** Programs that start at once and answer each request as the test says; `undefined` is silence. */
function setUp(answer: Answer) {
  const bench = createBench({ url: "local:files", slow: true });
  const { runs } = bench;
  const frames = (at: number) =>
    runs[at]?.sent.map((text) => JSON.parse(text) as { id: unknown; method: string }) ?? [];
  const methods = (at: number) => frames(at).map(({ method }) => method);
  const serve = async (work: Promise<unknown>) => {
    let over = false;
    const end = work.then(
      () => {
        over = true;
      },
      () => {
        over = true;
      },
    );
    const opened = new Set<unknown>();
    const heard = new Map<unknown, number>();
    await until(() => {
      for (const run of [...runs]) {
        if (!opened.has(run)) run.events.open();
        opened.add(run);
        const from = heard.get(run) ?? 0;
        heard.set(run, run.sent.length);
        for (const text of run.sent.slice(from)) {
          const frame = JSON.parse(text);
          const result = frame.id === undefined ? undefined : answer(frame);
          if (result instanceof GatewayError) run.events.close(result);
          else if (typeof result === "string") run.events.text(result);
          else if (result !== undefined) run.events.text(rpcResult(frame.id, result));
        }
      }
      return over;
    });
    await end;
    return work;
  };
  return { ...bench, methods, serve };
}

const legacy: Answer = ({ id, method }) => {
  if (method === "server/discover") return rpcError(id, -32601);
  if (method === "initialize") return SETTLED;
  return method === "tools/list" ? { tools: [{ name: "read" }] } : { ok: true };
};
const modern: Answer = ({ method }) => {
  if (method === "server/discover") return DISCOVERED;
  return method === "tools/list" ? { resultType: "complete", tools: [] } : { resultType: "complete" };
};

describe("an upstream that is a local server", () => {
  it("asks for the era in a run of its own, then begins in a fresh one, and ends both when it has looked", async () => {
    const { upstream, serve, runs, methods } = setUp(legacy);
    const catalogue = await serve(upstream.catalogue(live()));
    expect(catalogue).toMatchObject({ revision: "2025-11-25", tools: [{ name: "read" }] });
    expect(methods(0)).toEqual(["server/discover"]);
    expect(methods(1)).toEqual(["initialize", "notifications/initialized", "tools/list"]);
    expect(runs.map(({ closed }) => closed)).toEqual([true, true]);
  });

  it("takes a program that ends at a question before initialize for one of the older era", async () => {
    const { upstream, serve, methods } = setUp((frame) => (frame.method === "server/discover" ? GONE : legacy(frame)));
    expect(await serve(upstream.probe(live()))).toBe("2025-11-25");
    expect(methods(1)).toEqual(["initialize", "notifications/initialized"]);
  });

  it("takes a program that stays silent for one of the older era", async () => {
    const { upstream, serve, clock, runs } = setUp((frame) =>
      frame.method === "server/discover" ? undefined : legacy(frame),
    );
    const probing = serve(upstream.probe(live()));
    await until(() => runs[0]?.sent.length === 1);
    clock.advance(10_000);
    expect(await probing).toBe("2025-11-25");
    expect(runs[0]?.closed).toBe(true);
  });

  it("does not take a host that is missing for a word about the era", async () => {
    const { upstream, runs } = setUp(legacy);
    const probing = upstream.probe(live());
    await until(() => runs.length === 1);
    runs[0]?.events.close(new GatewayError("upstream-unreachable", "Local servers need navra's helper."));
    await expect(probing).rejects.toThrow("Local servers need navra's helper.");
    expect(runs).toHaveLength(1);
  });

  it("needs one run for a server of the newer era", async () => {
    const { upstream, serve, runs, methods } = setUp(modern);
    expect(await serve(upstream.catalogue(live()))).toMatchObject({ revision: "2026-07-28" });
    expect(methods(0)).toEqual(["server/discover", "server/discover", "tools/list"]);
    expect(runs.map(({ closed }) => closed)).toEqual([true]);
  });

  it("gives each principal a run of its own, and leaves the others alone when one dies", async () => {
    const { upstream, serve, runs } = setUp(legacy);
    await serve(upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live()));
    await serve(upstream.open({ principalKey: OTHER, revision: "2025-11-25" }, live()));
    expect(runs).toHaveLength(2);
    const dying = upstream.request(call().call);
    const living = upstream.request(call(CALL, { principalKey: OTHER }).call);
    await turns();
    runs[0]?.events.close(GONE);
    await expect(dying).rejects.toMatchObject({ fault: "upstream-broken", message: GONE.message });
    await expect(serve(living)).resolves.toMatchObject({ kind: "result" });
  });

  it("settles a new session with the next call after a program died", async () => {
    const { upstream, serve, runs, methods } = setUp(legacy);
    await serve(upstream.request(call().call));
    runs[0]?.events.close(GONE);
    await serve(upstream.request(call().call));
    expect(methods(1)).toEqual(["initialize", "notifications/initialized", "tools/call"]);
  });

  it("looks once more at a list that changes at each start, in the same run, and makes no news of it", async () => {
    const { upstream, serve, runs, methods, unsolicited } = setUp((frame) => {
      if (frame.method !== "tools/list") return legacy(frame);
      runs.at(-1)?.events.text('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
      return legacy(frame);
    });
    await serve(upstream.catalogue(live()));
    expect(methods(1)).toEqual(["initialize", "notifications/initialized", "tools/list", "tools/list"]);
    expect([runs.length, unsolicited]).toEqual([2, []]);
  });

  it("asks the host for each call, however often it refused, so that what a person repaired works at once", async () => {
    const { upstream, serve, runs } = setUp(legacy);
    const refusal = new GatewayError("upstream-unreachable", "The local server files was not allowed on this machine.");
    for (let turn = 0; turn < 5; turn += 1) {
      const refused = upstream.request(call().call);
      await until(() => runs.length === turn + 1);
      runs[turn]?.events.close(refusal);
      await expect(refused).rejects.toThrow(refusal.message);
    }
    await expect(serve(upstream.request(call().call))).resolves.toMatchObject({ kind: "result" });
  });

  it("ends a principal's run with its session", async () => {
    const { upstream, serve, runs } = setUp(modern);
    await serve(upstream.request(call(CALL, MODERN).call));
    upstream.close(AGENT);
    expect(runs[0]?.closed).toBe(true);
  });
});
