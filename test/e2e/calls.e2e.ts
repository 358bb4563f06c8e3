/** How calls end for the agent, and what is kept of each: allowed, denied, asked and approved, asked and refused, cancelled. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { answerConsent, consentWindow } from "../drivers/person.ts";
import { until } from "../drivers/wait.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, recordOf, saveRule, startCall } from "./journey.ts";

describe.each(journeyBrowsers())("Calling in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { everything: true, share: true, scripted: true } });
    page = await connectedPage(scene);
  });
  afterAll(() => scene?.close());
  beforeEach(() => page.front());

  it("carries an allowed call and records it", async () => {
    const ending = await call(page, { server: "everything", name: "echo", arguments: { message: "hello" } });
    expect(ending).toMatchObject({ ok: true, text: "Echo: hello" });
    const record = await recordOf(scene.control, "echo");
    expect(record).toMatchObject({ outcome: { kind: "answered", error: false }, serverName: "everything" });
    expect(record.principal.origin).toBe(new URL(scene.site.url).origin);
  });

  it("keeps a denied call from the server and tells the agent in a way it can act on", async () => {
    await saveRule(scene.control, {
      id: "no-notes",
      verdict: "deny",
      when: { server: [scene.ids.scripted], tool: ["note"] },
    });
    const before = scene.servers.scripted.received.filter((one) => one.method === "tools/call").length;
    const ending = await call(page, { server: "scripted", name: "note", arguments: { text: "secret plan" } });
    expect(ending).toMatchObject({ ok: false, code: null, refusal: { name: "denied" } });
    expect(scene.servers.scripted.received.filter((one) => one.method === "tools/call")).toHaveLength(before);
    expect(await recordOf(scene.control, "note")).toMatchObject({ outcome: { kind: "refused", name: "denied" } });
    await scene.control.ask("rule.delete", { id: "no-notes" });
  });

  it("asks before data leaves, shows every argument, and sends it once approved; the key is masked in the record", async () => {
    const { ending } = startCall(page, {
      server: "srift",
      name: "srift_quick_share",
      arguments: { filePath: "/home/ada/report.pdf", encrypt: true },
    });
    const seen = await answerConsent(scene.driver, "allow");
    expect(seen.focused).toContain("btn-deny");
    expect(seen.text).toContain("/home/ada/report.pdf");
    expect(seen.text).toContain("encrypt");
    const { ok, text } = await ending;
    expect(ok).toBe(true);
    const key = /#k=(\S+)/.exec(text)?.[1] ?? "no key came";
    const record = await recordOf(scene.control, "srift_quick_share");
    expect(record.answered).toMatchObject({ answer: "allowed" });
    expect(record.reply?.findings.map((finding) => finding.kind)).toContain("secret");
    expect(JSON.stringify(record)).not.toContain(key);
  });

  it("tells the agent when the person refuses", async () => {
    const { ending } = startCall(page, {
      server: "srift",
      name: "srift_quick_share",
      arguments: { filePath: "/home/ada/diary.txt", encrypt: false },
    });
    await answerConsent(scene.driver, "deny");
    expect(await ending).toMatchObject({ ok: false, refusal: { name: "denied" } });
    const shares = await call(page, { server: "srift", name: "srift_list_shares", arguments: {} });
    expect(shares.text).not.toContain("diary.txt");
  });

  it("takes the question back when the agent cancels while the person reads", async () => {
    const { ending } = startCall(page, {
      server: "srift",
      name: "srift_quick_share",
      arguments: { filePath: "/home/ada/late.txt", encrypt: true },
      key: "late",
    });
    const asked = await consentWindow(scene.driver);
    await asked.waitFor(".btn-deny");
    await page.evaluate(() => window.agent.cancel("late"));
    expect(await ending).toMatchObject({ ok: false });
    await until(async () => (await scene.control.ask("approvals.read", null)).approvals.every((one) => !one.live), {
      what: "the approval to be late",
      timeoutMs: 5000,
    });
    await asked.close();
  });

  it("stops a call at the server when the agent cancels it", async () => {
    scene.servers.scripted.behave("never");
    const { ending } = startCall(page, { server: "scripted", name: "note", arguments: { text: "slow" }, key: "slow" });
    await until(async () => scene.servers.scripted.waiting === 1, { what: "the call to arrive", timeoutMs: 5000 });
    await page.evaluate(() => window.agent.cancel("slow"));
    await ending;
    await until(
      async () =>
        scene.servers.scripted.waiting === 0 ||
        scene.servers.scripted.received.some((one) => one.method === "notifications/cancelled"),
      { what: "the server to hear of it", timeoutMs: 5000 },
    );
    await until(async () => (await recordOf(scene.control, "note")).outcome.kind === "fault", {
      what: "its record",
      timeoutMs: 5000,
    });
    scene.servers.scripted.behave("well");
  });

  it.each(["everything", "srift"])("passes progress of %s on as it comes", async (server) => {
    const errand =
      server === "srift"
        ? { server, name: "srift_slow", arguments: { seconds: 2 } }
        : { server, name: "trigger-long-running-operation", arguments: { duration: 2, steps: 4 } };
    const ending = await call(page, errand);
    expect(ending).toMatchObject({ ok: true, progress: [1, 2, 3, 4] });
  });

  it("carries many calls at once without mixing them", async () => {
    const sums = await page.evaluate(() =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          window.agent.call({ server: "everything", name: "get-sum", arguments: { a: n, b: 1000 }, key: `sum ${n}` }),
        ),
      ),
    );
    expect(sums.map((ending) => ending.text)).toEqual(
      Array.from({ length: 20 }, (_, n) => `The sum of ${n} and 1000 is ${n + 1000}.`),
    );
  });

  it("refuses while paused and goes on afterwards", async () => {
    await scene.control.ask("pause.set", { pause: { until: null } });
    const paused = await call(page, { server: "everything", name: "echo", arguments: { message: "now?" } });
    expect(paused).toMatchObject({ ok: false, refusal: { name: "paused" } });
    await scene.control.ask("pause.set", { pause: null });
    const resumed = await call(page, { server: "everything", name: "echo", arguments: { message: "now!" } });
    expect(resumed.text).toBe("Echo: now!");
  });
});
