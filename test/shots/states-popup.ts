/** The popup's states. */
import { CALL_ASK, CALLS, CHAT, CONNECT_MANY, DENIED_SITE, FILES, NOW, SITE } from "./fixtures.ts";
import type { Answers, State } from "./state.ts";

const { principal: _none, ...ELSEWHERE } = SITE;
const NOTHING_WAITS = { "approvals.read": { approvals: [] } } satisfies Answers;
const SAVED = {
  "rule.save": { problems: [] },
  "rule.delete": null,
  "site.new-task": null,
  "pause.set": null,
} satisfies Answers;

function popup(name: string, answers: State["answers"], more: Partial<State> = {}): State {
  return { name: `popup-${name}`, page: "popup/index.html?tabId=3", width: 376, height: 600, answers, ...more };
}

export const POPUP_STATES: readonly State[] = [
  popup("connected", { "site.read": SITE, ...NOTHING_WAITS, ...SAVED }),
  popup("all", { "site.read": SITE, ...NOTHING_WAITS, ...SAVED }, { act: unroll, height: 1_300 }),
  popup("tools", { "site.read": SITE, ...NOTHING_WAITS }, { act: openServers, height: 1_300 }),
  popup("busy", { "site.read": { ...SITE, calls: CALLS }, "approvals.read": { approvals: [CALL_ASK, CONNECT_MANY] } }),
  popup("denied", { "site.read": DENIED_SITE, ...NOTHING_WAITS }),
  popup("paused", {
    "site.read": { ...SITE, pause: { until: NOW + 900_000, since: NOW - 40_000 } },
    ...NOTHING_WAITS,
  }),
  popup("pause-menu", { "site.read": SITE, ...NOTHING_WAITS }, { act: (page) => page.keyboard.press("p") }),
  popup("rule-form", { "site.read": SITE, ...NOTHING_WAITS, ...SAVED }, { act: openRuleForm }),
  popup("undo", { "site.read": SITE, ...NOTHING_WAITS, ...SAVED }, { act: deleteRule, height: 900 }),
  popup("not-connected", {
    "site.read": { ...SITE, servers: [FILES], rules: [], calls: [], counts: { allowed: 0, asked: 0, denied: 0 } },
    ...NOTHING_WAITS,
  }),
  popup("no-servers", {
    "site.read": { ...SITE, servers: [], rules: [], calls: [], counts: { allowed: 0, asked: 0, denied: 0 } },
    ...NOTHING_WAITS,
  }),
  popup("no-access", { "site.read": { ...ELSEWHERE, access: false }, ...NOTHING_WAITS }),
  popup("no-agents", { "site.read": { ...ELSEWHERE, tabUrl: "chrome://settings" }, ...NOTHING_WAITS }),
  popup("trouble", {
    "site.read": {
      ...SITE,
      principal: { ...CHAT, topSite: "https://a-very-long-name-of-a-news-site.example" },
      trouble: "The disk is full, so rules and records can’t be saved. Free some space; until then nothing passes.",
    },
    ...NOTHING_WAITS,
  }),
  popup("no-helper", { "site.read": { ...SITE, helper: { state: "missing" } }, ...NOTHING_WAITS }),
  popup("starting", "none", { settle: 600 }),
  popup("no-answer", "none", { settle: 3_400 }),
];

type Act = NonNullable<State["act"]>;
type ShotPage = Parameters<Act>[0];

async function unroll(page: ShotPage): Promise<void> {
  await page.$eval(".popup", (popup) => {
    (popup as HTMLElement).style.maxBlockSize = "none";
  });
}

async function openServers(page: ShotPage): Promise<void> {
  await unroll(page);
  for (const row of await page.$$("[aria-controls^=server]")) await row.click();
}

async function openRuleForm(page: ShotPage): Promise<void> {
  await page.click("[aria-label^='Make a rule']");
}

async function deleteRule(page: ShotPage): Promise<void> {
  await unroll(page);
  await page.click("[aria-label='Delete the rule']");
}
