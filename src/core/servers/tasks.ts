/**
 * Tasks: a server may answer a tool's call with one, and the agent asks for the outcome later. A task belongs to the site
 * whose call made it: for every other site it does not exist, whatever the server would say, so that an identifier that
 * leaked opens nothing. What a task asks of the agent is judged as any request of the server's, once however often the
 * agent looks; what navra's own window answers is not the agent's (`task-questions.ts`). Whose a task is outlives the
 * worker; a private window's stay in memory.
 *
 * @see SEP-2663 Tasks
 * @see MCP 2026-07-28 · Patterns · Multi round-trip requests
 */
import type { Call, MutableCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import { declares, TASKS } from "../mcp/extensions.ts";
import type { Stop } from "../pipeline/stage.ts";
import type { Ports, TaskOwner } from "../ports.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ResultMessage } from "../wire/message.ts";
import { edited, type JudgeOptions, judgeQuestions, unanswered } from "./input-required.ts";
import { ENDED } from "./newer-task.ts";
import { type Asking, createTaskQuestions } from "./task-questions.ts";

export interface Tasks {
  restore(): Promise<void>;
  /** Whether a call about a task may go on; says nothing of other calls. */
  check(call: Call): Stop | undefined;
  /** Servers at which the site has a task of this identifier. */
  at(principalKey: string, taskId: string): readonly string[];
  /** A call of a tool became a task. @throws GatewayError where the agent did not declare that it can have one */
  began(call: MutableCall, result: JsonObject): Promise<void>;
  /** The reply as the agent may see it: what the task asks is judged, unless it was before. */
  seen(
    call: MutableCall,
    reply: ResultMessage,
    options: Pick<JudgeOptions, "embedded"> & Asking,
  ): Promise<ResultMessage>;
  /** The agent cancelled the task. */
  cancelled(call: Call): void;
}

/** However long a server keeps its task. */
const MOST_MS = 7 * 24 * 60 * 60_000;
/** Per site; the oldest gives way. */
const MOST = 256;

export function createTasks({ clock, tables }: Pick<Ports, "clock" | "tables">): Tasks {
  const table = tables.tasks;
  const owners = new Map<string, TaskOwner>();
  /** By task, the questions that may be seen as they are. */
  const judged = new Map<string, ReadonlySet<string>>();

  const questions = createTaskQuestions();

  const drop = (key: string): void => {
    questions.over(key);
    owners.delete(key);
    judged.delete(key);
    table.remove(key).catch(() => undefined);
  };

  const makeRoom = (principalKey: string): void => {
    for (const [key, { expiresAt }] of [...owners]) if (expiresAt <= clock.now()) drop(key);
    const mine = [...owners].filter(([, owner]) => owner.principalKey === principalKey);
    for (const [key] of mine.slice(0, Math.max(0, mine.length - MOST + 1))) drop(key);
  };

  return {
    async restore() {
      for (const owner of [...(await table.all())].sort((a, b) => a.expiresAt - b.expiresAt)) {
        const key = keyOf(owner);
        owners.set(key, owner);
        if (owner.expiresAt <= clock.now()) drop(key);
      }
    },

    check(call) {
      if (!ABOUT_TASKS.has(call.message.method)) return undefined;
      if (!declares(call.capabilities.value, TASKS)) return UNDECLARED;
      const key = keyOfTask(call);
      const owner = owners.get(key);
      if (!owner || owner.expiresAt <= clock.now()) return NO_SUCH_TASK;
      return questions.answeredBy(key, call.message.params?.inputResponses) ? NOT_ASKED : undefined;
    },

    at: (principalKey, taskId) =>
      [...owners.values()]
        .filter((owner) => owner.principalKey === principalKey && owner.taskId === taskId)
        .map(({ serverId }) => serverId),

    async began(call, result) {
      const { taskId, ttlMs } = result;
      if (call.message.method !== "tools/call" || !declares(call.capabilities.value, TASKS)) {
        throw broken("The server made a task of a call that cannot be one.");
      }
      if (typeof taskId !== "string" || taskId === "") throw broken("The server made a task without an identifier.");
      makeRoom(call.principalKey);
      const keep = typeof ttlMs === "number" && ttlMs > 0 ? Math.min(ttlMs, MOST_MS) : MOST_MS;
      const owner: TaskOwner = { ...ownerOf(call), taskId, expiresAt: clock.now() + keep };
      owners.set(keyOf(owner), owner);
      if (!call.principal.private) await table.put(keyOf(owner), owner).catch(() => undefined);
    },

    async seen(call, whole, { embedded, ...asking }) {
      const key = keyOfTask(call);
      const ended = ENDED.has(whole.result.status);
      if (ended) questions.over(key);
      const reply = ended ? whole : questions.ask(key, { call, reply: whole }, asking);
      const before = judged.get(key);
      const known = (question: string): boolean => before?.has(question) ?? false;
      const { edits, declined, clean } = await judgeQuestions(call, reply, { embedded, known });
      // A task waits for each answer, and nobody here can give this one.
      if (declined.length > 0) throw unanswered();
      judged.set(key, new Set(clean));
      return edited(reply, edits);
    },

    cancelled: (call) => questions.over(keyOfTask(call)),
  };
}

const ABOUT_TASKS: ReadonlySet<string> = new Set(["tasks/get", "tasks/update", "tasks/cancel"]);

function ownerOf({ principalKey, server }: Call): Pick<TaskOwner, "principalKey" | "serverId"> {
  return { principalKey, serverId: server.id };
}

function keyOf({ principalKey, serverId, taskId }: Omit<TaskOwner, "expiresAt">): string {
  return JSON.stringify([principalKey, serverId, taskId]);
}

/** Of the task that a call is about. */
function keyOfTask(call: Call): string {
  return keyOf({ ...ownerOf(call), taskId: String(call.message.params?.taskId) });
}

function broken(detail: string): GatewayError {
  return new GatewayError("upstream-broken", `${detail} Report it to whoever runs the server; the call may have run.`);
}

const UNDECLARED: Stop = {
  kind: "fault",
  name: "missing-capability",
  detail: "Declare the tasks extension among the capabilities of this request to ask about tasks.",
  data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
};

const NO_SUCH_TASK: Stop = {
  kind: "fault",
  name: "invalid-params",
  detail: "There is no such task, or it is too old. Call the tool again if its result is still needed.",
};

const NOT_ASKED: Stop = {
  kind: "fault",
  name: "invalid-params",
  detail: "The task does not ask this of you. Answer only what it asked in its latest state.",
};
