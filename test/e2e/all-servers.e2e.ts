/** One channel to all servers of a site: an older and a newer server in one list, each called under its own rules. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { answerConsent } from "../drivers/person.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, recordOf, startCall } from "./journey.ts";

describe.each(journeyBrowsers())("All servers as one in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { everything: true, share: true } });
    page = await connectedPage(scene);
  });
  afterAll(() => scene?.close());

  it("lists both servers' tools, in order and in names that every model takes", async () => {
    const names = await page.evaluate(() => window.agent.tools("*"));
    expect(names).toContain("everything__echo");
    expect(names).toContain("srift__srift_quick_share");
    const servers = names.map((name) => name.split("__")[0]);
    expect(servers).toEqual([...servers].sort());
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it("carries a call to its server, and records it there under its own name", async () => {
    const ending = await call(page, { server: "*", name: "everything__echo", arguments: { message: "hello" } });
    expect(ending).toMatchObject({ ok: true, text: "Echo: hello" });
    expect(await recordOf(scene.control, "echo")).toMatchObject({ serverName: "everything" });
  });

  it("asks the person as always, naming the server and its tool", async () => {
    const { ending } = startCall(page, {
      server: "*",
      name: "srift__srift_quick_share",
      arguments: { filePath: "/home/ada/report.pdf", encrypt: true },
    });
    const seen = await answerConsent(scene.driver, "allow");
    expect(seen.text).toContain("srift");
    expect(seen.text).toContain("/home/ada/report.pdf");
    expect((await ending).ok).toBe(true);
    expect(await recordOf(scene.control, "srift_quick_share")).toMatchObject({ answered: { answer: "allowed" } });
  });
});
