/**
 * Every refusal an agent can meet before its call is sent, as the model reads it: what did not happen, whether to try
 * again, and what to ask of the person. Never the text, the id or the note of a rule, nor the name of anything it has not
 * named itself.
 */
import { describe, expect, it } from "vitest";
import type { Rule } from "../../../src/core/policy/policy.ts";
import { createWorld, type FakePage, type FakeWorld, SITE, type WorldOptions } from "../../fakes/gateway.ts";

const HUSH = { id: "r-hush", note: "hush hush", priority: 10, on: ["request"], mode: "enforce", when: {} } as const;
const rule = (more: Partial<Rule>): Rule => ({ ...HUSH, verdict: "ask", ...more });

interface Case {
  readonly world?: WorldOptions;
  /** Before the call. */
  readonly before?: (world: FakeWorld, page: FakePage) => Promise<unknown>;
  /** While it waits. */
  readonly during?: (world: FakeWorld) => Promise<unknown>;
  readonly name: string;
  readonly retry: string;
  /** Whether the sentence sends the model away, or back later. */
  readonly again: RegExp;
}

const NEVER = /[Dd]o not (?:retry|repeat)/;
const LATER = /[Tt]ry (?:it )?again|try once more|until they say so|safe to try again/;
const asked = async ({ gateway }: FakeWorld) => {
  for (let turn = 0; turn < 200 && gateway.approvals.waiting().length === 0; turn++) await new Promise(setImmediate);
};
const answer = async (world: FakeWorld, said: "allow" | "deny") => {
  await asked(world);
  const [question] = world.gateway.approvals.questions();
  if (!question) throw new Error("Nothing waits.");
  const { id, digest } = question;
  await world.gateway.approvals.answer({ id, digest, answer: said, scope: "once" });
};
const changeTool = async ({ upstream, gateway, server }: FakeWorld) => {
  upstream.tools = upstream.tools.map((tool) => ({ ...tool, description: "Reads a file, and sends it on." }));
  await gateway.registry.refresh(server.id, new AbortController().signal);
};

const CASES: Readonly<Record<string, Case>> = {
  "a rule denies it": {
    before: ({ gateway }) => gateway.rules.save(rule({ verdict: "deny" })),
    ...{ name: "denied", retry: "no", again: NEVER },
  },
  "a rule lets it pass only so often": {
    before: async (world, page) => {
      await world.gateway.rules.save(rule({ verdict: "allow", do: { rate: "1/min" } }));
      page.send(CALL(90));
      await page.reply(90);
    },
    ...{ name: "rate-limited", retry: "later", again: LATER },
  },
  "the person says no": {
    world: { trust: "untrusted" },
    during: (world) => answer(world, "deny"),
    ...{ name: "denied", retry: "no", again: NEVER },
  },
  "the person does not answer": {
    world: { trust: "untrusted" },
    during: async (world) => {
      await asked(world);
      world.clock.advance(120_000);
    },
    ...{ name: "not-answered", retry: "later", again: LATER },
  },
  "a rule came that denies it while it waited": {
    world: { trust: "untrusted" },
    during: async (world) => {
      await asked(world);
      await world.gateway.rules.save(rule({ verdict: "deny" }));
      await answer(world, "allow");
    },
    ...{ name: "denied", retry: "no", again: NEVER },
  },
  "everything is paused": {
    before: ({ gateway }) => gateway.setPause({ until: null }),
    ...{ name: "paused", retry: "later", again: LATER },
  },
  "the site is paused": {
    before: ({ gateway }) => gateway.setPause({ until: null }, { kind: "site", site: SITE.origin }),
    ...{ name: "paused", retry: "later", again: LATER },
  },
  "the server is paused": {
    before: ({ gateway, server }) => gateway.setPause({ until: null }, { kind: "server", serverId: server.id }),
    ...{ name: "paused", retry: "later", again: LATER },
  },
  "the tool changed": {
    before: changeTool,
    ...{ name: "tool-changed", retry: "later", again: LATER },
  },
  "the site is not connected": {
    before: ({ gateway, server }) => gateway.disconnect(SITE, server.id),
    ...{ name: "not-connected", retry: "changed", again: /Ask the person to connect/ },
  },
  "too many calls wait already": {
    world: { trust: "untrusted" },
    before: async ({ gateway }, page) => {
      for (let id = 100; id < 300; id++) page.send(CALL(id, `/${id}`));
      for (let turn = 0; turn < 2_000 && gateway.approvals.waiting().length < 200; turn++)
        await new Promise(setImmediate);
    },
    ...{ name: "busy", retry: "later", again: LATER },
  },
  "the person pauses everything while it waits": {
    world: { trust: "untrusted" },
    during: async (world) => {
      await asked(world);
      await world.gateway.setPause({ until: null });
    },
    ...{ name: "cancelled", retry: "changed", again: LATER },
  },
  "the person disconnects the site while it waits": {
    world: { trust: "untrusted" },
    during: async (world) => {
      await asked(world);
      await world.gateway.disconnect(SITE, world.server.id);
    },
    ...{ name: "cancelled", retry: "changed", again: NEVER },
  },
};

function CALL(id: number, path = "/etc/hostname") {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "file_read", arguments: { path } } };
}

interface Refused {
  readonly result?: { readonly content: readonly { readonly text: string }[]; readonly _meta: Record<string, Facts> };
  readonly error?: { readonly message: string; readonly data: Facts };
}
interface Facts {
  readonly name: string;
  readonly retry: string;
}

describe("a refusal", () => {
  it.each(Object.entries(CASES))(
    "where %s says what happened, whether to try again, and what to ask",
    async (_why, one) => {
      const world = await createWorld(one.world);
      const page = world.page();
      await page.initialize("2025-11-25");
      await one.before?.(world, page);
      page.send(CALL(1));
      await one.during?.(world);
      const { result, error } = (await page.reply(1)) as Refused;
      const sentence = result?.content[0]?.text ?? error?.message ?? "";
      const facts = result?._meta["io.github.navra/refusal"] ?? error?.data;
      expect(facts).toMatchObject({ name: one.name, retry: one.retry });
      expect(sentence).toMatch(/not sent|goes no further|may have happened|is not connected/);
      expect(sentence).toMatch(one.again);
      expect(sentence).toMatch(/(?:[Tt]ell|[Aa]sk) (?:the person|them)|safe to try again/);
      expect(JSON.stringify([result, error])).not.toMatch(/hush|r-hush/);
    },
  );
});
