/** The dashboard's rules page: a rule made in the form, seen in the text, checked, saved, tried on a call, and taken back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, recordOf } from "./journey.ts";

const ECHO = { server: "everything", name: "echo", arguments: { message: "hello" } };

describe.each(journeyBrowsers())("The rules page in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  let rules: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { everything: true } });
    page = await connectedPage(scene);
    expect(await call(page, ECHO)).toMatchObject({ ok: true });
    await recordOf(scene.control, "echo");
    rules = await scene.driver.extensionPage("/src/ui/dashboard/index.html#rules");
    await rules.waitFor("[data-act=add]");
  });
  afterAll(() => scene?.close());

  const text = () => rules.evaluate(() => document.querySelector<HTMLTextAreaElement>(".lined-text")?.value ?? "");

  it("shows what happens where no rule speaks", async () => {
    expect(await rules.text("[data-default=read]")).toContain("tools that only read");
    expect(JSON.parse(await text())).toMatchObject({ default: { read: "allow", other: "ask" }, rules: [] });
  });

  it("writes what the form says into the text", async () => {
    await rules.click("[data-act=add]");
    await rules.waitFor("#form-tool");
    await rules.type("#form-note", "No echo");
    await rules.type("#form-tool", "ehco");
    await rules.press("Tab");
    await rules.click(".rule-form fieldset button:nth-of-type(3)");
    await rules.waitFor(() => document.querySelector<HTMLTextAreaElement>(".lined-text")?.value.includes('"deny"'));
    expect(JSON.parse(await text())).toMatchObject({
      rules: [{ note: "No echo", verdict: "deny", when: { tool: ["ehco"] } }],
    });
  });

  it("says that the rule never matches, and how it was meant", async () => {
    await rules.waitFor(".editor-check .hint-warn");
    expect(await rules.text(".editor-check")).toContain("echo");
  });

  it("shows which past calls would have ended otherwise", async () => {
    await rules.evaluate(() => document.querySelector<HTMLInputElement>("#form-tool")?.select());
    await rules.type("#form-tool", "echo");
    await rules.press("Tab");
    await rules.waitFor('.editor-check [data-impact="1"]');
    await rules.waitFor(".impact li");
    expect(await rules.text(".impact")).toContain("echo");
  });

  it("tries the draft on that call", async () => {
    await rules.click("[data-act=try]");
    await rules.waitFor(".tried-end");
    expect(await rules.text(".tried-end")).toContain("No echo");
  });

  it("saves it, effective at once", async () => {
    await rules.click("[data-act=save]");
    await rules.waitFor(".history [data-act=undo]");
    await page.front();
    expect(await call(page, ECHO)).toMatchObject({ ok: false, refusal: { name: "denied" } });
  });

  it("takes it back", async () => {
    await rules.front();
    await rules.click(".history [data-act=undo]");
    await rules.waitFor(() => document.querySelectorAll(".history > li").length === 2);
    await page.front();
    expect(await call(page, ECHO)).toMatchObject({ ok: true });
  });
});
