/**
 * MCP 2024-11-05, the first.
 *
 * @see MCP 2024-11-05 · Base protocol · Lifecycle, Messages
 */
import type { RevisionFile } from "./vocabulary.ts";

export const REVISION_2024_11_05 = {
  name: "2024-11-05",
  era: "legacy",
  batches: true,
  versionHeader: false,
  structured: "none",
  notFound: -32002,
  adds: {
    requests: [
      "initialize",
      "ping",
      "tools/list",
      "tools/call",
      "resources/list",
      "resources/templates/list",
      "resources/read",
      "resources/subscribe",
      "resources/unsubscribe",
      "prompts/list",
      "prompts/get",
      "completion/complete",
      "logging/setLevel",
    ],
    notifications: [
      "notifications/progress",
      "notifications/message",
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
      "notifications/resources/list_changed",
      "notifications/resources/updated",
    ],
    capabilities: ["tools", "resources", "prompts", "logging", "experimental"],
    blocks: ["text", "image", "resource"],
    progress: ["progressToken", "progress", "total"],
  },
} as const satisfies RevisionFile;
