/** Rules that come as a whole and go as a whole: presets, a file, a text from somebody; and an answer held for release. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { answerConsent } from "../drivers/person.ts";
import { until } from "../drivers/wait.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, recordOf, saveRule, startCall } from "./journey.ts";

const ECHO = { server: "everything", name: "echo", arguments: { message: "hello" } };
const PASSED = { ok: true };
const DENIED = { ok: false, refusal: { name: "denied" } };

declare global {
  interface Window {
    given: string;
  }
}

describe.each(journeyBrowsers())("A policy in %s", (browser) => {
  let scene: Scene;
  let page: Tab;
  let rules: Tab;
  beforeAll(async () => {
    scene = await openScene({ browser, servers: { everything: true } });
    page = await connectedPage(scene);
    await saveRule(scene.control, { id: "go", verdict: "allow", when: { tool: ["echo"] } });
    expect(await call(page, ECHO)).toMatchObject(PASSED);
    await recordOf(scene.control, "echo");
    rules = await scene.driver.extensionPage("/src/ui/dashboard/index.html#rules");
    await rules.waitFor("[data-preset=strict]");
  });
  afterAll(() => scene?.close());

  const confirm = async () => {
    await rules.waitFor("dialog[open] .btn-danger");
    const text = await rules.text("dialog[open]");
    await rules.click("dialog[open] .btn-danger");
    await rules.waitFor(() => document.querySelector("dialog[open]") === null);
    return text;
  };
  const tried = async () => {
    await page.front();
    const ending = await call(page, ECHO);
    await rules.front();
    return ending;
  };
  const inForce = async (count: number) => {
    await until(async () => (await scene.control.ask("rules.read", null)).rules.length === count, {
      what: `${count} rules to be in force`,
      timeoutMs: 5_000,
    });
  };
  const bring = (text: string) =>
    rules.evaluate((content) => {
      const input = document.querySelector<HTMLInputElement>("input[type=file]");
      const files = new DataTransfer();
      files.items.add(new File([content], "rules.json", { type: "application/json" }));
      if (input) input.files = files.files;
      input?.dispatchEvent(new Event("change", { bubbles: true }));
    }, text);

  it("is exported as the person sees it, without anything of the browser's", async () => {
    await rules.evaluate(() => {
      const real = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        if (blob instanceof Blob) void blob.text().then((text) => Object.assign(window, { given: text }));
        return real(blob);
      };
    });
    await rules.click("[data-act=export]");
    await rules.waitFor(() => window.given !== undefined);
    const file = JSON.parse(await rules.evaluate(() => window.given));
    expect(file).toMatchObject({ navra: 1, servers: [{ name: "everything" }], policy: { rules: [{ id: "go" }] } });
    expect(Object.keys(file)).toEqual(["navra", "servers", "policy"]);
  });

  it("becomes a preset only after what changes was shown, and is taken back whole", async () => {
    await rules.click("[data-preset=strict]");
    const text = await confirm();
    expect(text).toContain("Not wider: Where no rule speaks");
    expect(text).not.toContain("Wider:");
    expect(text).toMatch(/Would have changed \d+ of the last \d+ calls/);
    await until(async () => (await scene.control.ask("rules.read", null)).default.read === "ask", {
      what: "the preset to be in force",
      timeoutMs: 5_000,
    });
    await page.front();
    const { ending } = startCall(page, ECHO);
    await answerConsent(scene.driver, "deny");
    expect(await ending).toMatchObject(DENIED);
    await rules.front();
    await rules.click(".history [data-act=undo]");
    await inForce(1);
    expect(await tried()).toMatchObject(PASSED);
  });

  it("comes from a file rule by rule, with its servers switched off", async () => {
    const file = JSON.parse(await rules.evaluate(() => window.given));
    file.servers.push({ name: "elsewhere", url: "https://mcp.example.org/mcp", trust: "trusted" });
    file.policy.rules = [
      { id: "no-echo", verdict: "deny", priority: 500, when: { tool: ["echo"] }, note: "From a colleague" },
      { id: "open", verdict: "allow", when: { server: ["elsewhere"] } },
    ];
    await bring(JSON.stringify(file));
    const text = await confirm();
    expect(text).toContain("Never let any site use echo");
    expect(text).toContain("Wider: New: Allow any site to use elsewhere");
    expect(text).toContain("mcp.example.org");
    await inForce(3);
    const { servers } = await scene.control.ask("servers.read", null);
    expect(servers.find(({ server }) => server.name === "elsewhere")?.server).toMatchObject({
      enabled: false,
      trust: "untrusted",
    });
    expect(await tried()).toMatchObject(DENIED);
  });

  it("takes nothing from a file with anything wrong in it, and says what", async () => {
    await bring('{"navra":1,"policy":{"version":1,"rules":[{"id":"x","verdct":"deny","when":{}}]},"grants":[]}');
    await rules.waitFor('.banner[role="alert"]');
    expect(await rules.text('.banner[role="alert"]')).toContain(
      "A file brings rules, servers and limits and nothing else.",
    );
    await inForce(3);
  });

  it("is shared rule by rule as text", async () => {
    await rules.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: {
          writeText: async (text: string) => {
            window.given = text;
          },
        },
      });
    });
    await rules.click(".editor-form .row:last-child .btn:not(.btn-danger)");
    await rules.waitFor(() => window.given.includes('"verdict"') && !window.given.includes('"navra"'));
    expect(JSON.parse(await rules.evaluate(() => window.given))).toMatchObject({ id: expect.any(String), when: {} });
    await rules.waitFor(() => document.querySelector(".editor-form")?.textContent?.includes("Copied") === true);
  });

  it("says so where the default leaves a connected site nothing", async () => {
    await scene.control.ask("rules.write", {
      text: JSON.stringify({ version: 1, default: { read: "deny", other: "deny" }, rules: [] }),
    });
    await rules.waitFor("[data-coverage]");
    expect(await rules.text("[data-coverage]")).toMatch(
      /can use 0 of (\d+) tools of everything: \1 refused\. .*your default/,
    );
    const popup = await scene.driver.openPopup(page);
    await popup.waitFor('[aria-labelledby="servers"] .bad');
    expect(await popup.text('[aria-labelledby="servers"] .bad')).toContain("your default");
    await popup.close();
  });

  it("holds an answer until the person releases it, and the call is made once", async () => {
    await scene.control.ask("rules.write", {
      text: JSON.stringify([
        { id: "go", verdict: "allow", when: { tool: ["echo"] } },
        { id: "look-first", verdict: "ask", on: ["reply"], when: { tool: ["echo"] }, note: "Look at echoes" },
      ]),
    });
    await page.front();
    const kept = startCall(page, ECHO);
    const refused = await answerConsent(scene.driver, "deny");
    expect(refused.text).toContain("The answer of everything waits for your release");
    expect(refused.text).toContain("Look at echoes");
    expect(refused.text).toContain("hello");
    expect(await kept.ending).toMatchObject({ ok: false });
    expect(JSON.stringify(await kept.ending)).not.toContain("hello");
    await page.front();
    const given = startCall(page, ECHO);
    await answerConsent(scene.driver, "allow");
    expect(await given.ending).toMatchObject(PASSED);
  });
});
