/** A server of 2024-11-05 behind an address like any other: found out, used, and remembered. */
import { describe, expect, it } from "vitest";
import { createOpenBody, json, stream, turns, until } from "../transports/fakes.ts";
import { AGENT, call, createBench, modernServer, rpcResult } from "./fakes.ts";

function oldServer() {
  const streams: ReturnType<typeof createOpenBody>[] = [];
  let refusal: number | undefined;
  let refused = 0;
  const { upstream, requests, stands, found, clock } = createBench({
    standing: () => {
      if (refusal !== undefined) {
        refused += 1;
        return new Response(null, { status: refusal });
      }
      const open = createOpenBody();
      streams.push(open);
      open.write("event: endpoint\ndata: /messages\n\n");
      return stream(open.body);
    },
    handler: ({ url, json: { id, method } }) => {
      if (!url.endsWith("/messages")) return new Response(null, { status: 405 });
      const result =
        method === "initialize"
          ? { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo: { name: "old", version: "1" } }
          : { tools: [] };
      if (id !== undefined) streams.at(-1)?.write(`event: message\ndata: ${rpcResult(id, result)}\n\n`);
      return new Response(null, { status: 202 });
    },
  });
  const refuse = (status: number) => {
    refusal = status;
  };
  return { upstream, requests, stands, found, streams, clock, refuse, refused: () => refused };
}

const live = () => new AbortController().signal;

describe("a server of 2024-11-05", () => {
  it("is found where POST is refused, and listed and called over its two endpoints", async () => {
    const { upstream, found } = oldServer();
    expect((await upstream.catalogue(live())).revision).toBe("2024-11-05");
    expect(found).toEqual(["http-sse"]);
    expect((await upstream.request(call(undefined, { revision: "2024-11-05" }).call)).kind).toBe("result");
  });

  it("is begun anew with the next request when its stream ends", async () => {
    const { upstream, streams } = oldServer();
    await upstream.probe(live());
    await upstream.request(call().call);
    const before = streams.length;
    streams.at(-1)?.end();
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect((await upstream.request(call().call)).kind).toBe("result");
    expect(streams.length).toBe(before + 1);
  });

  it("is looked for only where POST was refused: a wrong address stays a wrong address", async () => {
    const { upstream, stands, found } = createBench({ handler: () => new Response(null, { status: 404 }) });
    await expect(upstream.probe(live())).rejects.toMatchObject({ message: expect.stringContaining("404") });
    expect(stands).toHaveLength(1);
    expect(found).toEqual(["http-sse", "streamable-http"]);
    const wall = createBench({ handler: () => new Response(null, { status: 401 }) });
    await expect(wall.upstream.probe(live())).rejects.toBeDefined();
    expect(wall.stands).toHaveLength(0);
  });

  it.each([
    [401, 1],
    [403, 1],
    [404, 1],
    [503, 5],
  ])(
    "is not hammered where an agent listens and a new stream gets %i: asked %i times at least",
    async (status, least) => {
      const { upstream, streams, clock, refuse, refused } = oldServer();
      await upstream.probe(live());
      await upstream.open({ principalKey: AGENT, revision: "2025-11-25" }, live());
      refuse(status);
      for (const open of streams) open.end();
      for (let turn = 0; turn < 200; turn += 1) {
        await turns();
        clock.advance(10_000);
      }
      expect(refused()).toBeGreaterThanOrEqual(least);
      expect(refused()).toBeLessThanOrEqual(least === 1 ? 1 : 9);
    },
  );

  it("that was replaced by a newer one is found out at the next look", async () => {
    const newer = modernServer(({ json: { id } }) => json(rpcResult(id, { resultType: "complete" })));
    let handler = (): Response => new Response(null, { status: 405 });
    const streams = createOpenBody();
    const { upstream, found, clock } = createBench({
      handler: (seen) => {
        if (!seen.url.endsWith("/m")) return replaced ? newer(seen) : handler();
        const { id, method } = seen.json;
        const result =
          method === "initialize" ? { protocolVersion: "2024-11-05", capabilities: {}, serverInfo: {} } : {};
        if (id !== undefined) streams.write(`data: ${rpcResult(id, result)}\n\n`);
        return new Response(null, { status: 202 });
      },
      standing: () => {
        streams.write("event: endpoint\ndata: /m\n\n");
        return stream(streams.body);
      },
    });
    let replaced = false;
    expect(await upstream.probe(live())).toBe("2024-11-05");
    replaced = true;
    handler = () => new Response(null, { status: 500 });
    clock.advance(61 * 60_000);
    expect(await upstream.probe(live())).toBe("2026-07-28");
    await until(() => found.length === 2);
    expect(found).toEqual(["http-sse", "streamable-http"]);
  });
});
