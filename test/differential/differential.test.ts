/**
 * The official packages, v1 and v2, on either side of navra: whatever the agent does, it gets what it would have got from
 * the server itself, and the server is asked what it would have been asked. Each pair walks the whole script twice, once
 * straight and once through navra; what may differ stands in one table.
 *
 * @see MCP 2025-11-25 · Schema reference
 * @see MCP 2026-07-28 · Schema reference
 */
import { describe, expect, it } from "vitest";
import { AGENT_METHODS, SERVER_METHODS, SERVER_NOTIFICATIONS } from "../../src/core/mcp/methods.ts";
import { installed } from "../agent/clients/load.ts";
import { type Agent, type AgentKind, direct, makeAgent } from "./agents.ts";
import { DIFFERENCES, type Meeting, type Seen } from "./differences.ts";
import { TOOL_NAMES } from "./features.ts";
import { STEPS } from "./script.ts";
import { type OfficialServer, type ServerKind, serve } from "./serve.ts";
import { through } from "./through.ts";

const AGENTS: readonly AgentKind[] = ["client v1", "client v2", "client v2, in sessions"];
const SERVERS: readonly ServerKind[] = ["server v1", "server v2", "server v2, in sessions"];
const PAIRS = AGENTS.flatMap((agent) => SERVERS.map((server) => ({ agent, server })));

const needed = new Set<string>();
const called = new Set<unknown>();

describe.runIf(installed)("an official agent and an official server", () => {
  it.each(PAIRS)("see the same of each other through navra: $agent, $server", async ({ agent, server }) => {
    const meeting = meetingOf(agent, server);
    const behind = await serve(server);
    try {
      const straight = await walk(await makeAgent(agent), behind, { transport: await direct(agent, behind.url) });
      const expected = straight.map((seen) => plain(seen, meeting, "direct"));
      const navra = await through(behind.url);
      const carried = await walk(await makeAgent(agent), behind, { transport: navra.transport, until: expected });
      await navra.stop();
      const got = carried.map((seen) => plain(seen, meeting, "through"));
      expect(got).toEqual(expected);
    } finally {
      await behind.stop();
    }
  });

  it("differ only where the table says so, and everywhere it says so", () => {
    expect(DIFFERENCES.filter(({ what }) => !needed.has(what)).map(({ what }) => what)).toEqual([]);
    expect(TOOL_NAMES.filter((name) => !called.has(name))).toEqual([]);
  });
});

describe("the script of the official agents", () => {
  it("has every method that navra carries", () => {
    const known = [...AGENT_METHODS.keys(), ...SERVER_METHODS, ...SERVER_NOTIFICATIONS];
    const covered = new Set(STEPS.flatMap(({ methods }) => methods));
    expect(known.filter((method) => !covered.has(method) && !(method in ELSEWHERE))).toEqual([]);
  });
});

/** Methods that neither package has, and where they are shown instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "tasks/get": "test/core/tasks.test.ts and the suite's own client",
  "tasks/update": "test/core/tasks.test.ts and the suite's own client",
  "tasks/cancel": "test/core/tasks.test.ts and the suite's own client",
  "skills/list": "test/core/mcp/apps.test.ts",
  "skills/get": "test/core/mcp/apps.test.ts",
  "resources/directory/read": "test/core/mcp/apps.test.ts",
  "notifications/subscriptions/acknowledged": "part of listening, which the client v2 does not show",
};

function meetingOf(agent: AgentKind, server: ServerKind): Meeting {
  const newer = agent === "client v2";
  const serverIsNewer = server === "server v2";
  if (newer && serverIsNewer) return "same, of 2026-07-28";
  if (newer) return "newer agent";
  return serverIsNewer ? "older agent" : "same, in sessions";
}

interface Walk {
  readonly transport: object;
  /** What is expected: as much is waited for. */
  readonly until?: readonly Seen[];
}

async function walk(agent: Agent, behind: OfficialServer, { transport, until }: Walk): Promise<readonly Seen[]> {
  const walked: Seen[] = [];
  const frames = framesOf(transport);
  const look = async (step: string, run: () => Promise<unknown>): Promise<void> => {
    for (const kept of [behind.posted, agent.heard, frames]) kept.length = 0;
    const outcome = await run().then((result) => ({ result }), asError);
    const other = until?.[walked.length];
    await quiet(
      () =>
        agent.heard.length >= (other?.heard.length ?? 0) &&
        (step !== CANCELS || behind.posted.length >= (other?.posted.length ?? 0)),
    );
    for (const { method, params } of behind.posted) if (method === "tools/call") called.add(params?.name);
    walked.push({ step, outcome, heard: [...agent.heard], frames: [...frames], posted: [...behind.posted] });
  };
  await look("connecting", () => agent.client.connect(transport));
  for (const { name, run } of STEPS) await look(name, () => run(agent));
  await agent.client.close();
  return walked;
}

/** Everything that the transport hands to the client from now on, before the client makes anything of it. */
function framesOf(transport: object): unknown[] {
  const frames: unknown[] = [];
  let take: ((...received: readonly unknown[]) => void) | undefined;
  Object.defineProperty(transport, "onmessage", {
    set(listener: typeof take) {
      take =
        listener &&
        ((...received) => {
          frames.push(structuredClone(received[0]));
          listener(...received);
        });
    },
    get: () => take,
  });
  return frames;
}

function asError(problem: unknown): { readonly error: object } {
  const { code, message, data } = problem as { code?: unknown; message: string; data?: unknown };
  return { error: { code, message, data } };
}

/** Nothing comes back of it, so the agent cannot tell when the server has heard it. */
const CANCELS = "a call that is cancelled";
const PATIENCE_MS = 3_000;
const STILL_MS = 5;

/** What is about no request may come after the answer to one. */
async function quiet(holds: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  do await new Promise((resolve) => setTimeout(resolve, STILL_MS));
  while (!holds() && performance.now() < end);
}

function plain(seen: Seen, meeting: Meeting, side: "direct" | "through"): Seen {
  let left = JSON.parse(JSON.stringify(seen)) as Seen;
  for (const { what, where, steps, [side]: take } of DIFFERENCES) {
    if (!take || !where.includes(meeting) || (steps && !steps.includes(seen.step))) continue;
    const next = take(left);
    if (JSON.stringify(next) !== JSON.stringify(left)) needed.add(what);
    left = next;
  }
  return JSON.parse(JSON.stringify(left)) as Seen;
}
