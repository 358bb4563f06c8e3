/** The consent door and servers' questions: its window answers its own, and opens nothing but what was allowed. */
import { beforeEach, describe, expect, it } from "vitest";
import type { ControlMethod, ControlParams, ControlResult } from "../../../src/bridge/control-api.ts";
import type { QuestionApproval, QuestionAsk } from "../../../src/core/consent/approval.ts";
import { readForm } from "../../../src/core/elicit/form.ts";
import { createHandlers } from "../../../src/worker/handlers/all.ts";
import { createWorld, type FakeWorld, PLACE, SITE } from "../../fakes/gateway.ts";

let world: FakeWorld;
let opened: string[];
beforeEach(async () => {
  world = await createWorld();
  opened = [];
});

function door(approvalId: string) {
  const handlers = createHandlers({
    gateway: world.gateway,
    reader: undefined as never,
    native: undefined as never,
    openApproval: async () => undefined,
    openPage: async (url) => void opened.push(url),
    updateFence: async () => undefined,
    changed: () => undefined,
  });
  return async <M extends ControlMethod>(method: M, params: ControlParams<M>): Promise<ControlResult<M>> => {
    const handler = handlers[method] as (params: unknown, peer: unknown) => unknown;
    return (await handler(params, { door: "consent", approvalId })) as ControlResult<M>;
  };
}

function asked(ask: QuestionAsk): QuestionApproval {
  const approval: QuestionApproval = {
    kind: "question",
    id: "q1",
    callId: "c1",
    principal: SITE,
    place: PLACE,
    agent: "",
    digest: "d1",
    createdAt: world.clock.now(),
    expiresAt: world.clock.now() + 60_000,
    live: true,
    serverId: world.server.id,
    serverName: "files",
    tool: "",
    message: "Well?",
    ask,
  };
  world.gateway.approvals.ask(approval, new AbortController().signal).catch(() => undefined);
  return approval;
}

const answer = { id: "q1", digest: "d1", answer: "allow", scope: "once" } as const;
const PAGE = { mode: "url", url: "https://auth.example/go", step: "open" } as const;

describe("a form", () => {
  const fields = readForm({ type: "object", properties: { pin: { type: "string", minLength: 4 } } }) ?? [];
  const ask = { mode: "form", fields, secrets: { pin: "code" } } as const;

  it("takes no answer that does not fit, and waits on", async () => {
    asked(ask);
    const reply = { content: { pin: "1" }, confirmed: ["pin"] };
    expect(await door("q1")("approval.answer", { ...answer, reply })).toEqual({
      state: "unfit",
      problems: [{ name: "pin", fault: "short" }],
    });
    expect(world.gateway.approvals.waiting()).toHaveLength(1);
  });

  it("takes nothing flagged that was not confirmed", async () => {
    asked(ask);
    const reply = { content: { pin: "1234" } };
    expect(await door("q1")("approval.answer", { ...answer, reply })).toMatchObject({ state: "unfit" });
    const confirmed = { ...reply, confirmed: ["pin"] };
    expect(await door("q1")("approval.answer", { ...answer, reply: confirmed })).toEqual({ state: "done" });
  });

  it("is answered from its own window only", async () => {
    asked(ask);
    await expect(door("q2")("approval.answer", { ...answer, reply: { content: {} } })).rejects.toThrow(
      "another question",
    );
  });

  it("is not shown in lists with what is in it", async () => {
    asked(ask);
    const { approvals } = await door("q1")("approvals.read", null);
    expect(approvals).toMatchObject([{ kind: "question", message: "", ask: { fields: [] } }]);
  });
});

describe("a page", () => {
  it("is opened by the yes, and not before", async () => {
    asked(PAGE);
    await door("q1")("page.open", { id: "q1" });
    expect(opened).toEqual([]);
    await door("q1")("approval.answer", answer);
    expect(opened).toEqual([PAGE.url]);
  });

  it("is not opened by a no, nor by a yes that came too late", async () => {
    asked(PAGE);
    expect(await door("q1")("approval.answer", { ...answer, digest: "other" })).toEqual({ state: "changed" });
    await door("q1")("approval.answer", { ...answer, answer: "deny" });
    expect(await door("q1")("approval.answer", answer)).toEqual({ state: "gone" });
    expect(opened).toEqual([]);
  });

  it("is opened again from its own window only", async () => {
    asked({ ...PAGE, step: "after" });
    await door("q1")("page.open", { id: "q1" });
    expect(opened).toEqual([PAGE.url]);
    await expect(door("q2")("page.open", { id: "q1" })).rejects.toThrow("another question");
    await door("q1")("approval.answer", answer);
    expect(opened).toEqual([PAGE.url]);
  });

  it("is never opened at an address that is not safe", async () => {
    asked({ ...PAGE, url: "http://auth.example/" });
    expect(await door("q1")("approval.answer", answer)).toMatchObject({ state: "unfit" });
    expect(opened).toEqual([]);
  });
});
