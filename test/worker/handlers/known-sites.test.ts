/** What the consent window is told of other sites, to compare names with: those the person has dealt with, and no others. */
import { describe, expect, it } from "vitest";
import type { Principal } from "../../../src/core/principal.ts";
import { createWorld, type FakeWorld, SITE } from "../../fakes/gateway.ts";
import { controlOf } from "./control.ts";

const at = (origin: string, more: Partial<Principal> = {}): Principal => ({
  ...SITE,
  origin,
  topSite: origin,
  ...more,
});

async function knownWhen(asker: Principal, world: FakeWorld): Promise<readonly string[]> {
  const signal = new AbortController().signal;
  const place = { tabId: 1, frameId: 0, documentId: "d" };
  void world.gateway.connector.request({ principal: asker, place, agent: "", names: [], act: true, signal });
  for (let turn = 0; turn < 200 && world.approvals().length === 0; turn++) await new Promise(setImmediate);
  const id = world.approvals()[0]?.id ?? "";
  const { known } = await controlOf(world.gateway, { door: "consent", approvalId: id })("approval.read", { id });
  return known;
}

describe("sites that the person knows", () => {
  it("are those that were connected", async () => {
    const world = await createWorld();
    await world.gateway.connector.connect(at("https://paypal.com"), world.server.id, ["file_read"]);
    expect(await knownWhen(at("https://paypa1.com"), world)).toEqual([SITE.origin, "https://paypal.com"]);
  });

  it("are those that were allowed something, also after they were disconnected", async () => {
    const world = await createWorld({ trust: "untrusted" });
    const page = world.page();
    await page.initialize("2025-11-25");
    page.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "file_read", arguments: { path: "/a" } },
    });
    for (let turn = 0; turn < 200 && world.approvals().length === 0; turn++) await new Promise(setImmediate);
    const [{ id, digest } = { id: "", digest: "" }] = world.approvals();
    await world.gateway.approvals.answer({ id, digest, answer: "allow", scope: "once" });
    await page.reply(1);
    await world.gateway.disconnect(SITE, world.server.id);
    expect(await knownWhen(at("https://chat-example.com"), world)).toEqual([SITE.origin]);
  });

  it("are those of private windows only where a private window asks", async () => {
    const secret = at("https://secret.example", { private: true });
    const world = await createWorld();
    await world.gateway.connector.connect(secret, world.server.id, ["file_read"]);
    expect(await knownWhen(at("https://other.example"), world)).not.toContain("https://secret.example");
    const other = await createWorld();
    await other.gateway.connector.connect(secret, other.server.id, ["file_read"]);
    expect(await knownWhen(at("https://other.example", { private: true }), other)).toContain("https://secret.example");
  });
});
