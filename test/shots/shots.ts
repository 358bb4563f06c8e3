/**
 * Pictures of every page in every state, light and dark, and axe's opinion of each. Builds nothing: it serves a built
 * `dist/chromium` (or the folder named by `--dist`) with a stand-in for the extension API.
 *
 *   npm run shots [-- --dist <folder>] [--out <folder>] [--only <part of a name>]
 *
 * Exits 1 when axe finds something or a page throws.
 */
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, launch, type Page } from "puppeteer-core";
import { findBrowser } from "../browsers/find.ts";
import { type FakeBrowserData, installFakeBrowser } from "./fake-browser.ts";
import type { State } from "./state.ts";
import { STATES } from "./states.ts";
import { serveFolder } from "./static-server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

interface Studio {
  readonly browser: Browser;
  readonly origin: string;
  readonly out: string;
  readonly axe: string;
  readonly messages: FakeBrowserData["messages"];
}

const { values } = parseArgs({
  options: {
    dist: { type: "string", default: join(ROOT, "dist/chromium") },
    out: { type: "string", default: join(ROOT, "results/shots") },
    only: { type: "string", default: "" },
  },
});
process.exitCode = (await takeAll(values)) ? 0 : 1;

async function takeAll({ dist, out, only }: typeof values): Promise<boolean> {
  const manifest = JSON.parse(await readFile(join(dist, "manifest.json"), "utf8")) as {
    content_security_policy: { extension_pages: string };
  };
  const server = await serveFolder(dist, manifest.content_security_policy.extension_pages);
  const browser = await launch({
    executablePath: await findBrowser("chromium"),
    args: ["--no-sandbox", "--force-color-profile=srgb", "--hide-scrollbars"],
  });
  const studio: Studio = {
    browser,
    origin: server.origin,
    out,
    axe: await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"),
    messages: JSON.parse(await readFile(join(dist, "_locales/en/messages.json"), "utf8")),
  };
  await mkdir(out, { recursive: true });
  const problems: string[] = [];
  try {
    for (const state of STATES.filter(({ name }) => name.includes(only)))
      for (const theme of THEMES) problems.push(...(await take(studio, state, theme)));
  } finally {
    await browser.close();
    server.close();
  }
  for (const problem of problems) console.log(problem);
  console.log(`${problems.length === 0 ? "No problems" : `${problems.length} problems`}; pictures in ${out}`);
  return problems.length === 0;
}

async function take(studio: Studio, state: State, theme: Theme): Promise<readonly string[]> {
  const label = `${state.name}-${theme}`;
  const problems: string[] = [];
  const page = await studio.browser.newPage();
  page.on("pageerror", (error) => problems.push(`${label}: ${String(error)}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${label}: ${message.text()}`);
  });
  await page.setViewport({ width: state.width, height: state.height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  // The runner's compiler names nested functions through a helper of its own, which a page does not have.
  await page.evaluateOnNewDocument("globalThis.__name = (named) => named");
  await page.evaluateOnNewDocument(installFakeBrowser, { messages: studio.messages, answers: state.answers });
  await page.goto(`${studio.origin}/src/ui/${state.page}`);
  await page.bringToFront();
  await pass(state.settle ?? 250);
  if (state.act) {
    await state.act(page).catch((error: unknown) => problems.push(`${label}: ${String(error)}`));
    await pass(250);
  }
  await page.screenshot({ path: join(studio.out, `${label}.png`) });
  problems.push(...(await axeProblems(page, studio.axe)).map((problem) => `${label}: ${problem}`));
  await page.close();
  return problems;
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

/** Lets real time pass: animations, arming and silences of the pages run on the browser's own clock. */
function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
