/** The dashboard's states, page by page; the last ones at 200 % zoom of a usual window. */
import type { Page } from "puppeteer-core";
import { NOW } from "./fixtures.ts";
import { dashboardAnswers, emptyAnswers, troubledAnswers } from "./fixtures-dashboard.ts";
import { helperMissing, localAnswers } from "./fixtures-local.ts";
import type { State } from "./state.ts";

const FULL = dashboardAnswers(NOW);
const TROUBLED = troubledAnswers(NOW);
const EMPTY = emptyAnswers(NOW);
const LOCAL = { ...FULL, ...localAnswers(NOW) };
const NARROW = { width: 640, height: 800 };

function dash(name: string, hash: string, more: Partial<State> = {}): State {
  return {
    name: `dash-${name}`,
    page: `dashboard/index.html#${hash}`,
    width: 1280,
    height: 860,
    answers: FULL,
    ...more,
  };
}

export const DASHBOARD_STATES: readonly State[] = [
  dash("overview", "overview"),
  dash("overview-review", "overview", { act: (page) => page.click(".todo > li:nth-child(2) button") }),
  dash("overview-trouble", "overview", { answers: TROUBLED }),
  dash("overview-empty", "overview", { answers: EMPTY }),
  dash("overview-silent", "overview", { answers: "none", settle: 3_400 }),
  dash("servers", "servers"),
  dash("servers-failing", "servers/s3"),
  dash("servers-none", "servers", { answers: EMPTY }),
  dash("servers-add", "servers/add", { act: addWrongly }),
  dash("servers-local", "servers/local", { answers: LOCAL, height: 1_700, act: useLocal }),
  dash("servers-local-missing", "servers/local", { answers: { ...FULL, ...helperMissing() } }),
  dash("servers-remove", "servers/s1", { act: (page) => page.click("[data-act=remove]") }),
  dash("sites", "sites"),
  dash("sites-none", "sites", { answers: EMPTY }),
  dash("rules", "rules"),
  dash("rules-problems", "rules", { height: 1280, act: saveWrongly }),
  dash("rules-none", "rules", { answers: EMPTY }),
  dash("records", "records"),
  dash("records-one", "records/4821"),
  dash("records-whole", "records", { act: (page) => page.click("[data-act=check]") }),
  dash("records-broken", "records", { answers: TROUBLED, act: (page) => page.click("[data-act=check]") }),
  dash("records-none", "records", { answers: EMPTY }),
  dash("about", "about"),
  dash("narrow-overview", "overview", NARROW),
  dash("narrow-servers", "servers", NARROW),
  dash("narrow-rules", "rules", NARROW),
  dash("narrow-records", "records", NARROW),
];

async function addWrongly(page: Page): Promise<void> {
  await page.type("#draft-name", "mail box");
  await page.type("#draft-url", "http://mail.example");
  await page.keyboard.press("Enter");
}

async function useLocal(page: Page): Promise<void> {
  await page.click("[data-local=sheets] button[aria-expanded]");
  await page.click("[data-act=check-all]");
  await page.type("#local-name", "mail");
  await page.type("#local-program", "node");
  await page.keyboard.press("Enter");
}

async function saveWrongly(page: Page): Promise<void> {
  await page.focus("textarea");
  await page.keyboard.type(" ");
  await page.click("[data-act=save]");
}
