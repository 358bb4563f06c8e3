/**
 * A browser before which the built pages stand in any state, with a stand-in for the extension API, and what can be said
 * of a page as it stands: axe's opinion, whether anything in it scrolls sideways, and whether a sentence is missing.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, launch, type Page } from "puppeteer-core";
import { findBrowser } from "../browsers/find.ts";
import { type FakeBrowserData, installFakeBrowser } from "./fake-browser.ts";
import type { State } from "./state.ts";
import { serveFolder } from "./static-server.ts";

export type Theme = "light" | "dark";

export interface Studio {
  /** The page in that state, as it stands after it settled; what was thrown or logged goes into `problems`. */
  show(state: State, theme: Theme, problems: string[]): Promise<Page>;
  /** What axe finds in it, what can be scrolled sideways, and sentences that are missing. */
  inspect(page: Page): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openStudio(dist: string): Promise<Studio> {
  const manifest = JSON.parse(await readFile(join(dist, "manifest.json"), "utf8")) as {
    content_security_policy: { extension_pages: string };
  };
  const messages: FakeBrowserData["messages"] = JSON.parse(
    await readFile(join(dist, "_locales/en/messages.json"), "utf8"),
  );
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const server = await serveFolder(dist, manifest.content_security_policy.extension_pages);
  const browser: Browser = await launch({
    executablePath: await findBrowser("chromium"),
    args: ["--no-sandbox", "--force-color-profile=srgb", "--hide-scrollbars"],
  });
  return {
    async show(state, theme, problems) {
      const page = await browser.newPage();
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(message.text());
      });
      await page.setViewport({ width: state.width, height: state.height });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      // The runner's compiler names nested functions through a helper of its own, which a page does not have.
      await page.evaluateOnNewDocument("globalThis.__name = (named) => named");
      await page.evaluateOnNewDocument(installFakeBrowser, { messages, answers: state.answers });
      await page.goto(`${server.origin}/src/ui/${state.page}`);
      await page.bringToFront();
      await pass(state.settle ?? 250);
      if (state.act) {
        await state.act(page).catch((error: unknown) => problems.push(String(error)));
        await pass(250);
      }
      return page;
    },
    inspect: async (page) => [
      ...(await axeProblems(page, axe)),
      ...(await page.evaluate(sideways)),
      ...(await page.evaluate(bareKeys)),
    ],
    async close() {
      await browser.close();
      server.close();
    },
  };
}

async function axeProblems(page: Page, axe: string): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    interface Axe {
      run(): Promise<{ violations: { id: string; help: string; nodes: { target: unknown[]; html: string }[] }[] }>;
    }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help} (${nodes
          .map(({ target }) => String(target))
          .slice(0, 4)
          .join(" | ")})`,
    );
  });
}

/** The page where it is wider than the window, and in the approval window everything that a person could push sideways. */
function sideways(): string[] {
  const wide = [...document.querySelectorAll<HTMLElement>("html, body, main, .consent *")].filter((box) => {
    if (box.scrollWidth <= box.clientWidth + 1 || box.clientWidth === 0) return false;
    return box.matches("html, body, main") || ["auto", "scroll"].includes(getComputedStyle(box).overflowX);
  });
  return wide.map((box) => `scrolls sideways: ${box.tagName}.${box.className} ${box.scrollWidth}>${box.clientWidth}`);
}

/** Keys of sentences that stand where the sentence should, outside of what others wrote. */
function bareKeys(): string[] {
  const keys: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data = "", parentElement } = texts.currentNode as Text;
    if (parentElement?.closest(".said, .slip, script, style")) continue;
    keys.push(...(data.match(/\b(?:shared|popup|consent|dash|panel|record)_\w+/g) ?? []));
  }
  return keys.map((key) => `a sentence is missing: ${key}`);
}

/** Lets real time pass: animations, arming and silences of the pages run on the browser's own clock. */
function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
