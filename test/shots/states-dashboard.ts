/** The dashboard's states, page by page; the last ones at 200 % zoom of a usual window. */
import type { Page } from "puppeteer-core";
import type { RulesView } from "../../src/bridge/policy-api.ts";
import { NOW } from "./fixtures.ts";
import { dashboardAnswers, emptyAnswers, troubledAnswers } from "./fixtures-dashboard.ts";
import { helperIn, localAnswers } from "./fixtures-local.ts";
import { MANAGED, MANAGED_UNREADABLE } from "./fixtures-policy.ts";
import type { Answers, State } from "./state.ts";

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
  dash("servers-local-missing", "servers/local", { answers: { ...FULL, ...helperIn("missing") } }),
  dash("servers-local-refused", "servers/local", { answers: { ...FULL, ...helperIn("refused") } }),
  dash("servers-local-old", "servers/local", { answers: { ...FULL, ...helperIn("old") } }),
  dash("servers-remove", "servers/s1", { act: (page) => page.click("[data-act=remove]") }),
  dash("sites", "sites"),
  dash("sites-none", "sites", { answers: EMPTY }),
  dash("rules", "rules"),
  dash("rules-whole", "rules/mail-external", { height: 2_400 }),
  dash("rules-draft", "rules/mail-external", { height: 2_000, act: changeForm }),
  dash("rules-tried", "rules", { height: 2_400, act: tryCall }),
  dash("rules-problems", "rules", {
    height: 1_500,
    act: spoilText,
  }),
  dash("rules-preset", "rules", { height: 2_400, act: (page) => page.click("[data-preset=strict]") }),
  dash("rules-delete", "rules", { act: (page) => page.click("[aria-label='Delete Never delete mail']") }),
  dash("rules-managed", "rules", { answers: withRules({ managed: MANAGED }) }),
  dash("rules-managed-unreadable", "rules", { answers: withRules({ managed: MANAGED_UNREADABLE }) }),
  dash("rules-coverage", "rules", {
    answers: withRules({
      coverage: [
        {
          origin: "https://chat.example",
          serverName: "mail",
          tools: 41,
          refused: 41,
          by: "No rule of yours allows this tool, and your default is to allow none.",
        },
      ],
    }),
  }),
  dash("rules-none", "rules", { answers: EMPTY }),
  dash("approvals", "approvals", { height: 1_100 }),
  dash("approvals-find", "approvals", { act: findGrant }),
  dash("approvals-none", "approvals", { answers: EMPTY }),
  dash("records", "records"),
  dash("records-one", "records/4821"),
  dash("records-whole", "records", { act: (page) => page.click("[data-act=check]") }),
  dash("records-broken", "records", { answers: TROUBLED, act: (page) => page.click("[data-act=check]") }),
  dash("records-none", "records", { answers: EMPTY }),
  dash("about", "about"),
  dash("narrow-overview", "overview", NARROW),
  dash("narrow-servers", "servers", NARROW),
  dash("narrow-rules", "rules", NARROW),
  dash("narrow-approvals", "approvals", { ...NARROW, height: 1_400 }),
  dash("narrow-records", "records", NARROW),
  dash("narrow-records-one", "records/4821", { ...NARROW, height: 1_600 }),
  dash("narrow-records-broken", "records", {
    ...NARROW,
    answers: TROUBLED,
    act: (page) => page.click("[data-act=check]"),
  }),
  dash("narrow-servers-failing", "servers/s3", { ...NARROW, height: 1_400 }),
  dash("narrow-servers-add", "servers/add", { ...NARROW, act: addWrongly }),
  dash("narrow-servers-local", "servers/local", { ...NARROW, answers: LOCAL, height: 2_000, act: useLocal }),
  dash("narrow-sites", "sites", NARROW),
  dash("narrow-rules-draft", "rules/mail-external", { ...NARROW, height: 2_800, act: changeForm }),
  dash("narrow-about", "about", { ...NARROW, height: 1_400 }),
  dash("narrow-skip", "overview", { ...NARROW, act: (page) => page.keyboard.press("Tab") }),
];

async function addWrongly(page: Page): Promise<void> {
  await page.type("#draft-name", "mail box");
  await page.type("#draft-url", "http://mail.example");
  await page.keyboard.press("Enter");
}

async function changeForm(page: Page): Promise<void> {
  await page.type("#form-note", ", always");
}

/** Two members that no rule has, and a verdict nobody knows. */
async function spoilText(page: Page): Promise<void> {
  await page.$eval("textarea", (area) => {
    const spoilt = area.value.replace('"verdict": "ask"', '"verdict": "aks"').replace('"priority"', '"prioritty"');
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(area, spoilt);
    area.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

async function tryCall(page: Page): Promise<void> {
  await page.select("#try-call", "");
  await page.focus("[data-act=try]");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".tried-end");
}

function withRules(more: Partial<RulesView>): Answers {
  const read = FULL["rules.read"];
  return read ? { ...FULL, "rules.read": { ...read, ...more } } : FULL;
}

async function findGrant(page: Page): Promise<void> {
  await page.type("[aria-labelledby=grants] input", "site:widget");
}

async function useLocal(page: Page): Promise<void> {
  await page.click("[data-local=sheets] button[aria-expanded]");
  await page.click("[data-act=check-all]");
  await page.type("#local-name", "mail");
  await page.type("#local-program", "node");
  await page.keyboard.press("Enter");
}
