/**
 * One port of one browser profile: reads what the extension says, starts by name what the allow-list has, and carries
 * frames. Each port has a process and children of its own, so browsers and profiles do not know of one another; what they
 * share is the allow-list, read anew for every start, and the waiting proposals.
 *
 * When the browser goes away, however it does, everything the port started is ended before the host is.
 */
import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { Closed, HostAsk, Tag, ToHost } from "../../bridge/native.ts";
import { NATIVE_PROTOCOL } from "../../bridge/native.ts";
import { parseToHost } from "../../bridge/native-parse.ts";
import { saidHello } from "../hello-line.ts";
import type { SpellOut } from "../own-name.ts";
import { type Graces, startRun } from "../run/run.ts";
import type { SpawnPlan } from "../run/spawn-plan.ts";
import type { Warden } from "../run/warden.ts";
import { createMessageReader } from "./framing.ts";
import { createKnown } from "./known.ts";
import { createLane, type RunLane } from "./lane.ts";
import { createOutbox, fitting, type OpenLane } from "./outbox.ts";

/** What the port needs from the machine. */
export interface ServePorts {
  readonly version: string;
  /** What to start for a name. @throws NotAllowed */
  readonly plan: (server: string) => Promise<SpawnPlan>;
  /** Answers what needs no knowledge of this port. @throws Error with a sentence for the person */
  readonly answer: (ask: HostAsk, servers: Servers) => Promise<unknown>;
  /** Puts a command that works in the place of navra-host's name, in sentences for the person. */
  readonly spellOut: SpellOut;
  readonly warden: Warden;
  readonly log: (line: string) => void;
  /** Keeps error output for `navra-host logs`. */
  readonly keep: (server: string, bytes: Buffer) => void;
  readonly now: () => number;
  /** Returns what cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly graces: Graces;
}

/** What a port knows of its servers, for answers. */
export interface Servers {
  state(server: string): { readonly running: boolean; readonly crashes: number; readonly stopped: boolean };
  log(server: string): { readonly lines: readonly string[]; readonly noise: number };
  restart(server: string): void;
}

/** Why a name cannot be started; the sentence is for the person. */
export class NotAllowed extends Error {
  readonly reason: "not-listed" | "changed" | "not-startable";
  constructor(reason: NotAllowed["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

export const MOST_RUNS = 64;
/** The browsers kill a host two or three seconds after they closed its input. */
export const LEAVING: Graces = { inputClosedMs: 300, terminatedMs: 400 };
const LEAVE_WITHIN_MS = 1500;

/** Resolves when the port is over and what it started is gone. */
export function serve(input: Readable, output: Writable, ports: ServePorts): Promise<void> {
  const outbox = createOutbox(output);
  const lanes = new Map<number, RunLane>();
  const known = createKnown();
  let greeted = false;
  let over = false;
  let left = () => {};

  const servers: Servers = {
    state: (server) => {
      const about = known.peek(server);
      if (!about) return { running: false, crashes: 0, stopped: false };
      const stopped = about.crashes.at(ports.now()).kind === "stopped";
      return { running: about.open.size > 0, crashes: about.crashes.count, stopped };
    },
    log: (server) => ({ lines: fitting(known.peek(server)?.ring.lines ?? []), noise: known.peek(server)?.noise ?? 0 }),
    restart(server) {
      const about = known.peek(server);
      about?.crashes.forget();
      for (const lane of about?.open ?? []) lane.close();
      for (const lane of lanes.values()) if (lane.tag.server === server) lane.wake?.();
    },
  };

  return new Promise((resolve) => {
    left = resolve;
    const reader = createMessageReader(hear);
    input.on("data", (bytes: Buffer) => {
      if (over) return;
      try {
        reader.push(bytes);
      } catch (problem) {
        leave(`The port is broken: ${(problem as Error).message}`);
      }
    });
    input.on("end", () => leave(reader.partial ? "The browser left in the middle of a message." : "The browser left."));
    input.on("error", () => leave("The browser left."));
    output.on("error", () => leave("The browser does not listen any more."));
  });

  function hear(value: unknown): void {
    if (over) return;
    const message = parseToHost(value);
    if (message && (greeted || message.kind === "hello")) handle(message);
    else ports.log(message ? "A message before hello was ignored." : "A message that is none of navra's was ignored.");
  }

  function handle(message: ToHost): void {
    switch (message.kind) {
      case "hello":
        hello(message.protocol, message.version);
        break;
      case "open":
        void open({ server: message.server, run: message.run });
        break;
      case "close":
        laneOf(message)?.close();
        break;
      case "frame":
        laneOf(message)?.take(message.text, true);
        break;
      case "chunk":
        laneOf(message)?.take(message.text, message.last);
        break;
      case "credit":
        laneOf(message)?.run?.out.credit(message.units);
        outbox.ready();
        break;
      case "ask":
        void answer(message);
    }
  }

  function hello(protocol: number, version: string): void {
    ports.log(saidHello(version));
    if (protocol === NATIVE_PROTOCOL) {
      greeted = true;
      const { version: node, platform } = process;
      outbox.say({ kind: "hello", protocol: NATIVE_PROTOCOL, version: ports.version, node, platform });
      return;
    }
    const newer = protocol > NATIVE_PROTOCOL ? "navra in the browser is newer" : "navra-host is newer";
    const message = `${newer}. Install the host anew from the same version as the extension: navra-host install`;
    outbox.say({ kind: "refused", reason: "protocol", message: ports.spellOut(message) });
    leave("The extension speaks another version.");
  }

  /** A tag with a run of another server is nobody's. */
  function laneOf(tag: Tag): RunLane | undefined {
    const lane = lanes.get(tag.run);
    return lane?.tag.server === tag.server ? lane : undefined;
  }

  async function open(tag: Tag): Promise<void> {
    if (lanes.has(tag.run)) {
      ports.log("A run that is open was opened again; ignored.");
      return;
    }
    if (lanes.size >= MOST_RUNS) {
      say(tag, { reason: "busy", message: BUSY });
      return;
    }
    const lane: RunLane = createLane(tag, () => known.peek(tag.server)?.open.delete(lane));
    lanes.set(tag.run, lane);
    try {
      if (!(await held(tag.server, lane))) {
        closeLane(lane, { reason: "crash-loop", message: CRASH_LOOP });
        return;
      }
      const plan = await ports.plan(tag.server);
      if (lane.closing || over) closeLane(lane, { reason: "closed", message: "navra ended the server." });
      else start(lane, plan);
    } catch (problem) {
      const reason = problem instanceof NotAllowed ? problem.reason : "not-startable";
      ports.log(`${tag.server} was not started: ${(problem as Error).message}`);
      closeLane(lane, { reason, message: (problem as Error).message });
    }
  }

  /** Waits as long as a server that died is held back. Whether it may start at all. */
  async function held(server: string, lane: RunLane): Promise<boolean> {
    for (;;) {
      const verdict = known.of(server).crashes.at(ports.now());
      if (verdict.kind === "stopped") return false;
      if (verdict.afterMs === 0 || lane.closing || over) return true;
      await new Promise((resolve) => {
        const cancel = ports.after(verdict.afterMs, () => resolve(undefined));
        lane.wake = () => {
          cancel();
          resolve(undefined);
        };
      });
    }
  }

  function start(lane: RunLane, plan: SpawnPlan): void {
    const { tag } = lane;
    const about = known.of(tag.server);
    let mouth: OpenLane | undefined;
    let opened = false;
    const run = startRun({
      plan,
      mark: randomBytes(16).toString("hex"),
      ring: about.ring,
      graces: ports.graces,
      events: {
        opened: (group) => {
          opened = true;
          lane.unwatch = () => ports.warden.ended(group);
          ports.warden.began(group);
          ports.log(`${tag.server} runs as process ${group.pid}.`);
          outbox.say({ kind: "opened", ...tag, pid: group.pid });
          lane.flush();
        },
        ready: outbox.ready,
        credit: (units) => outbox.say({ kind: "credit", ...tag, units }),
        stderr: (lines, bytes) => {
          ports.keep(tag.server, bytes);
          mouth?.stderr(lines);
        },
        noise: (lines, sample) => {
          about.noise += 1;
          mouth?.noise(lines, sample);
        },
        ended: (end) => {
          if (end.reason === "exited") about.crashes.died(ports.now());
          ports.log(`${tag.server} is over: ${end.message}`);
          const message = ports.spellOut(end.message);
          mouth?.last({ kind: "closed", ...tag, ...end, message, stderr: fitting(about.ring.lines.slice(-20)) });
          lanes.delete(tag.run);
          if (!opened) lane.gone();
        },
        gone: lane.gone,
      },
    });
    lane.run = run;
    about.open.add(lane);
    mouth = outbox.open({ tag, out: run.out, relieved: run.relieved });
  }

  function closeLane(lane: RunLane, end: Pick<Closed, "reason" | "message">): void {
    lanes.delete(lane.tag.run);
    lane.gone();
    say(lane.tag, end);
  }

  function say(tag: Tag, end: Pick<Closed, "reason" | "message">): void {
    const message = ports.spellOut(end.message);
    outbox.say({
      kind: "closed",
      ...tag,
      ...end,
      message,
      stderr: fitting(known.of(tag.server).ring.lines.slice(-20)),
    });
  }

  async function answer(message: HostAsk): Promise<void> {
    const { ask } = message;
    try {
      outbox.say({ kind: "answer", ask, result: (await ports.answer(message, servers)) ?? null });
    } catch (problem) {
      outbox.say({ kind: "answer", ask, problem: ports.spellOut((problem as Error).message) });
    }
  }

  function leave(why: string): void {
    if (over) return;
    over = true;
    ports.log(why);
    const waiting = [...known.all()].flatMap((about) => [...about.open]);
    // Said words, such as a refusal, still go out; nothing new is said.
    setImmediate(outbox.shut);
    for (const lane of lanes.values()) lane.wake?.();
    for (const lane of waiting) lane.run?.stop(LEAVING);
    const all = Promise.all(waiting.map((lane) => lane.ended));
    const late = new Promise((resolve) => setTimeout(resolve, LEAVE_WITHIN_MS).unref());
    Promise.race([all, late]).then(left);
  }
}

const BUSY = `No more than ${MOST_RUNS} local servers run at once for one browser profile. Close pages that use some.`;
const CRASH_LOOP =
  "The server ended too often in a short time and is not started any more. Look into its log, then press Restart.";
