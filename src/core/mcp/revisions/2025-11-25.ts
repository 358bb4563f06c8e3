/**
 * MCP 2025-11-25: pages to be opened, titled and multiple choices, icons, tasks that an agent asks for, tools in sampling.
 *
 * @see MCP 2025-11-25 · Key changes
 */
import type { RevisionFile } from "./vocabulary.ts";

export const REVISION_2025_11_25 = {
  name: "2025-11-25",
  era: "legacy",
  batches: false,
  versionHeader: true,
  structured: "object",
  notFound: -32002,
  adds: {
    // Of the skills extension, which servers of this revision offer too.
    requests: ["skills/list", "skills/get", "resources/directory/read"],
    notifications: ["notifications/elicitation/complete"],
    // Not `tasks`: an agent's own tasks are not carried, so they are not offered (see servers/older-task.ts).
    capabilities: ["extensions"],
    members: ["icons", "execution"],
    blocks: ["tool_use", "tool_result"],
    elicitation: ["url"],
    fields: ["titled", "multiple"],
  },
} as const satisfies RevisionFile;
