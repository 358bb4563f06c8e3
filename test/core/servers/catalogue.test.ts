import { describe, expect, it } from "vitest";
import { MOST_PAGES } from "../../../src/core/servers/catalogue.ts";
import { json } from "../transports/fakes.ts";
import { createBench, legacyServer, methods, modernServer, rpcError, rpcResult } from "./fakes.ts";

const live = () => new AbortController().signal;
const list = (tools: string, cursor?: string) => (id: unknown) =>
  json(
    `{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools}${cursor === undefined ? "" : `,"nextCursor":${JSON.stringify(cursor)}`}}}`,
  );

describe("a catalogue", () => {
  it("holds every tool of every page with its exact text", async () => {
    const first = '{"name":"a", "n":12345678901234567890 }';
    const pages = new Map<unknown, (id: unknown) => Response>([
      [undefined, list(`[ ${first} , {"name":"b"}]`, "")],
      ["", list('[{"name":"c","x":1e2}]', "opaque é")],
      ["opaque é", list("[]")],
    ]);
    const { upstream, requests } = createBench({
      handler: legacyServer(({ json: { id, params } }) => pages.get(params?.cursor)?.(id) ?? json("{}")),
    });
    const { tools } = await upstream.catalogue(live());
    expect(tools.map(({ name, text }) => [name, text])).toEqual([
      ["a", first],
      ["b", '{"name":"b"}'],
      ["c", '{"name":"c","x":1e2}'],
    ]);
    expect(methods(requests).filter((method) => method === "tools/list")).toHaveLength(3);
  });

  it("says who the server is, in the older era", async () => {
    const { upstream, clock } = createBench({ handler: legacyServer(({ json: { id } }) => list("[]")(id)) });
    expect(await upstream.catalogue(live())).toEqual({
      serverId: "s1",
      revision: "2025-11-25",
      serverName: "old",
      serverVersion: "1",
      instructions: "",
      tools: [],
      fetchedAt: clock.now(),
    });
  });

  it("says who the server is, in the newer era", async () => {
    const { upstream } = createBench({ handler: modernServer(({ json: { id } }) => list('[{"name":"a"}]')(id)) });
    expect(await upstream.catalogue(live())).toMatchObject({
      revision: "2026-07-28",
      serverName: "new",
      serverVersion: "2",
      instructions: "be kind",
      tools: [{ name: "a" }],
    });
  });

  it("ends at a cursor that comes again", async () => {
    const { upstream, requests } = createBench({
      handler: legacyServer(({ json: { id } }) => list('[{"name":"a"}]', "again")(id)),
    });
    expect((await upstream.catalogue(live())).tools).toHaveLength(1);
    expect(methods(requests).filter((method) => method === "tools/list")).toHaveLength(2);
  });

  it("ends after so many pages, however new each cursor is", async () => {
    let page = 0;
    const { upstream, requests } = createBench({
      handler: legacyServer(({ json: { id } }) => list(`[{"name":"t${page}"}]`, String(page++))(id)),
    });
    expect((await upstream.catalogue(live())).tools).toHaveLength(MOST_PAGES);
    expect(methods(requests).filter((method) => method === "tools/list")).toHaveLength(MOST_PAGES);
  });

  it("leaves out what is no tool, and all but the first of one name", async () => {
    const { upstream } = createBench({
      handler: legacyServer(({ json: { id } }) =>
        list('[3,null,{"x":1},{"name":7},{"name":"a","v":1},{"name":"a","v":2}]')(id),
      ),
    });
    expect((await upstream.catalogue(live())).tools.map(({ text }) => text)).toEqual(['{"name":"a","v":1}']);
  });

  it("asks no tools of a server that says it has none", async () => {
    const { upstream, requests } = createBench({
      handler: ({ json: { id, method } }) =>
        method === "server/discover"
          ? json(rpcResult(id, { supportedVersions: ["2026-07-28"], capabilities: {} }))
          : json(rpcError(id, -32601), { status: 404 }),
    });
    expect((await upstream.catalogue(live())).tools).toEqual([]);
    expect(methods(requests)).not.toContain("tools/list");
  });

  it("fails with a sentence where the server refuses to list", async () => {
    const { upstream } = createBench({ handler: legacyServer(({ json: { id } }) => json(rpcError(id, -32603))) });
    await expect(upstream.catalogue(live())).rejects.toMatchObject({
      fault: "upstream-broken",
      message: expect.stringContaining("-32603"),
    });
  });
});
