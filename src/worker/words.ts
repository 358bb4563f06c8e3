/** What the worker itself says to the person: the toolbar icon's tooltip and notifications. */
import type { Approval } from "../core/consent/approval.ts";
import { SERVER_METHODS } from "../core/mcp/methods.ts";
import { message } from "../platform/i18n.ts";
import type { WorkerWords } from "../platform/worker/browser.ts";

export const WORDS: WorkerWords = {
  badge: ({ state }) => message(`worker_badge_${state}`),
  notification: (approval) => ({
    title: message(noticeKey(approval), [siteOf(approval)]),
    message: message("worker_notice_text"),
  }),
};

function noticeKey(approval: Approval): string {
  if (approval.kind === "call" && SERVER_METHODS.has(approval.method)) return "worker_notice_back";
  return `worker_notice_${approval.kind}`;
}

/** A notification may outlive a private window, so it names no site there. */
function siteOf({ principal }: Approval): string {
  return principal.private ? message("worker_notice_private_site") : new URL(principal.origin).host;
}
