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
  const { server, tool, labels, after } = rule.when;
  const { sources } = labels ?? {};
  unknownServers(server, { path: "/when/server", live, report });
  unknownServers(after?.server, { path: "/when/after/server", live, report });
  unknownServers(Array.isArray(sources) ? sources : undefined, { path: "/when/labels/sources", live, report });
  unknownTools(tool, { path: "/when/tool", live, report, servers: server });
  unknownTools(after?.tool, { path: "/when/after/tool", live, report, servers: after?.server });
}

interface Site {
  readonly path: string;
  readonly live: LiveTools;
  readonly report: ReportLint;
}

function unknownServers(ids: readonly string[] | undefined, { path, live, report }: Site): void {
  const known = new Set(live.servers.map(({ id }) => id));
  ids?.forEach((id, at) => {
    if (known.has(id)) return;
    report("unknown-server", below(path, at), {
      message: "The server this rule speaks of is gone.",
      remedy: "Pick a server you have, or remove the rule.",
    });
  });
}

function unknownTools(
  tools: readonly string[] | undefined,
  { path, live, report, servers }: Site & { readonly servers: readonly string[] | undefined },
): void {
  const names = tools && toolsOf(servers, live)?.map(({ name }) => name);
  if (!names) return;
  tools.forEach((tool, at) => {
    if (names.some(globTest(tool))) return;
    report("unknown-tool", below(path, at), {
      message: `No tool here is called ${quoted(tool)}.`,
      remedy: names.length === 0 ? "Look at what the server lists." : didYouMean(tool.replaceAll("*", ""), names),
    });
  });
}

/** The tools of these servers, or of all; nothing where one of them was never asked for its list. */
export function toolsOf(ids: readonly string[] | undefined, live: LiveTools): readonly LiveTool[] | undefined {
  const servers = ids ?? live.servers.map(({ id }) => id);
  const lists = servers.map((id) => live.catalogues.find(({ serverId }) => serverId === id)?.tools);
  if (lists.length === 0 || lists.some((list) => list === undefined)) return undefined;
  return lists.flatMap((list) => list ?? []);
}
