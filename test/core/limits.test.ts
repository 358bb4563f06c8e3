/** Limits that the person sets: bounds, what survives, and that they hold from the next message on. */
import { describe, expect, it } from "vitest";
import { createLimitBook, LIMIT_BOUNDS, LIMIT_NAMES, readLimits, USUAL_LIMITS } from "../../src/core/limits.ts";
import { policyToFile, readPolicyFile } from "../../src/core/policy/file.ts";
import { createWorld } from "../fakes/gateway.ts";
import { createFakeTable } from "../fakes/tables.ts";

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !holds(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
}

const CALL = { name: "file_read", arguments: { path: "/etc/passwd" } };

describe("limits", () => {
  it("have usual values within their bounds", () => {
    expect(readLimits(USUAL_LIMITS)).toEqual({ limits: USUAL_LIMITS });
    for (const name of LIMIT_NAMES) {
      const { least, usual, most } = LIMIT_BOUNDS[name];
      expect([least <= usual, usual <= most, least > 0]).toEqual([true, true, true]);
    }
  });

  it.each([
    [null, ""],
    [[], ""],
    [{ callSeconds: 0 }, "/callSeconds"],
    [{ callSeconds: 1e9 }, "/callSeconds"],
    [{ callSeconds: 30.5 }, "/callSeconds"],
    [{ callSeconds: "30" }, "/callSeconds"],
    [{ bytes: LIMIT_BOUNDS.bytes.most + 1 }, "/bytes"],
    [{ speed: 1 }, "/speed"],
    [{ constructor: 1 }, "/constructor"],
  ])("%j is refused at %j", (value, path) => {
    expect(readLimits(value)).toMatchObject({ problem: { path } });
  });

  it("are kept, hold in the same object, and a damaged row sets nothing", async () => {
    const table = createFakeTable<Record<string, number>>();
    const book = createLimitBook(table);
    const { inForce } = book;
    await book.replace({ callSeconds: 600, depth: LIMIT_BOUNDS.depth.usual });
    expect([inForce.callSeconds, book.set()]).toEqual([600, { callSeconds: 600 }]);
    await expect(book.replace({ callSeconds: -1 })).rejects.toMatchObject({ fault: "invalid-params" });
    expect(inForce.callSeconds).toBe(600);
    const later = createLimitBook(table);
    await later.restore();
    expect(later.inForce.callSeconds).toBe(600);
    table.rows.set("limits", { callSeconds: -5 });
    await later.restore();
    expect(later.inForce).toEqual(USUAL_LIMITS);
  });

  it("go into a file and come out of it, and bad ones are named", () => {
    const head = { default: { read: "allow", other: "ask" } } as const;
    const text = policyToFile({ head, rules: [], limits: { callSeconds: 600 } }, []);
    expect(readPolicyFile(text)).toMatchObject({ limits: { callSeconds: 600 } });
    expect(readPolicyFile(policyToFile({ head, rules: [] }, []))).not.toHaveProperty("limits");
    expect(readPolicyFile(text.replace("600", "6000000"))).toMatchObject({
      problems: [{ path: "/limits/callSeconds" }],
    });
  });
});

describe("a limit that the person changes", () => {
  it("of a message's size holds for the next message", async () => {
    const world = await createWorld();
    const page = world.page();
    await page.initialize("2025-11-25");
    const long = "x".repeat(LIMIT_BOUNDS.bytes.least);
    const send = async (id: number) => {
      page.send({ jsonrpc: "2.0", id, method: "tools/call", params: { ...CALL, arguments: { path: long } } });
      return page.reply(id);
    };
    expect(await send(1)).toHaveProperty("result");
    await world.gateway.limits.replace({ bytes: LIMIT_BOUNDS.bytes.least });
    // A frame that long is not read, so its answer cannot name it.
    void send(2);
    await until(() => page.got.some(({ error, id }) => error !== undefined && id === null));
    await world.gateway.limits.replace({});
    expect(await send(3)).toHaveProperty("result");
  });

  it("of open calls makes the next one busy", async () => {
    const world = await createWorld();
    world.upstream.answer = () => new Promise(() => undefined);
    const page = world.page();
    await page.initialize("2025-11-25");
    await world.gateway.limits.replace({ openCalls: 1 });
    for (const id of [1, 2]) page.send({ jsonrpc: "2.0", id, method: "tools/call", params: CALL });
    expect(await page.reply(2)).toMatchObject({ error: { data: { name: "busy" } } });
  });

  it("of a call's time ends the next call that takes longer", async () => {
    const world = await createWorld();
    world.upstream.answer = () => new Promise(() => undefined);
    const page = world.page();
    await page.initialize("2025-11-25");
    await world.gateway.limits.replace({ callSeconds: 5 });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL });
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(5_000);
    expect(await page.reply(1)).toMatchObject({ error: { data: { name: "timed-out" } } });
  });

  it("of a question's time is what the next question waits", async () => {
    const world = await createWorld({ trust: "untrusted" });
    const page = world.page();
    await page.initialize("2025-11-25");
    await world.gateway.limits.replace({ askSeconds: 10 });
    page.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL });
    await until(() => world.approvals().length > 0);
    const [approval] = world.approvals();
    expect((approval?.expiresAt ?? 0) - (approval?.createdAt ?? 0)).toBe(10_000);
  });

  it("survives the worker", async () => {
    const world = await createWorld();
    await world.gateway.limits.replace({ waiting: 3 });
    expect((await world.reborn()).gateway.limits.inForce.waiting).toBe(3);
  });
});
