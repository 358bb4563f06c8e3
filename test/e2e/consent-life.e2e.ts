/** How long a question and its answer live, who else may be in the picture, and what keys alone can give and take back. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { answerConsent, closeConsent } from "../drivers/person.ts";
import { pause, until } from "../drivers/wait.ts";
import { allowByKeys, arm, ask as askCall, enter, over } from "./asked.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, saveRule } from "./journey.ts";

describe.each(journeyBrowsers())("A question's life in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { scripted: true } });
    page = await connectedPage(scene);
    await saveRule(scene.control, { id: "ask-note", verdict: "ask", when: { tool: ["note"] } });
  });
  afterAll(() => scene?.close());
  afterEach(async () => {
    await closeConsent(scene.driver);
  });

  const note = (text: string) => ({ server: "scripted", name: "note", arguments: { text } });
  const sent = (text: string) =>
    scene.servers.scripted.received.filter((one) => one.method === "tools/call" && JSON.stringify(one).includes(text))
      .length;
  const waiting = async () => (await scene.control.ask("approvals.read", null)).approvals;
  const grants = async () => (await scene.control.ask("grants.read", null)).grants;
  const ask = (text: string) => askCall(scene.driver, page, note(text));

  it("gives and takes back a grant by keyboard alone", async () => {
    const { ending, asked } = await ask("by keys");
    // Backwards from Deny: the choices of how far a yes reaches.
    await asked.press("Shift+Tab");
    await asked.press("ArrowDown");
    await asked.press("ArrowDown");
    await asked.waitFor(".c-values input");
    await asked.press("Tab");
    await asked.press("Space");
    await asked.waitFor(".c-values .slip");
    for (let step = 0; step < 3; step++) await asked.press("Tab");
    expect(await asked.evaluate(() => document.activeElement?.className ?? "")).toContain("btn-deny");
    await allowByKeys(asked);
    expect(await ending).toMatchObject({ ok: true });
    expect(await grants()).toMatchObject([{ pattern: '{"/text": {"equals": "by keys"}}' }]);
    await asked.close().catch(() => undefined);

    const dashboard = await scene.driver.extensionPage(`${DOOR_PAGES.dashboard}#approvals`);
    await dashboard.front();
    await dashboard.waitFor("td.act button:not([disabled])");
    await until(
      async () => {
        await dashboard.press("Tab");
        return dashboard.evaluate(() => document.activeElement?.matches("td.act button") === true);
      },
      { what: "the grant's button to be reached by Tab", timeoutMs: 10_000 },
    );
    await dashboard.press("Enter");
    await until(async () => (await grants()).length === 0, { what: "the grant to be gone", timeoutMs: 5_000 });
    await dashboard.close();
  });

  it("is not answered by a page that opens windows over it", async () => {
    const { ending, asked } = await ask("storm of windows");
    await arm(asked);
    await page.evaluate(() => {
      const storm = Array.from({ length: 8 }, (_, n) => open("about:blank", `storm${n}`, "popup,width=436,height=640"));
      for (const one of storm) one?.focus();
      Object.assign(window, { storm });
    });
    await pause(300);
    expect(sent("storm of windows")).toBe(0);
    expect(await waiting()).toHaveLength(1);
    if (!(await asked.evaluate(() => document.hasFocus()))) await asked.waitFor('.btn-arm[aria-disabled="true"]');
    await page.evaluate(() => {
      for (const one of (window as unknown as { storm: (Window | null)[] }).storm) one?.close();
    });
    await asked.front();
    await arm(asked);
    await asked.click(".btn-arm");
    expect(await ending).toMatchObject({ ok: true });
    await asked.close().catch(() => undefined);
  });

  it("keeps a late approval for the same call, once", async () => {
    const { ending, asked } = await ask("late");
    await page.evaluate(() => window.agent.cancel(""));
    expect(await ending).toMatchObject({ ok: false });
    await asked.waitFor(() => document.body.textContent?.includes("The agent has stopped waiting") === true);
    await asked.front();
    await arm(asked);
    await asked.click(".btn-arm");
    await over(asked);
    await asked.close().catch(() => undefined);
    expect(sent("late")).toBe(0);
    const [view] = await grants();
    expect(view?.grant).toMatchObject({ scope: "once", usesLeft: 1 });
    expect((view?.grant.expiresAt ?? 0) - (view?.grant.createdAt ?? 0)).toBe(10 * 60_000);
    await page.front();
    expect(await call(page, note("late"))).toMatchObject({ ok: true });
    expect(await grants()).toEqual([]);
    const again = await ask("late");
    await enter(again.asked);
    expect(await again.ending).toMatchObject({ ok: false, refusal: { name: "denied" } });
    expect(sent("late")).toBe(1);
  });

  it("names both sites where one asks inside the other", async () => {
    const inner = scene.site.otherUrl;
    const outer = await scene.driver.open(`${scene.site.url}frame?src=${encodeURIComponent(inner)}`);
    await outer.front();
    await outer.clickInside("iframe", "#connect:enabled");
    const seen = await answerConsent(scene.driver, "deny");
    expect(seen.text).toContain(`${new URL(inner).origin} inside ${new URL(scene.site.url).origin}`);
    await outer.close();
  });

  it("keeps a waiting approval over the browser's end", async () => {
    await ask("survivor");
    expect(await waiting()).toHaveLength(1);
    await scene.driver.restart();
    const control = await scene.reopenControl();
    const [left] = (await control.ask("approvals.read", null)).approvals;
    if (!left) throw new Error("The question is gone.");
    expect(left).toMatchObject({ kind: "call", live: false });
    await control.ask("approval.open", { id: left.id });
    const seen = await answerConsent(scene.driver, "allow");
    expect(seen.text).toContain("survivor");
    expect(seen.text).toContain("The agent has stopped waiting");
    const again = await scene.agentPage();
    expect(await call(again, note("survivor"))).toMatchObject({ ok: true });
    expect(sent("survivor")).toBe(1);
  });
});
