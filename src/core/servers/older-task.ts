/**
 * Tasks of 2025-11-25, which the requestor asks for. Agents get none of them: the capability is not offered, so an agent's
 * `task` is left out and its call answered plainly, as the revision says of a side that has no tasks. Some tools of such
 * servers work as tasks only; for those navra asks for the task and waits for its result, whoever calls.
 *
 * Decided: they are not turned into tasks of the newer extension, where the server decides and a result is had by polling:
 * the two are not compatible on the wire, and a held call gives the agent the same result.
 *
 * @see MCP 2025-11-25 · Tasks · Capability negotiation, Tool-level negotiation, Result retrieval
 * @see SEP-2663 Tasks · Backward compatibility
 */
import { GatewayError } from "../errors.ts";
import { isModern, type Revision, vocabularyOf } from "../mcp/revision.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { Reply } from "../wire/message.ts";
import { type Edit, splice } from "../wire/splice.ts";
import type { ToolDefinition } from "./server.ts";

/** What is taken out of an agent's parameters. */
export const WITHOUT_TASK: Edit = { path: ["params", "task"], value: null };

export function worksAsTask(definition: ToolDefinition | undefined, served: Revision): boolean {
  if (!definition || isModern(served) || !vocabularyOf(served).members.has("execution")) return false;
  const { execution } = definition.value;
  return isObject(execution) && execution.taskSupport === "required";
}

export interface TaskRun {
  readonly ask: (text: string) => Promise<Reply>;
  readonly request: (method: string, params: JsonObject) => Promise<Reply>;
  /** Tells the server that nobody waits any more. */
  readonly cancel: (params: JsonObject) => void;
  readonly signal: AbortSignal;
}

export async function runAsTask(text: string, { ask, request, cancel, signal }: TaskRun): Promise<Reply> {
  const made = await ask(splice(text, [{ path: ["params", "task"], value: `{"ttl":${KEEP_MS}}` }]));
  const task = made.kind === "result" ? made.result.task : undefined;
  if (!isObject(task) || typeof task.taskId !== "string") return made;
  const { taskId } = task;
  for (let turn = 1; ; turn += 1) {
    try {
      return await request("tasks/result", { taskId });
    } catch (problem) {
      // It waits until the task has ended, which may be longer than any one request waits.
      const tooSoon = problem instanceof GatewayError && problem.fault === "timed-out" && turn < MOST_TURNS;
      if (tooSoon && !signal.aborted) continue;
      cancel({ taskId });
      throw problem;
    }
  }
}

/** How long the server is asked to keep the task, in milliseconds. */
const KEEP_MS = 60 * 60_000;
const MOST_TURNS = 12;
