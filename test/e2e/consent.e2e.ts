/**
 * What a person is asked, and what nobody can do in their stead: answering by keyboard alone, and every way a page has of
 * getting a yes that was not meant. Where each way is walked, in both browsers:
 *
 * | way                                     | journey                                                                  |
 * | --------------------------------------- | ------------------------------------------------------------------------ |
 * | keyboard only: connect                  | connects by keyboard alone                                               |
 * | keyboard only: allow, deny              | allows and denies a call by keyboard alone                               |
 * | keyboard only: a grant, taking it back  | consent-life: gives and takes back a grant by keyboard alone             |
 * | keyboard only: pause                    | pauses one site by keys in the popup …                                   |
 * | an overlaying, framing page             | cannot be framed by a page …                                             |
 * | a storm of popups                       | consent-life: is not answered by a page that opens windows over it       |
 * | focus that comes and goes               | arms anew after the focus was somewhere else                             |
 * | double click                            | takes no double click …                                                  |
 * | key repeat, scripted click              | takes no key that was held down …                                        |
 * | content that changes while arming       | starts again when an identical call comes …                              |
 * | identical calls together, others never  | the same; opens one window for a hundred different calls …               |
 * | a hundred queued approvals              | opens one window for a hundred different calls …                         |
 * | right-to-left, zero-width, twins        | shows what cannot be seen and what reorders …                            |
 * | an argument of one megabyte             | shows an argument of one megabyte whole …                                |
 * | look-alike site names                   | names a site that looks like another …                                   |
 * | a site inside another                   | consent-life: names both sites where one asks inside the other           |
 * | worker killed while the window is open  | is asked about in the same window …                                      |
 * | browser ended while an approval waits   | consent-life: keeps a waiting approval over the browser's end            |
 * | site disconnected mid-approval          | takes a session's question back with its site …                          |
 * | a late approval                         | consent-life: keeps a late approval for the same call, once              |
 * | three refusals, then silence            | opens no fourth window …                                                 |
 * | connecting without the person's act     | connect: opens no window for a script that asks without the person's act |
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { answerConsent, closeConsent, consentWindow } from "../drivers/person.ts";
import { pause, until } from "../drivers/wait.ts";
import { allowByKeys, arm, ask as askCall, enter, focused, has, over } from "./asked.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, saveRule, startCall } from "./journey.ts";

/** So much to read that the wait alone does not arm Allow, however slow what is done meanwhile. */
const LONG = "\nline".repeat(40);

