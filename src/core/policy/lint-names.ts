/** Names in a rule that nothing has: servers that are gone, tools that no server lists. */
import type { ToolDefinition } from "../servers/server.ts";
import { didYouMean } from "./did-you-mean.ts";
import { globTest } from "./glob.ts";
import type { LintKind } from "./lint.ts";
import type { Rule } from "./policy.ts";
import { below, type Complaint, quoted } from "./problem.ts";

type LiveTool = Pick<ToolDefinition, "name" | "value">;

export interface LiveTools {
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  /** What was last learned of each server's tools. */
  readonly catalogues: readonly {
    readonly serverId: string;
    readonly tools: readonly LiveTool[];
  }[];
}

type ReportLint = (kind: LintKind, path: string, complaint: Complaint) => void;

export function nameLints(rule: Rule, live: LiveTools, report: ReportLint): void {
  const known = new Set(live.servers.map(({ id }) => id));
  rule.when.server?.forEach((id, at) => {
    if (known.has(id)) return;
    report("unknown-server", below("/when/server", at), {
      message: "The server this rule speaks of is gone.",
      remedy: "Pick a server you have, or remove the rule.",
    });
  });
  const names = listedNames(rule, live);
  if (!names) return;
  rule.when.tool?.forEach((tool, at) => {
    if (names.some(globTest(tool))) return;
    report("unknown-tool", below("/when/tool", at), {
      message: `No tool here is called ${quoted(tool)}.`,
      remedy: names.length === 0 ? "Look at what the server lists." : didYouMean(tool.replaceAll("*", ""), names),
    });
  });
}

/** The tools a rule may mean; nothing where one of its servers was never asked for its list. */
export function toolsOf(rule: Rule, live: LiveTools): readonly LiveTool[] | undefined {
  const servers = rule.when.server ?? live.servers.map(({ id }) => id);
  const lists = servers.map((id) => live.catalogues.find(({ serverId }) => serverId === id)?.tools);
  if (lists.length === 0 || lists.some((list) => list === undefined)) return undefined;
  return lists.flatMap((list) => list ?? []);
}

function listedNames(rule: Rule, live: LiveTools): readonly string[] | undefined {
  return toolsOf(rule, live)?.map(({ name }) => name);
}
