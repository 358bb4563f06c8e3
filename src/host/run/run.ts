/**
 * One run of one server: a child process between the two streams of lines, from its start to the last of its group. Input
 * and output each keep to their window: a server that does not read is not written to, one that writes faster than the
 * browser takes is not read from. Ending it goes by steps: close its input, ask the group to end, kill the group.
 *
 * @see MCP 2025-11-25 · Lifecycle · Shutdown · stdio
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { CloseReason } from "../../bridge/native.ts";
import { MAX_NATIVE_FRAME_UNITS } from "../../bridge/native.ts";
import { createInflow, createOutflow, type Outflow, WINDOW_UNITS } from "../../bridge/native-flow.ts";
import { type Group, isAlive, kill, MARK, terminate } from "./group.ts";
import { createLineReader } from "./lines.ts";
import type { Ring } from "./ring.ts";
import type { SpawnPlan } from "./spawn-plan.ts";

export interface End {
  readonly reason: CloseReason;
  readonly message: string;
  readonly code?: number;
  readonly signal?: string;
}

export interface RunEvents {
  readonly opened: (group: Group) => void;
  /** There is something to take from `out`. */
  readonly ready: () => void;
  readonly credit: (units: number) => void;
  readonly stderr: (lines: readonly string[], bytes: Buffer) => void;
  readonly noise: (lines: number, sample: string) => void;
  /** Once, when the process is gone. Frames that came before are in `out`. */
  readonly ended: (end: End) => void;
  /** Once, when nothing of its group is left. */
  readonly gone: () => void;
}

export interface RunOptions {
  readonly plan: SpawnPlan;
  readonly mark: string;
  readonly ring: Ring;
  readonly graces: Graces;
  readonly events: RunEvents;
}

/** How long each step of ending waits for the next. */
export interface Graces {
  readonly inputClosedMs: number;
  readonly terminatedMs: number;
}

export interface Run {
  readonly out: Outflow;
  /** A frame or a part of one for the server. */
  take(text: string, last: boolean): void;
  /** Call after taking from `out`, so that a server that was held is read from again. */
  relieved(): void;
  stop(within?: Graces): void;
}

export function startRun({ plan, mark, ring, graces, events }: RunOptions): Run {
  const out = createOutflow();
  const inflow = createInflow();
  let noise = 0;
  let unread = 0;
  let end: End | undefined;
  let reported = false;
  let stopping = false;
  const group = { pid: 0, mark };
  const child = spawned();
  const lines = createLineReader(
    {
      frame(text) {
        out.push(text);
        if (out.waiting > HELD_UNITS) child?.stdout.pause();
        events.ready();
      },
      noise(sample) {
        noise += 1;
        events.noise(noise, sample);
      },
      tooLarge: () => finish({ reason: "too-large", message: TOO_LARGE }, graces),
    },
    MAX_NATIVE_FRAME_UNITS,
  );
  if (child) listen(child);

  return { out, take, relieved, stop: (within = graces) => finish({ reason: "closed", message: STOPPED }, within) };

  function spawned(): ChildProcessWithoutNullStreams | undefined {
    try {
      return spawn(plan.program, plan.args, {
        cwd: plan.cwd,
        env: { ...plan.env, [MARK]: mark },
        shell: false,
        windowsVerbatimArguments: plan.verbatim,
        windowsHide: true,
        // A session and group of its own; on Windows that would open a console.
        detached: process.platform !== "win32",
        stdio: ["pipe", "pipe", "pipe"],
      });
    } catch (problem) {
      queueMicrotask(() => notStarted(problem));
      return undefined;
    }
  }

  function listen(running: ChildProcessWithoutNullStreams): void {
    running.on("error", notStarted);
    running.on("spawn", () => {
      group.pid = running.pid ?? 0;
      events.opened(group);
    });
    running.stdout.on("data", (bytes: Buffer) => lines.push(bytes));
    running.stdout.on("end", () => {
      lines.end();
      // Nothing more can be heard from it. One that is ending by itself gets its turn to say how.
      setTimeout(() => finish({ reason: "exited", message: OUTPUT_CLOSED }, graces), LATE_MS).unref();
    });
    running.stderr.on("data", (bytes: Buffer) => events.stderr(ring.push(bytes), bytes));
    running.stdin.on("drain", () => {
      grant(unread);
      unread = 0;
    });
    for (const stream of [running.stdin, running.stdout, running.stderr]) stream.on("error", () => {});
    running.on("exit", (code, signal) => {
      end ??= {
        reason: "exited",
        message: `The server ended ${signal ? `by the signal ${signal}` : `with code ${code}`}.`,
      };
      end = { ...end, ...(code === null ? {} : { code }), ...(signal ? { signal } : {}) };
      // What it left in the pipe is read first; a child of its own may hold the pipe open without end.
      const late = setInterval(() => {
        if (running.stdout.isPaused()) return;
        clearInterval(late);
        over();
      }, LATE_MS);
      running.on("close", () => {
        clearInterval(late);
        over();
      });
      sweep();
    });
  }

  function notStarted(problem: unknown): void {
    if (group.pid !== 0) return;
    end ??= { reason: "not-startable", message: startProblem(problem) };
    report();
    events.gone();
  }

  function take(text: string, last: boolean): void {
    const taken = inflow.take(text, last);
    if (taken.kind === "too-large") finish({ reason: "too-large", message: TOO_LARGE }, graces);
    if (taken.kind === "frame" && child?.stdin.writable) child.stdin.write(`${oneLine(taken.text)}\n`);
    // While the server does not read, nothing more is asked for, not even the rest of a frame.
    if (child?.stdin.writableNeedDrain) unread += text.length;
    else grant(text.length);
  }

  function grant(units: number): void {
    const given = inflow.done(units);
    if (given > 0) events.credit(given);
  }

  function relieved(): void {
    if (out.waiting <= HELD_UNITS && child?.stdout.isPaused()) child.stdout.resume();
  }

  /** Ends it for a reason, step by step. */
  function finish(why: End, within: Graces): void {
    if (stopping || reported) return;
    stopping = true;
    end ??= why;
    child?.stdin.end();
    if (group.pid === 0) return;
    setTimeout(() => {
      if (!isAlive(group)) return;
      terminate(group);
      setTimeout(() => kill(group), within.terminatedMs);
    }, within.inputClosedMs);
  }

  /** The leader is gone; what it left behind goes too. */
  function sweep(): void {
    if (!isAlive(group)) {
      events.gone();
      return;
    }
    terminate(group);
    setTimeout(() => {
      kill(group);
      events.gone();
    }, graces.terminatedMs);
  }

  function over(): void {
    lines.end();
    report();
  }

  function report(): void {
    if (reported || !end) return;
    reported = true;
    events.ended(end);
  }
}

/** More than this waiting for the browser, and the server is not read from. */
const HELD_UNITS = WINDOW_UNITS;
/** For what is still in the pipes of a process that is gone. */
const LATE_MS = 300;
const OUTPUT_CLOSED = "The server closed its output.";
const STOPPED = "navra ended the server.";
const TOO_LARGE =
  "The server wrote a message of more than 64 MiB. Ask for less at a time, or for a reference to the data.";

/** Line ends in JSON text are white space between tokens, so a space says the same. */
function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text;
}

function startProblem(problem: unknown): string {
  const code = (problem as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return "The program or its folder is not there any more. Run navra-host doctor in a terminal.";
  if (code === "EACCES") return "The program may not be executed. Run navra-host doctor in a terminal.";
  return `The program could not be started (${code ?? "no reason given"}). Run navra-host doctor in a terminal.`;
}
