/** A site gets nothing before a person connects it, and afterwards exactly what was left ticked. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOOR_PAGES } from "../../src/bridge/doors.ts";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { answerConsent } from "../drivers/person.ts";
import { pause } from "../drivers/wait.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call } from "./journey.ts";

describe.each(journeyBrowsers())("Connecting in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { everything: true, share: true, scripted: true } });
    page = await scene.agentPage();
  });
  afterAll(() => scene?.close());

  it("shows a page no server and carries no call before the person agreed", async () => {
    expect(await page.evaluate(() => window.agent.servers())).toEqual([]);
    const before = scene.servers.scripted.received.length;
    const ending = await call(page, { server: "scripted", name: "note", arguments: { text: "a" } });
    expect(ending.ok).toBe(false);
    expect(scene.servers.scripted.received).toHaveLength(before);
  });

  it("looks the same for a server that does not exist", async () => {
    const known = await call(page, { server: "scripted", name: "note", arguments: { text: "a" } });
    const unknown = await call(page, { server: "no-such-server", name: "note", arguments: { text: "a" } });
    expect({ ...unknown, ms: 0 }).toEqual({ ...known, ms: 0 });
  });

  it("opens no window for a script that asks without the person's act", async () => {
    const asked = page.evaluate(() =>
      Promise.race([
        window.agent.connect().then(
          () => "connected",
          () => "refused",
        ),
        new Promise<string>((resolve) => setTimeout(resolve, 1500, "waits")),
      ]),
    );
    await pause(1000);
    expect(await scene.driver.hasWindow(DOOR_PAGES.consent)).toBe(false);
    expect(await asked).not.toBe("connected");
    await page.close();
  });

  it("connects nothing when the person says not now", async () => {
    page = await scene.agentPage();
    await page.click("#connect");
    const seen = await answerConsent(scene.driver, "deny");
    expect(seen.text).toContain(new URL(scene.site.url).host);
    expect(seen.focused).toContain("btn-deny");
    await page.waitFor(() => window.connected !== undefined);
    expect(await page.evaluate(() => window.agent.servers())).toEqual([]);
  });

  it("names the site, the servers and their tools, and connects what was left ticked", async () => {
    await page.front();
    await page.click("#connect");
    const seen = await answerConsent(scene.driver, "allow");
    for (const word of ["everything", "srift", "scripted", "srift_quick_share", "get-env"]) {
      expect(seen.text).toContain(word);
    }
    await page.waitFor(() => window.connected !== undefined);
    expect(await page.evaluate(() => window.connected)).toEqual({ names: ["everything", "scripted", "srift"] });
  });

  it("lists the tools of a connected server", async () => {
    expect(await page.evaluate(() => window.agent.tools("everything"))).toEqual(
      expect.arrayContaining(["echo", "get-sum"]),
    );
    expect(await page.evaluate(() => window.agent.tools("srift"))).toEqual([
      "srift_quick_share",
      "srift_list_shares",
      "srift_slow",
    ]);
  });

  it("gives another origin of the same machine nothing", async () => {
    const other = await scene.agentPage(scene.site.otherUrl);
    expect(await other.evaluate(() => window.agent.servers())).toEqual([]);
    await other.close();
  });

  it("lists and calls with the older client too", async () => {
    await page.front();
    expect(await page.evaluate(() => window.agentV1.tools("everything"))).toContain("echo");
    const ending = await page.evaluate(() =>
      window.agentV1.call({ server: "everything", name: "echo", arguments: { message: "from version 1" } }),
    );
    expect(ending.text).toBe("Echo: from version 1");
  });
});
