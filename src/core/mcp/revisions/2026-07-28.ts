/**
 * MCP 2026-07-28: no sessions. Each request stands alone, a server asks through its result, changes come by subscription,
 * and what is optional is an extension.
 *
 * @see MCP 2026-07-28 · Key changes
 */
import type { RevisionFile } from "./vocabulary.ts";

export const REVISION_2026_07_28 = {
  name: "2026-07-28",
  era: "modern",
  batches: false,
  versionHeader: true,
  structured: "any",
  notFound: -32602,
  adds: {
    requests: [
      "server/discover",
      "subscriptions/listen",
      // Of the tasks extension.
      "tasks/get",
      "tasks/update",
      "tasks/cancel",
    ],
    notifications: ["notifications/subscriptions/acknowledged"],
  },
  removes: {
    requests: ["initialize", "ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"],
    notifications: ["notifications/elicitation/complete"],
  },
} as const satisfies RevisionFile;
