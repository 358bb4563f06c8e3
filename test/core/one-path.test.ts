/**
 * One path, whatever carries the frames: the same words of an agent reach the server in the same bytes, come back in the
 * same bytes, and leave the same evidence. A way that skipped a stage would be a way around the gateway.
 */
import { describe, expect, it } from "vitest";
import type { Revision } from "../../src/core/mcp/revision.ts";
import type { RecordEntry } from "../../src/core/recorder/entry.ts";
import { createWorld, MODERN_META } from "../fakes/gateway.ts";
import { localOver } from "../fakes/local.ts";
import { createFakeServer, type FakeServer, FILE_READ } from "../fakes/server.ts";

const SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const ODD = '{"z":1e2,"path":"a\\u00e9","n":9007199254740993}';

function frames(revision: Revision): readonly string[] {
  const meta = revision === "2026-07-28" ? `,"_meta":${JSON.stringify(MODERN_META)}` : "";
  const call = (id: number | string, params: string) =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{${params}${meta}}}`;
  return [
    call(1, `"name":"file_read","arguments":${ODD}`),
    call("two", `"name":"file_read","arguments":{"path":"${SECRET}"}`),
    call(3, '"name":"nowhere","arguments":{}'),
    `{"jsonrpc":"2.0","id":4,"method":"no/such"${meta === "" ? "" : `,"params":{${meta.slice(1)}}`}}`,
    `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{${meta.slice(1)}}}`,
    call(6, '"name":"file_read","arguments":{"path":"fail"}'),
  ];
}

/** Answers with progress first, a spelling of its own, and an error when asked for one. */
function oddServer(revision: Revision): FakeServer {
  const server = createFakeServer(revision, [FILE_READ]);
  server.answer = ({ frame }) => {
    const { arguments: args } = frame.params as { arguments: { path: string } };
    if (args.path === "fail") return { error: { code: -32050, message: "no", data: { n: 1 } } };
    const id = JSON.stringify(frame.id);
    const type = revision === "2026-07-28" ? '"resultType":"complete",' : "";
    return {
      frames: [
        '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"working"}}',
        `{ "id":${id},"result":{${type}"content":[{"type":"text","text":"${SECRET}"}],"n":1.50} , "jsonrpc":"2.0"}`,
      ],
    };
  };
  return server;
}

async function walk(revision: Revision, local: boolean) {
  const upstream = oddServer(revision);
  const world = await createWorld({ revision, upstream, ...(local ? { local: localOver(upstream) } : {}) });
  const page = world.page();
  await page.initialize(revision);
  for (const frame of frames(revision)) {
    page.send(frame);
    await page.reply(JSON.parse(frame).id);
  }
  await new Promise((resolve) => setImmediate(resolve));
  await world.gateway.records.flush();
  return {
    toServer: upstream.received
      .filter(({ frame }) => frame.method === "tools/call")
      .map(({ text }) => text.replace(/"id":("?)\d+\1/, '"id":0')),
    toAgent: page.gotText,
    ledgers: world.tables.records.entries.map(comparable),
  };
}

/** A record without what must differ: random ids, times, and the chain over them. */
function comparable({ callId, at, ms, stages, seq, prev, hash, ...rest }: RecordEntry): unknown {
  void [callId, at, ms, seq, prev, hash];
  const text = JSON.stringify({ ...rest, stages: stages.map(({ stage }) => stage) });
  return JSON.parse(rest.serverId === "" ? text : text.replaceAll(rest.serverId, "S"));
}

describe.each(["2025-11-25", "2026-07-28"] as const)("One path in %s", (revision) => {
  it("carries a local server's frames and leaves the same ledgers as over HTTP", async () => {
    const http = await walk(revision, false);
    const native = await walk(revision, true);
    expect(native.toServer).toEqual(http.toServer);
    expect(native.toAgent).toEqual(http.toAgent);
    expect(native.ledgers).toEqual(http.ledgers);
    expect(http.toServer.length).toBeGreaterThan(2);
    expect(http.ledgers.length).toBeGreaterThan(4);
  });
});
