/**
 * Everything the host says, in turn: short words first, then one part of each run after the other, so that no server's long
 * answer holds up another's. Nothing is written while the browser is behind; what is only of interest as it is now (error
 * output, counts) is kept as it is now instead of queued.
 */
import type { Writable } from "node:stream";
import type { FromHost, Tag } from "../../bridge/native.ts";
import type { Outflow } from "../../bridge/native-flow.ts";
import { encodeMessage } from "./framing.ts";

export interface Lane {
  readonly tag: Tag;
  readonly out: Outflow;
  /** After a part was taken. */
  readonly relieved: () => void;
}

export interface OpenLane {
  stderr(lines: readonly string[]): void;
  noise(lines: number, sample: string): void;
  /** The last word, said when everything before it has been. */
  last(message: FromHost): void;
}

export interface Outbox {
  /** @throws FramingFault when it is too long for the browser */
  say(message: FromHost): void;
  open(lane: Lane): OpenLane;
  /** A run has something, or was given credit. */
  ready(): void;
  /** Without a reader: nothing is kept or written any more. */
  shut(): void;
}

export function createOutbox(output: Writable): Outbox {
  const urgent: Buffer[] = [];
  let lanes: Waiting[] = [];
  let blocked = false;
  let shut = false;
  output.on("drain", () => {
    blocked = false;
    pump();
  });

  return {
    say(message) {
      urgent.push(encodeMessage(message));
      pump();
    },
    open(lane) {
      const waiting: Waiting = { ...lane, stderr: [], noise: undefined, last: undefined };
      lanes.push(waiting);
      return {
        stderr(lines) {
          waiting.stderr = fitting([...waiting.stderr, ...lines]);
          pump();
        },
        noise(lines, sample) {
          waiting.noise = { lines, sample };
          pump();
        },
        last(message) {
          waiting.last = message;
          pump();
        },
      };
    },
    ready: pump,
    shut() {
      shut = true;
      urgent.length = 0;
      lanes = [];
    },
  };

  function pump(): void {
    while (!blocked && !shut) {
      const bytes = urgent.shift() ?? fromLanes();
      if (!bytes) return;
      blocked = !output.write(bytes);
    }
  }

  /** The next message of the first run that has one; that run then goes to the end of the row. */
  function fromLanes(): Buffer | undefined {
    for (const [index, lane] of lanes.entries()) {
      const message = nextOf(lane);
      if (!message) continue;
      lanes.splice(index, 1);
      if (message !== lane.last) lanes.push(lane);
      return encodeMessage(message);
    }
    return undefined;
  }
}

interface Waiting extends Lane {
  stderr: readonly string[];
  noise: { readonly lines: number; readonly sample: string } | undefined;
  last: FromHost | undefined;
}

function nextOf(lane: Waiting): FromHost | undefined {
  const { server, run } = lane.tag;
  const part = lane.out.take();
  if (part) {
    lane.relieved();
    if (part.whole) return { kind: "frame", server, run, text: part.text };
    return { kind: "chunk", server, run, text: part.text, last: part.last };
  }
  if (lane.noise) {
    const { lines, sample } = lane.noise;
    lane.noise = undefined;
    return { kind: "noise", server, run, lines, sample };
  }
  if (lane.stderr.length > 0) {
    const lines = lane.stderr;
    lane.stderr = [];
    return { kind: "stderr", server, run, lines };
  }
  return lane.out.waiting === 0 ? lane.last : undefined;
}

const MOST_LINES_UNITS = 64 * 1024;

/** The last lines that certainly fit into one message. */
export function fitting(lines: readonly string[]): readonly string[] {
  let units = 0;
  let from = lines.length;
  while (from > 0) {
    units += (lines[from - 1]?.length ?? 0) + 4;
    if (units > MOST_LINES_UNITS) break;
    from -= 1;
  }
  return from === 0 ? lines : lines.slice(from);
}
