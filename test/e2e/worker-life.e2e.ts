/** The browser ends the worker whenever it likes. Nothing is sent twice, nothing is lost in silence, and work goes on. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { answerConsent, consentWindow } from "../drivers/person.ts";
import { until } from "../drivers/wait.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, startCall } from "./journey.ts";

describe.each(journeyBrowsers())("The worker's death in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { share: true, scripted: true } });
    page = await connectedPage(scene);
  });
  afterAll(() => scene?.close());

  it("between two calls is not noticed by the agent", async () => {
    expect(await call(page, { server: "scripted", name: "note", arguments: { text: "one" } })).toMatchObject({
      ok: true,
    });
    await scene.driver.killWorker();
    expect(await call(page, { server: "scripted", name: "note", arguments: { text: "two" } })).toMatchObject({
      ok: true,
    });
  });

  it("after a call was sent ends it as unknown, and sends it no second time", async () => {
    scene.servers.scripted.behave("never");
    const { ending } = startCall(page, { server: "scripted", name: "note", arguments: { text: "once only" } });
    await until(async () => scene.servers.scripted.waiting === 1, { what: "the call to arrive", timeoutMs: 5000 });
    await scene.driver.killWorker();
    expect(await ending).toMatchObject({ ok: false, refusal: { name: "unknown", retry: "check" } });
    scene.servers.scripted.behave("well");
    expect(scene.servers.scripted.received.filter((one) => JSON.stringify(one).includes("once only"))).toHaveLength(1);
    const { entries } = await scene.control.ask("records.page", { limit: 5 });
    expect(entries[0]).toMatchObject({ tool: "note", outcome: { kind: "fault", name: "unknown" } });
  });

  it("leaves the next call alone", async () => {
    const ending = await call(page, { server: "scripted", name: "note", arguments: { text: "after" } });
    expect(ending).toMatchObject({ ok: true });
  });

  it("while the person is asked keeps the question and its answer", async () => {
    await page.front();
    const { ending } = startCall(page, {
      server: "srift",
      name: "srift_quick_share",
      arguments: { filePath: "/home/ada/kept.txt", encrypt: true },
    });
    const asked = await consentWindow(scene.driver);
    await asked.waitFor(".btn-deny");
    await scene.driver.killWorker();
    // Nothing had been sent: the agent may safely ask again, and the answer it is given meanwhile stands.
    expect(await ending).toMatchObject({ ok: false, refusal: { name: "not-sent", retry: "safe" } });
    await asked.waitFor(() => document.body.textContent?.includes("The agent has stopped waiting") === true);
    await answerConsent(scene.driver, "allow");
    const again = await call(page, {
      server: "srift",
      name: "srift_quick_share",
      arguments: { filePath: "/home/ada/kept.txt", encrypt: true },
    });
    expect(again.ok).toBe(true);
  });

  it("does not break the record's chain", async () => {
    expect(await scene.control.ask("records.verify", null)).toMatchObject({ state: "whole" });
  });
});
