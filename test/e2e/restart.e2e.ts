/** What a person decided and what happened is there again after the browser was closed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, saveRule } from "./journey.ts";

describe.each(journeyBrowsers())("A restart of %s", (browser) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { scripted: true, everything: true } });
  });
  afterAll(() => scene?.close());

  it("keeps servers, rules, connections and records, and the chain verifies", async () => {
    await saveRule(scene.control, { id: "no-env", verdict: "deny", when: { tool: ["get-env"] } });
    const page = await connectedPage(scene);
    await call(page, { server: "everything", name: "echo", arguments: { message: "before" } });
    await call(page, { server: "everything", name: "get-env", arguments: {} });
    const before = await scene.control.ask("records.page", { limit: 50 });

    await scene.driver.restart();

    const control = await scene.reopenControl();
    const after = await control.ask("records.page", { limit: 50 });
    expect(after.entries.slice(-before.entries.length)).toEqual(before.entries);
    expect(await control.ask("records.verify", null)).toMatchObject({ state: "whole" });
    expect((await control.ask("servers.read", null)).servers.map((view) => view.server.name).sort()).toEqual([
      "everything",
      "scripted",
    ]);
    const again = await scene.agentPage();
    expect(await again.evaluate(() => window.agent.servers())).toEqual(["everything", "scripted"]);
    expect(await call(again, { server: "everything", name: "get-env", arguments: {} })).toMatchObject({
      ok: false,
      refusal: { name: "denied" },
    });
    const echo = await call(again, { server: "everything", name: "echo", arguments: { message: "after" } });
    expect(echo.text).toBe("Echo: after");
    expect(await control.ask("records.verify", null)).toMatchObject({ state: "whole" });
  });
});
