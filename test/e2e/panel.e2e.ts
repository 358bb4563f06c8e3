/** The panel in the developer tools shows the calls of its own tab, as they happen, and why each ended as it did. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, saveRule } from "./journey.ts";

describe.each(journeyBrowsers())("The panel in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  let panel: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { everything: true } });
    page = await connectedPage(scene);
    await call(page, { server: "everything", name: "echo", arguments: { message: "before the panel" } });
    panel = await scene.driver.openPanel(page);
  });
  afterAll(() => scene?.close());

  it("shows what was called before it was opened", async () => {
    await panel.waitFor(() => document.body.textContent.includes("echo"));
  });

  it("shows a call as it happens, and that a rule stopped it", async () => {
    await saveRule(scene.control, { id: "no-sums", verdict: "deny", when: { tool: ["get-sum"] } });
    await call(page, { server: "everything", name: "get-sum", arguments: { a: 1, b: 2 } });
    await panel.waitFor(() => document.body.textContent.includes("get-sum"));
    await panel.waitFor(".v-deny");
  });

  it("shows nothing of another tab", async () => {
    const other = await scene.agentPage();
    await call(other, { server: "everything", name: "get-tiny-image", arguments: {} });
    expect(await panel.evaluate(() => document.body.textContent.includes("get-tiny-image"))).toBe(false);
    await other.close();
  });
});
