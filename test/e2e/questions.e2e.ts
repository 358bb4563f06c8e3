/**
 * A server that asks the person: its form in navra's own window, by keyboard alone; what it may not ask for; and a page that
 * it wants opened. The page of the agent sees neither questions nor answers.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../demo/scene.ts";
import type { Tab } from "../drivers/driver.ts";
import { closeConsent } from "../drivers/person.ts";
import { until } from "../drivers/wait.ts";
import { type AskingServer, startAsking } from "../servers/asking.ts";
import { arm, ask } from "./asked.ts";
import { journeyBrowsers } from "./browsers.ts";
import { call, connectedPage, recordOf } from "./journey.ts";

const FORM = {
  message: "Which room\u200b should I book?",
  requestedSchema: {
    type: "object",
    properties: {
      room: { type: "string", title: "Room", minLength: 2 },
      seats: { type: "integer", minimum: 1, maximum: 8, default: 4 },
    },
    required: ["room"],
  },
};
const SECRET = {
  message: "Confirm the booking.",
  requestedSchema: {
    type: "object",
    properties: { staff_pin: { type: "string" } },
    required: ["staff_pin"],
  },
};
const BOOK = { server: "asking", name: "book", arguments: {} };

/** axe as a function of its own text, which a page of ours could not load by itself. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const violations = Object.assign(async (): Promise<string[]> => [], {
  toString: () =>
    `() => { ${AXE}\n; return window.axe.run().then(({ violations }) => violations.map(({ id }) => id)); }`,
});

describe.each(journeyBrowsers())("A server's question in %s", (browser) => {
  let scene: Scene;
  let server: AskingServer;
  let page: Tab;
  beforeAll(async () => {
    server = await startAsking();
    scene = await openScene({ browser, servers: {} });
    const draft = { name: "asking", url: server.url, trust: "trusted" } as const;
    const added = await scene.control.ask("server.add", { draft });
    const id = added.server?.id ?? "";
    await scene.control.ask("server.update", { id, questions: "either" });
    page = await connectedPage(scene);
  });
  afterAll(async () => {
    await scene?.close();
    await server?.stop();
  });
  beforeEach(() => page.front());
  /** What one journey left unanswered is no part of the next. */
  afterEach(async () => {
    await closeConsent(scene.driver);
  });

  /** Starts the call, and gives the window with the question in front. */
  const asked = async (params: Readonly<Record<string, unknown>>) => {
    server.ask(params);
    const { ending, asked: window } = await ask(scene.driver, page, BOOK);
    return { ending, window };
  };
  const viewed = (times: number) =>
    until(async () => server.pageViews === times, { what: `the page to be opened ${times} times`, timeoutMs: 10_000 });
  const toField = async (window: Tab, tag: string) => {
    for (let stop = 0; stop < 12; stop++) {
      await window.press("Tab");
      if ((await window.evaluate(() => document.activeElement?.tagName)) === tag) return;
    }
    throw new Error(`No key leads to ${tag}.`);
  };
  const back = async (window: Tab) => {
    for (let stop = 0; stop < 12; stop++) {
      await window.press("Tab");
      if (await window.evaluate(() => document.activeElement?.classList.contains("btn-deny") === true)) return;
    }
    throw new Error("No key leads back.");
  };

  it("is answered by keyboard alone, and no page hears of it", async () => {
    const { ending, window } = await asked(FORM);
    const text = await window.text("body");
    for (const words of ["asking asks you for information", "during book", "ZWSP"]) expect(text).toContain(words);
    expect(await window.evaluate(violations)).toEqual([]);
    const sideways = () =>
      [...document.querySelectorAll("html, .c-body, .c-foot")].some((box) => box.scrollWidth > box.clientWidth);
    expect(await window.evaluate(sideways)).toBe(false);

    await toField(window, "INPUT");
    await window.evaluate(() => document.activeElement?.setAttribute("data-now", ""));
    await window.type("[data-now]", "Turing");
    // Enter in a box sends nothing.
    await window.press("Enter");
    expect(server.answers).toEqual([]);
    await back(window);
    await arm(window);
    await window.press("Tab");
    await window.press("Tab");
    expect(await window.evaluate(() => document.activeElement?.textContent)).toBe("Send answer");
    await window.press("Enter").catch(() => undefined);
    expect(await ending).toMatchObject({ ok: true, text: "booked: accept" });
    expect(server.answers.at(-1)?.result).toEqual({ action: "accept", content: { room: "Turing", seats: 4 } });
    expect(server.declared).toMatchObject({ elicitation: { form: {}, url: {} } });
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain("Turing");
    const record = await recordOf(scene.control, "book");
    expect(JSON.stringify(record)).not.toContain("Turing");
    await window.close().catch(() => undefined);
  });

  it("is declined", async () => {
    const { ending, window } = await asked(FORM);
    await window.press("Enter").catch(() => undefined);
    expect(await ending).toMatchObject({ text: "booked: decline" });
    await window.close().catch(() => undefined);
  });

  it("gives no secret away before the person says so deliberately", async () => {
    const { ending, window } = await asked(SECRET);
    expect(await window.text(".banner")).toContain("staff_pin is left out.");
    expect(await window.evaluate(() => document.querySelector("input[type=password]") === null)).toBe(true);
    // Until the browser has told what is in view, it says that there is more below.
    await window.waitFor(
      () =>
        document
          .querySelector("#why-not")
          ?.textContent?.includes("It asks for what servers may not ask for in a form") === true,
    );
    await window.click(".banner input");
    await window.waitFor("input[type=password]");
    await window.type("input[type=password]", "4711");
    await back(window);
    await arm(window);
    await window.click(".btn-arm");
    expect(await ending).toMatchObject({ text: "booked: accept" });
    expect(server.answers.at(-1)?.result).toEqual({ action: "accept", content: { staff_pin: "4711" } });
    await window.close().catch(() => undefined);
  });

  it("opens a page only after a yes, in a plain tab, and is over when the server says so", async () => {
    const { ending, window } = await asked({ mode: "url", message: "Sign in there.", url: server.pageUrl });
    expect(await window.text(".q-address")).toBe(server.pageUrl);
    await arm(window);
    expect(server.pageViews).toBe(0);
    await window.click(".btn-arm");
    await viewed(1);
    await window.waitFor(() => document.body.textContent?.includes("I am done") === true);
    await window.front();
    await window.click(".btn-bare");
    await viewed(2);
    server.finish();
    expect(await ending).toMatchObject({ text: "booked: accept" });
    await window.waitFor(() => document.body.textContent?.includes("The page is done with") === true);
    await window.close().catch(() => undefined);
  });

  it("never reaches the person where they did not let the server ask", async () => {
    const { servers } = await scene.control.ask("servers.read", null);
    const id = servers.find((one) => one.server.name === "asking")?.server.id ?? "";
    await scene.control.ask("server.update", { id, questions: "agent" });
    await page.front();
    expect(await call(page, BOOK)).toMatchObject({ text: "booked: undefined" });
    expect(server.answers.at(-1)?.error).toMatchObject({ code: -32601 });
  });
});
