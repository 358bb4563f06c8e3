/** What the panel is shown with: the calls of one tab, two of them still open. */
import type { CallView } from "../../src/bridge/control-api.ts";
import { callOf } from "../../src/ui/shared/call-of.ts";
import { CHAT, recordsAt } from "./fixtures-records.ts";
import type { Answers } from "./state.ts";

export function panelAnswers(now: number): Answers {
  const all = recordsAt(now);
  const open: CallView = {
    callId: "open-1",
    seq: 0,
    at: now - 2400,
    ms: 2400,
    origin: CHAT.origin,
    serverName: "web",
    method: "tools/call",
    tool: "fetch_page",
    verdict: "allow",
    outcome: { kind: "open", stage: "forward" },
    why: "",
    count: 1,
  };
  const waiting: CallView = {
    ...open,
    callId: "open-2",
    at: now - 5300,
    ms: 5300,
    serverName: "mail",
    tool: "send_email",
    verdict: "ask",
    outcome: { kind: "open", stage: "consent" },
    why: "Ask before mail leaves example.org",
  };
  return {
    "panel.calls": { calls: [open, waiting, ...all.map(callOf)], pause: null },
    "panel.call": { entry: all.find((entry) => entry.tool === "send_email") ?? null },
  };
}

export function emptyPanelAnswers(): Answers {
  return { "panel.calls": { calls: [], pause: null }, "panel.call": { entry: null } };
}