describe.each(journeyBrowsers())("Consent in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { scripted: true } });
    page = await scene.agentPage();
    await saveRule(scene.control, {
      id: "ask-note",
      verdict: "ask",
      note: "Ask about notes.",
      when: { server: [scene.ids.scripted], tool: ["note"] },
    });
  });
  afterAll(() => scene?.close());
  /** What one journey left unanswered is no part of the next. */
  afterEach(async () => {
    await scene.control.ask("pause.set", { pause: { until: null } });
    await scene.control.ask("pause.set", { pause: null });
    await closeConsent(scene.driver);
  });

  const note = (text: string) => ({ server: "scripted", name: "note", arguments: { text } });
  const sent = (text: string) =>
    scene.servers.scripted.received.filter((one) => one.method === "tools/call" && JSON.stringify(one).includes(text))
      .length;
  const waiting = async () => (await scene.control.ask("approvals.read", null)).approvals;

  const ask = (text: string) => askCall(scene.driver, page, note(text));

  it("connects by keyboard alone", async () => {
    await page.front();
    await page.evaluate(() => document.querySelector<HTMLElement>("#connect")?.focus());
    await page.press("Enter");
    const asked = await consentWindow(scene.driver);
    await asked.waitFor(".btn-deny");
    await asked.front();
    expect(await focused(asked)).toContain("btn-deny");
    await allowByKeys(asked);
    await page.waitFor(() => window.connected !== undefined);
    expect(await page.evaluate(() => window.connected)).toEqual({ names: ["scripted"] });
    await asked.close().catch(() => undefined);
  });

  it("allows and denies a call by keyboard alone", async () => {
    const first = await ask("typed yes");
    await allowByKeys(first.asked);
    expect(await first.ending).toMatchObject({ ok: true });
    await over(first.asked);
    await first.asked.close().catch(() => undefined);
    const second = await ask("typed no");
    expect(await focused(second.asked)).toContain("btn-deny");
    await enter(second.asked);
    expect(await second.ending).toMatchObject({ ok: false, refusal: { name: "denied" } });
    expect([sent("typed yes"), sent("typed no")]).toEqual([1, 0]);
    await second.asked.close().catch(() => undefined);
  });

  it("takes no double click of one who was clicking when the window came", async () => {
    const { ending, asked } = await ask(`double click${LONG}`);
    await asked.click(".btn-arm");
    await asked.click(".btn-arm");
    await pause(300);
    expect(sent("double click")).toBe(0);
    expect(await waiting()).toHaveLength(1);
    await arm(asked);
    await asked.click(".btn-arm");
    expect(await ending).toMatchObject({ ok: true });
    expect(sent("double click")).toBe(1);
    await asked.close().catch(() => undefined);
  });

  it("takes no key that was held down when the window came", async () => {
    const { ending, asked } = await ask(`held key${LONG}`);
    await asked.press("Tab");
    await asked.hold("Enter", 30);
    expect(sent("held key")).toBe(0);
    await arm(asked);
    await asked.hold("Enter", 0).catch(() => undefined);
    expect(await ending).toMatchObject({ ok: true });
    const again = await ask("held key again");
    await arm(again.asked);
    await again.asked.evaluate(() =>
      document.querySelector<HTMLElement>(".btn-arm")?.dispatchEvent(new MouseEvent("click", { bubbles: true })),
    );
    await pause(300);
    expect(sent("held key again")).toBe(0);
    await enter(again.asked);
    expect(await again.ending).toMatchObject({ ok: false });
    await again.asked.close().catch(() => undefined);
  });

  it("starts again when an identical call comes, and answers both together only after a look at both", async () => {
    const { ending, asked } = await ask(`twins${LONG}`);
    await arm(asked);
    const second = startCall(page, { ...note(`twins${LONG}`), key: "second" });
    await asked.waitFor(() => document.body.textContent?.includes("2 identical") === true);
    expect(await has(asked, '.btn-arm[aria-disabled="true"]')).toBe(true);
    expect(await asked.text("body")).toContain("The request changed while you were looking");
    expect(await asked.text(".c-foot")).toContain("Allow all 2 calls");
    expect(await focused(asked)).toContain("btn-deny");
    await asked.click(".btn-arm");
    expect(sent("twins")).toBe(0);
    await arm(asked);
    await asked.click(".btn-arm");
    expect(await ending).toMatchObject({ ok: true });
    expect(await second.ending).toMatchObject({ ok: true });
    expect(sent("twins")).toBe(2);
    await asked.close().catch(() => undefined);
  });

  it("shows what cannot be seen and what reorders, in words", async () => {
    const { ending, asked } = await ask("pay\u200b 100\u202etxt.exe\u2066 to \u0430da");
    const text = await asked.text(".c-body");
    for (const word of ["ZWSP", "RLO", "LRI", "3 invisible characters", "1 letter only looks like a Latin one"])
      expect(text).toContain(word);
    expect(text).not.toMatch(/[\u200b\u202e\u2066]/);
    await enter(asked);
    await ending;
    await asked.close().catch(() => undefined);
  });

  it("shows an argument of one megabyte whole, with its length, and never scrolls sideways", async () => {
    const { ending, asked } = await ask(`${"long ".repeat(210_000)}end`);
    const seen = await asked.evaluate(() => ({
      body: document.querySelector(".args .slip")?.textContent?.length ?? 0,
      text: document.querySelector(".c-exact")?.textContent ?? "",
      sideways: [...document.querySelectorAll("html, .c-body, .slip")].some((box) => box.scrollWidth > box.clientWidth),
    }));
    expect(seen.body).toBeGreaterThan(1_050_000);
    expect(seen.text).toMatch(/1,050,0\d\d bytes/);
    expect(seen.sideways).toBe(false);
    await pause(1000);
    expect(await has(asked, '.btn-arm[aria-disabled="true"]')).toBe(true);
    await enter(asked);
    expect(await ending).toMatchObject({ ok: false });
    await asked.close().catch(() => undefined);
  });

  it("takes a session's question back with its site, mid-decision", async () => {
    const { ending, asked } = await ask("gone");
    await arm(asked);
    const [approval] = await waiting();
    const principal = approval?.principal;
    if (!principal) throw new Error("Nothing waits.");
    const serverId = scene.ids.scripted ?? "";
    await scene.control.ask("site.disconnect", { principal, serverId });
    expect(await ending).toMatchObject({ ok: false, refusal: { name: "cancelled" } });
    await over(asked);
    expect(await asked.text("body").catch(() => "Nothing to decide")).toContain("Nothing to decide");
    expect(sent("gone")).toBe(0);
    await asked.close().catch(() => undefined);
    await page.close();
    page = await connectedPage(scene);
  });

  it("is asked about in the same window when the worker was killed under it", async () => {
    const { ending, asked } = await ask("killed");
    await scene.driver.killWorker();
    expect(await ending).toMatchObject({ ok: false, refusal: { name: "not-sent" } });
    await asked.waitFor(() => document.body.textContent?.includes("The agent has stopped waiting") === true);
    const again = startCall(page, note("killed"));
    await asked.waitFor(() => document.body.textContent?.includes("The agent has stopped waiting") === false);
    expect(await waiting()).toHaveLength(1);
    await asked.front();
    await arm(asked);
    await asked.click(".btn-arm");
    expect(await again.ending).toMatchObject({ ok: true });
    expect(sent("killed")).toBe(1);
    await asked.close().catch(() => undefined);
  });

  it("lets ticked values pass until it is taken back in the popup", async () => {
    const { ending, asked } = await ask("same value");
    await asked.click("input[value=values]");
    await asked.waitFor(".c-values input");
    await asked.click(".c-values input");
    await asked.waitFor(".c-values .slip");
    expect(await asked.text(".c-values")).toContain('{"/text": {"equals": "same value"}}');
    await arm(asked);
    await asked.click(".btn-arm");
    expect(await ending).toMatchObject({ ok: true });
    await asked.close().catch(() => undefined);
    await page.front();
    expect(await call(page, note("same value"))).toMatchObject({ ok: true });
    const popup = await scene.driver.openPopup(page);
    await popup.waitFor(".p-grant");
    await popup.click(".p-grant button");
    await until(async () => (await scene.control.ask("grants.read", null)).grants.length === 0, {
      what: "the grant to be gone",
      timeoutMs: 5000,
    });
    await popup.close();
    const again = await ask("same value");
    await enter(again.asked);
    expect(await again.ending).toMatchObject({ ok: false });
    await again.asked.close().catch(() => undefined);
  });

  it("pauses one site by keys in the popup, ends what waits there, and refuses at once", async () => {
    const { ending, asked } = await ask("paused");
    // Closing the window decides nothing; the call waits on.
    await asked.close();
    await page.front();
    const popup = await scene.driver.openPopup(page);
    await popup.waitFor(".p-head .switch:not([disabled])");
    await popup.press("p");
    await popup.waitFor(".p-menu");
    await popup.waitFor(() => document.activeElement?.getAttribute("role") === "menuitem");
    await popup.press("4");
    expect(await ending).toMatchObject({ ok: false, refusal: { name: "cancelled" } });
    await popup.close().catch(() => undefined);
    expect(await call(page, note("paused too"))).toMatchObject({ ok: false, refusal: { name: "paused" } });
    const { pauses } = await scene.control.ask("overview.read", null);
    expect(pauses).toMatchObject([{ site: new URL(scene.site.url).origin }]);
    const scope = { kind: "site", site: new URL(scene.site.url).origin } as const;
    await scene.control.ask("pause.set", { pause: null, scope });
  });

  it("opens one window for a hundred different calls, and none by itself once that is closed", async () => {
    await page.front();
    await page.evaluate(() => {
      for (let n = 0; n < 100; n++)
        void window.agent.call({
          server: "scripted",
          name: "note",
          arguments: { text: `storm ${n}` },
          key: `storm ${n}`,
        });
    });
    await until(async () => (await waiting()).length === 100, { what: "a hundred questions", timeoutMs: 20_000 });
    const asked = await consentWindow(scene.driver);
    await asked.waitFor(() => document.body.textContent?.includes("1 of 100") === true);
    await asked.close();
    await pause(1000);
    expect(await scene.driver.hasWindow(DOOR_PAGES.consent)).toBe(false);
    const [approval] = await waiting();
    const serverId = scene.ids.scripted ?? "";
    if (approval) await scene.control.ask("site.disconnect", { principal: approval.principal, serverId });
    expect(await waiting()).toEqual([]);
    expect(sent("storm")).toBe(0);
    await page.close();
  });

  it("cannot be framed by a page, and a click where a frame of it would be answers nothing", async () => {
    page = await connectedPage(scene);
    const { ending, asked } = await ask("framed");
    const address = await asked.url();
    await page.front();
    const seen = await page.evaluate(async (src: string) => {
      const frame = Object.assign(document.createElement("iframe"), { src, width: "420", height: "640" });
      frame.id = "framed";
      document.body.prepend(frame);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return frame.contentWindow?.length ?? 0;
    }, address);
    expect(seen).toBe(0);
    await page.click("#framed");
    expect(sent("framed")).toBe(0);
    expect(await waiting()).toHaveLength(1);
    await asked.front();
    await enter(asked);
    expect(await ending).toMatchObject({ ok: false });
    await asked.close().catch(() => undefined);
  });

  it("arms anew after the focus was somewhere else", async () => {
    const { ending, asked } = await ask("focus");
    await arm(asked);
    await page.front();
    const lost = await until(async () => !(await asked.evaluate(() => document.hasFocus())), {
      what: "the focus to be lost",
      timeoutMs: 1500,
    }).catch(() => false);
    // Where headless windows keep their focus there is nothing to lose; the rule itself is in the laws.
    if (lost) await asked.waitFor('.btn-arm[aria-disabled="true"]');
    await asked.front();
    await enter(asked);
    expect(await ending).toMatchObject({ ok: false });
    await asked.close().catch(() => undefined);
  });

  it("names a site that looks like another by the letters it is made of", async () => {
    const twin = new URL(scene.site.url);
    twin.hostname = "\u0430pple.localhost";
    const other = await scene.agentPage(twin.href);
    await other.click("#connect");
    const seen = await answerConsent(scene.driver, "deny");
    expect(seen.text).toContain("xn--pple-43d.localhost");
    expect(seen.text).toContain("Look at the site’s name");
    expect(seen.text).not.toContain("\u0430pple");
    await other.close();
  });

  it("opens no fourth window for a site that was refused three times", async () => {
    const pushy = await scene.agentPage(scene.site.otherUrl);
    for (let time = 0; time < 3; time++) {
      await pushy.front();
      await pushy.click("#connect");
      await answerConsent(scene.driver, "deny");
      await pushy.waitFor(() => window.connected !== undefined);
    }
    await pushy.front();
    await pushy.click("#connect");
    await pushy.waitFor(() => window.connected?.problem !== undefined);
    expect(await waiting()).toEqual([]);
    expect(await scene.driver.hasWindow(DOOR_PAGES.consent)).toBe(false);
    await pushy.close();
  });
});
