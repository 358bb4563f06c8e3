/** The popup is where a person makes and changes rules; each change counts for the very next call. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { until } from "../drivers/wait.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage } from "./journey.ts";

const ECHO = { server: "everything", name: "echo", arguments: { message: "hello" } };

describe.each(journeyBrowsers())("The popup in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { everything: true } });
    page = await connectedPage(scene);
    expect(await call(page, ECHO)).toMatchObject({ ok: true });
  });
  afterAll(() => scene?.close());

  /** Opens the real popup over the page, acts in it, and closes it. */
  const inPopup = async (act: (popup: Tab) => Promise<void>) => {
    const popup = await scene.driver.openPopup(page);
    await popup.waitFor('[aria-labelledby="rules"]');
    await act(popup);
    await popup.close();
    await page.front();
  };

  const rules = async () => (await scene.control.ask("rules.read", null)).rules;

  it("shows the site, its server and the call it made", async () => {
    await inPopup(async (popup) => {
      const text = await popup.text("body");
      expect(text).toContain(new URL(scene.site.url).host);
      expect(text).toContain("everything");
      expect(text).toContain("echo");
    });
  });

  it("adds a rule that stops the next call", async () => {
    await inPopup(async (popup) => {
      await popup.click('[aria-labelledby="rules"] header button');
      await popup.waitFor("#rule-target");
      await choose(popup, "#rule-target", `${scene.ids.everything}\necho`);
      await popup.click(".p-form label:has(.v-deny)");
      await popup.click('.p-form button[type="submit"]');
      await popup.waitFor(".p-rule");
    });
    expect(await call(page, ECHO)).toMatchObject({ ok: false, refusal: { name: "denied" } });
  });

  it("changes a rule's verdict, effective at once", async () => {
    await inPopup(async (popup) => {
      await choose(popup, ".p-rule select", "allow");
      await until(
        async () => (await popup.evaluate(() => document.querySelector(".p-rule .v-allow") !== null)) || false,
        {
          what: "the popup to show the new verdict",
          timeoutMs: 5000,
        },
      );
    });
    expect((await rules())[0]?.verdict).toBe("allow");
    expect(await call(page, ECHO)).toMatchObject({ ok: true });
  });

  it("switches a rule off and on", async () => {
    await inPopup(async (popup) => {
      await choose(popup, ".p-rule select", "deny");
      await popup.waitFor(".p-rule .v-deny");
      await popup.click(".p-rule .switch");
      await popup.waitFor('.p-rule .switch[aria-checked="false"]');
    });
    expect(await call(page, ECHO)).toMatchObject({ ok: true });
    await inPopup(async (popup) => {
      await popup.click(".p-rule .switch");
      await popup.waitFor('.p-rule .switch[aria-checked="true"]');
    });
    expect(await call(page, ECHO)).toMatchObject({ ok: false });
  });

  it("is worked by keys alone: a rule's verdict, its switch, and the way back", async () => {
    // In a tab of its own, where the keys of either browser are a person's.
    const popup = await scene.driver.extensionPage(`/src/ui/popup/index.html?tabId=${await page.tabId()}`);
    await popup.front();
    await reach(popup, ".p-rule select");
    await popup.press("ArrowUp");
    await popup.waitFor(".p-rule .v-ask");
    await reach(popup, ".p-rule .switch");
    await popup.press("Enter");
    await popup.waitFor('.p-rule .switch[aria-checked="false"]');
    await reach(popup, ".p-undo .btn");
    await popup.press("Enter");
    await popup.waitFor('.p-rule .switch[aria-checked="true"]');
    await reach(popup, ".p-rule select");
    await popup.press("ArrowDown");
    await popup.waitFor(".p-rule .v-deny");
    await popup.close();
    await page.front();
    expect(await call(page, ECHO)).toMatchObject({ ok: false });
  });

  it("deletes a rule", async () => {
    await inPopup(async (popup) => {
      await popup.click(".p-rule .btn-i");
      await popup.waitFor(() => document.querySelector(".p-rule") === null);
    });
    expect(await rules()).toEqual([]);
    expect(await call(page, ECHO)).toMatchObject({ ok: true });
  });
});

/** Goes there with the Tab key, as somebody without a pointer does. */
async function reach(tab: Tab, selector: string): Promise<void> {
  await tab.waitFor(selector);
  await until(
    async () => {
      if (await isFocused(tab, selector)) return true;
      await tab.press("Tab");
      return false;
    },
    { what: `the Tab key to reach ${selector}`, timeoutMs: 10_000, everyMs: 1 },
  );
}

function isFocused(tab: Tab, selector: string): Promise<boolean> {
  return tab.evaluate((wanted: string) => document.activeElement?.matches(wanted) === true, selector);
}

async function choose(tab: Tab, selector: string, value: string): Promise<void> {
  await tab.waitFor(selector);
  await tab.evaluate(
    (wanted: string, option: string) => {
      const select = document.querySelector<HTMLSelectElement>(wanted);
      if (select === null) return;
      select.value = option;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    },
    selector,
    value,
  );
}
