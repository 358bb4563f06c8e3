/** The devtools panel's states, in the shapes a dock has. */
import type { Page } from "puppeteer-core";
import { NOW } from "./fixtures.ts";
import { emptyPanelAnswers, panelAnswers } from "./fixtures-panel.ts";
import type { State } from "./state.ts";

const WIDE = { width: 1200, height: 420 };
const TALL = { width: 700, height: 800 };
const NARROW = { width: 420, height: 800 };
const FULL = panelAnswers(NOW);

function panel(name: string, more: Partial<State> = {}): State {
  return { name: `panel-${name}`, page: "panel/index.html?tabId=3", ...WIDE, answers: FULL, ...more };
}

export const PANEL_STATES: readonly State[] = [
  panel("list"),
  panel("tall-list", TALL),
  panel("overview", { act: (page) => openCall(page, "1") }),
  panel("request", { act: (page) => openCall(page, "2") }),
  panel("response", { act: (page) => openCall(page, "3") }),
  panel("decision", { act: (page) => openCall(page, "4") }),
  panel("time", { act: (page) => openCall(page, "5") }),
  panel("tall-overview", { ...TALL, act: (page) => openCall(page, "1") }),
  panel("tall-decision", { ...TALL, act: (page) => openCall(page, "4") }),
  panel("narrow-list", NARROW),
  panel("narrow-decision", { ...NARROW, act: (page) => openCall(page, "4") }),
  panel("running", {
    answers: { ...FULL, "panel.call": { entry: null } },
    act: (page) => openCall(page, "1", "End"),
  }),
  panel("wrote", {
    answers: {
      ...FULL,
      "panel.call": { entry: null, wrote: { lines: ["Server started", "no index\u202e yet"], noise: 0 } },
    },
    act: (page) => openCall(page, "1", "End"),
  }),
  panel("empty", { answers: emptyPanelAnswers() }),
  panel("filtered", { act: (page) => filter(page, "server:crm") }),
  panel("paused", {
    answers: { ...FULL, "panel.calls": { calls: [], pause: { until: NOW + 1_800_000, since: NOW } } },
  }),
  panel("silent", { answers: "none", settle: 3_400 }),
];

/** By keyboard alone: to the list, to a row, into its details, to a tab. */
async function openCall(page: Page, tab: string, ...more: readonly ("End" | "ArrowUp")[]): Promise<void> {
  await page.focus("[role=grid]");
  for (const key of more.length > 0 ? more : (["End", "ArrowUp", "ArrowUp"] as const)) await page.keyboard.press(key);
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=tabpanel]");
  await page.keyboard.press(tab as "1");
}

async function filter(page: Page, text: string): Promise<void> {
  await page.keyboard.press("/");
  await page.keyboard.type(text);
}
