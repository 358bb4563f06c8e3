/** An organisation's policy: there, broken, gone; and what the person and the agent see of it each time. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ManagedView } from "../../src/bridge/policy-api.ts";
import { distOf, openScene, type Scene } from "../demo/scene.ts";
import { type Control, openControl } from "../drivers/control.ts";
import type { Tab } from "../drivers/driver.ts";
import { canManage, foundOrganisation, type Organisation } from "../drivers/organisation.ts";
import { until } from "../drivers/wait.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage } from "./journey.ts";

const ECHO = { server: "everything", name: "echo", arguments: { message: "hello" } };
const DENY_ECHO = JSON.stringify({
  version: 1,
  rules: [{ id: "no-echo", verdict: "deny", on: ["request"], when: { tool: ["echo"] }, note: "Nobody echoes here" }],
});

describe.each(journeyBrowsers())("In %s", (browser) => {
  describe.runIf(canManage(browser))("an organisation's policy", () => {
    let organisation: Organisation;
    let scene: Scene;
    let control: Control;
    let page: Tab;
    beforeAll(async () => {
      organisation = foundOrganisation(browser, distOf(browser));
      scene = await openScene({ browser, servers: { everything: true }, ...organisation.launch });
      control = scene.control;
      page = await connectedPage(scene);
    });
    afterAll(async () => {
      await scene?.close();
      organisation?.dissolve();
    });

    const restart = async () => {
      await scene.driver.restart();
      control = await openControl(scene.driver);
      page = await scene.agentPage();
    };

    /** As the administrator does it; Firefox looks again only when it starts. */
    const set = async (policy: unknown, state: ManagedView["state"]) => {
      organisation.set(policy);
      if (browser === "firefox") await restart();
      await until(async () => (await control.ask("rules.read", null)).managed.state === state, {
        what: `the managed policy to be ${state}`,
        timeoutMs: 30_000,
      });
      await page.front();
    };

    const inPopup = async () => {
      const popup = await scene.driver.openPopup(page);
      await popup.waitFor('[aria-labelledby="rules"]');
      const text = await popup.text("body");
      await popup.close();
      await page.front();
      return text;
    };

    it("is none at first", async () => {
      expect((await control.ask("rules.read", null)).managed).toEqual({ state: "none" });
      expect(await call(page, ECHO)).toMatchObject({ ok: true });
    });

    it("narrows what the person allows, and is shown as the organisation's", async () => {
      await set(DENY_ECHO, "in-force");
      expect(await call(page, ECHO)).toMatchObject({ ok: false, refusal: { name: "denied" } });
      const text = await inPopup();
      expect(text).toContain("Your organisation has set 1 rule here.");
      expect(text).toContain("Nobody echoes here");
    });

    it("goes on ruling when the worker dies", async () => {
      await scene.driver.killWorker();
      expect(await call(page, ECHO)).toMatchObject({ ok: false, refusal: { name: "denied" } });
    });

    it("goes on ruling when the browser starts again", async () => {
      await restart();
      expect(await call(page, ECHO)).toMatchObject({ ok: false, refusal: { name: "denied" } });
    });

    it("cannot be overruled by a rule of the person's", async () => {
      const rule = { id: "mine", verdict: "allow", priority: 1000, on: ["request"], when: {}, mode: "enforce" };
      expect(await control.ask("rule.save", { rule })).toEqual({ problems: [] });
      expect(await call(page, ECHO)).toMatchObject({ ok: false, refusal: { name: "denied" } });
      await control.ask("rule.delete", { id: "mine" });
    });

    it("closes everything when it cannot be read, and says why", async () => {
      await set('{ "version": 1, "rules": [ { "id": "x", "verdct": "deny" } ] }', "unreadable");
      const get = { ...ECHO, name: "get-sum", arguments: { a: 1, b: 2 } };
      for (const errand of [ECHO, get]) {
        expect(await call(page, errand)).toMatchObject({ ok: false, refusal: { name: "denied" } });
      }
      const text = await inPopup();
      expect(text).toContain("Your organisation’s rules cannot be read, so nothing passes.");
      expect(text).toContain("verdct");
    });

    it("ends when it is taken away", async () => {
      await set(undefined, "none");
      expect(await call(page, ECHO)).toMatchObject({ ok: true });
    });
  });
});
