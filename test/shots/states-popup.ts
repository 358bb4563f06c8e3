/** The popup's states. */
import type { GrantView } from "../../src/bridge/control-api.ts";
import { principalKey } from "../../src/core/principal.ts";
import { CALL_ASK, CALLS, CHAT, CONNECT_MANY, DENIED_SITE, FILES, NOW, REPLY_ASK, RULES, SITE } from "./fixtures.ts";
import { basisOf, changesAt, MANAGED, MANAGED_UNREADABLE } from "./fixtures-policy.ts";
import { recordsAt } from "./fixtures-records.ts";
import type { Answers, State } from "./state.ts";

const { principal: _none, ...ELSEWHERE } = SITE;
const NOTHING_WAITS = { "approvals.read": { approvals: [] } } satisfies Answers;
const SAVED = {
  "policy.read": basisOf(RULES, {
    calls: recordsAt(NOW),
    servers: [{ id: "s-mail", name: "mail", url: "https://m.example/" }],
  }),
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
  popup("busy", {
    "site.read": { ...SITE, calls: CALLS },
    "approvals.read": { approvals: [CALL_ASK, CONNECT_MANY, REPLY_ASK] },
  }),
  popup("denied", { "site.read": DENIED_SITE, ...NOTHING_WAITS }),
  popup("paused", {
    "site.read": { ...SITE, pause: { until: NOW + 900_000, since: NOW - 40_000 } },
    ...NOTHING_WAITS,
  }),
  popup("site-paused", {
    "site.read": {
      ...SITE,
      pauses: [
        { until: NOW + 900_000, since: NOW - 40_000, site: CHAT.origin },
        { until: null, since: NOW - 40_000, serverId: "s-mail" },
      ],
    },
    ...NOTHING_WAITS,
  }),
  popup("grants", { "site.read": { ...SITE, grants: grantsOf(3) }, ...NOTHING_WAITS }, { act: unroll, height: 1_100 }),
  popup(
    "grants-find",
    { "site.read": { ...SITE, grants: grantsOf(6) }, ...NOTHING_WAITS },
    { act: findGrants, height: 1_100 },
  ),
  popup("pause-menu", { "site.read": SITE, ...NOTHING_WAITS }, { act: (page) => page.keyboard.press("p") }),
  popup(
    "rule-form",
    { "site.read": SITE, ...NOTHING_WAITS, ...SAVED },
    { act: openRuleForm, height: 900, settle: 900 },
  ),
  popup(
    "undo",
    { "site.read": { ...SITE, lastChange: changesAt(NOW)[0] ?? null }, ...NOTHING_WAITS, ...SAVED },
    { act: unroll, height: 900 },
  ),
  popup("managed", { "site.read": { ...SITE, managed: MANAGED }, ...NOTHING_WAITS }, { act: unroll, height: 1_000 }),
  popup("managed-unreadable", { "site.read": { ...SITE, managed: MANAGED_UNREADABLE }, ...NOTHING_WAITS }),
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

function grantsOf(count: number): readonly GrantView[] {
  const grant: GrantView["grant"] = {
    id: "g",
    principalKey: principalKey(CHAT),
    serverId: "s-mail",
    tool: "send_email",
    pinText: "",
    scope: "values",
    args: { fixed: { to: '"ada@example.org"' }, names: ["to", "body"] },
    rules: [],
    sources: [],
    createdAt: NOW,
    expiresAt: NOW + 3_600_000,
    usesLeft: 8,
    used: 2,
  };
  return Array.from({ length: count }, (_, at): GrantView => {
    if (at === 0) return { grant, suspended: false, pattern: '{"/to": {"equals": "ada@example.org"}}' };
    const { args: _args, ...rest } = grant;
    const scope = at % 2 ? "tool" : "session";
    return {
      grant: { ...rest, id: `g${at}`, tool: `move_mail_${at}`, scope, usesLeft: null, used: 1, expiresAt: null },
      suspended: at === 2,
    };
  });
}

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

async function findGrants(page: ShotPage): Promise<void> {
  await unroll(page);
  await page.type(".p-find input", "move_mail_3");
}
