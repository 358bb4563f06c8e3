/** A rule made from a denied call, as a person does it: checked while it is made, saved, in effect at once, taken back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, recordOf, saveRule } from "./journey.ts";

const ECHO = { server: "everything", name: "echo", arguments: { message: "hello" } };
const FORM = ".p-form";

describe.each(journeyBrowsers())("A rule from a denied call in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  let popup: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { everything: true } });
    page = await connectedPage(scene);
    const { origin } = new URL(scene.site.url);
    const when = { origin: [origin], server: [scene.ids.everything], tool: ["echo"] };
    await saveRule(scene.control, { id: "no-echo", verdict: "deny", when, note: "No echo" });
    expect(await call(page, ECHO)).toMatchObject({ ok: false, refusal: { name: "denied" } });
    await recordOf(scene.control, "echo");
  });
  afterAll(() => scene?.close());

  const openPopup = async () => {
    popup = await scene.driver.openPopup(page);
    await popup.waitFor('[aria-labelledby="rules"]');
  };

  it("begins at the refusal, with the call's own tool and site filled in", async () => {
    await openPopup();
    await popup.waitFor('[aria-labelledby="denied"]');
    expect(await popup.text('[aria-labelledby="denied"]')).toContain("No echo");
    await popup.click('[aria-labelledby="denied"] .acts .btn');
    await popup.waitFor(FORM);
    const target = await popup.evaluate(() => document.querySelector<HTMLSelectElement>("#rule-target")?.value ?? "");
    expect(target).toBe(`${scene.ids.everything}\necho`);
  });

  it("is checked while it is made: what it widens, and what it would have done to past calls", async () => {
    await popup.click(`${FORM} label:has(.v-allow)`);
    await popup.waitFor('.checked [data-impact="1"]');
    await popup.waitFor(".checked .hint-warn");
    const text = await popup.text(".checked");
    expect(text).toMatch(/Would have changed 1 of the last \d+ calls/);
    expect(text).toContain("Wider:");
    expect(text).toContain("“no-echo”");
  });

  it("takes effect with the next call", async () => {
    await popup.click(`${FORM} button[type="submit"]`);
    // The line may still speak of an earlier change for a moment.
    await popup.waitFor(() => document.querySelector(".p-undo")?.textContent?.includes("Made from a call"));
    expect(await popup.text(".p-undo")).toContain("New rule: Made from a call of echo on everything");
    await popup.close();
    await page.front();
    expect(await call(page, ECHO)).toMatchObject({ ok: true });
  });

  it("is taken back by one press, even in a popup opened later", async () => {
    await openPopup();
    await popup.click(".p-undo .btn");
    await popup.waitFor(() => document.querySelector(".p-undo") === null);
    await popup.close();
    await page.front();
    expect(await call(page, ECHO)).toMatchObject({ ok: false, refusal: { name: "denied" } });
    expect((await scene.control.ask("rules.read", null)).rules.map(({ id }) => id)).toEqual(["no-echo"]);
  });

  it("stands in the dashboard's history, with a way back to it", async () => {
    const dashboard = await scene.driver.extensionPage("/src/ui/dashboard/index.html#rules");
    await dashboard.waitFor(".history [data-act=undo]");
    expect(await dashboard.text(".history")).toContain("Took back a change of 1 rule");
    await dashboard.click(".history [data-act=undo]");
    await dashboard.waitFor(() => document.querySelectorAll(".history > li").length >= 4);
    await dashboard.close();
    await page.front();
    expect(await call(page, ECHO)).toMatchObject({ ok: true });
  });
});
