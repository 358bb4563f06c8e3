/** The remedies of the dashboard, done and taken back over a whole gateway. */
import { describe, expect, it } from "vitest";
import { createWorld, SITE } from "../../fakes/gateway.ts";
import { controlOf } from "./control.ts";

async function asking(answer: "allow" | "deny") {
  const world = await createWorld({ trust: "untrusted" });
  const { gateway } = world;
  const ask = controlOf(gateway);
  const page = world.page();
  await page.initialize("2025-11-25");
  let ids = 0;
  const send = () => {
    const id = ++ids;
    page.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "file_read", arguments: { path: "x" } } });
    return page.reply(id);
  };
  const question = async () => {
    for (let turn = 0; turn < 200 && world.approvals().length === 0; turn++) await new Promise(setImmediate);
    return world.approvals()[0];
  };
  for (let time = 0; time < 3; time++) {
    // Each in a task of its own, so that it is always the same row that asks.
    await gateway.newTask(SITE);
    const reply = send();
    const asked = await question();
    if (!asked) throw new Error("Nothing was asked.");
    await gateway.approvals.answer({ id: asked.id, digest: asked.digest, answer, scope: "once" });
    await reply;
  }
  await gateway.newTask(SITE);
  const [row] = (await ask("asks.read", null)).rows;
  if (!row) throw new Error("No row.");
  return { world, ask, send, question, row };
}

describe("a remedy", () => {
  it("grants the values that were always allowed, and asks again when it is taken back", async () => {
    const { world, ask, send, question, row } = await asking("allow");
    expect(row.remedy).toEqual({ kind: "same-values", names: ["path"] });
    const made = await ask("asks.spare", row);
    if (!("grant" in made)) throw new Error(JSON.stringify(made));
    expect(await send()).toMatchObject({ result: { content: [{ text: "desktop" }] } });
    expect(world.approvals()).toEqual([]);
    expect((await ask("grants.read", null)).grants).toMatchObject([{ pattern: '{"/path": {"equals": "x"}}' }]);
    await ask("grant.revoke", { id: made.grant });
    await world.gateway.newTask(SITE);
    void send();
    expect(await question()).toBeDefined();
  });

  it("denies what was always denied, and asks again when it is taken back", async () => {
    const { ask, send, question, row } = await asking("deny");
    const made = await ask("asks.spare", row);
    if (!("rule" in made)) throw new Error(JSON.stringify(made));
    expect(await send()).toMatchObject({ result: { isError: true } });
    await ask("rule.delete", { id: made.rule });
    void send();
    expect(await question()).toBeDefined();
  });

  it("that no longer fits is not done, and says so", async () => {
    const { ask, row } = await asking("deny");
    expect(await ask("asks.spare", { ...row, tool: "other" })).toMatchObject({
      problem: expect.stringContaining("changed"),
    });
  });
});
