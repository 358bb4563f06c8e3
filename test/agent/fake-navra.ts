/**
 * navra in one event target: the real runtime and the real relay over ports of memory, and in place of the worker a
 * function that is handed each frame. A channel's answers go to whichever port it has now, as the worker does it.
 */
import { parsePageDoor } from "../../src/bridge/doors.ts";
import { MAX_FRAME_UNITS } from "../../src/bridge/handshake.ts";
import { type RelayPort, startRelay } from "../../src/content/relay.ts";
import { installProvider } from "../../src/page/provider.ts";

export interface FakeChannel {
  readonly server: string;
  readonly act: boolean;
  readonly frames: string[];
  /** Delivers to the page, if a port is open. */
  post(frame: string): void;
}

export interface WorkerSide {
  opened?(channel: FakeChannel, time: number): void;
  frame?(channel: FakeChannel, frame: string): void;
}

export interface FakeNavra {
  readonly target: EventTarget;
  readonly channels: FakeChannel[];
  /** Ports opened so far. */
  readonly connects: () => number;
  /** Ends every port, as the browser does when it stops the worker. */
  readonly stopWorker: () => void;
  /** Ends every port without a word: the next message through one throws. */
  readonly breakPorts: () => void;
  /** From now on the extension is gone. */
  readonly remove: () => void;
  /** From now on each port ends as soon as it opened. */
  readonly refuse: () => void;
}

export function fakeNavra(worker: WorkerSide, options: { readonly act?: boolean } = {}): FakeNavra {
  const target = new EventTarget();
  const channels = new Map<string, FakeChannel & { deliver: ((frame: string) => void) | undefined; times: number }>();
  const ends = new Set<() => void>();
  let alive = true;
  let refusing = false;
  let connects = 0;

  const connect = (name: string): RelayPort => {
    const door = parsePageDoor(name);
    if (!door) throw new Error(`The relay opened a port with the name ${name}.`);
    connects += 1;
    let listener: (message: unknown) => void = () => {};
    let onEnd = () => {};
    const channel = channels.get(door.channel) ?? {
      server: door.server,
      act: door.act,
      frames: [],
      times: 0,
      deliver: undefined,
      post(frame: string) {
        this.deliver?.(frame);
      },
    };
    channels.set(door.channel, channel);
    channel.times += 1;
    const deliver = (frame: string) => queueMicrotask(() => listener(frame));
    channel.deliver = deliver;
    const end = () => {
      ends.delete(end);
      if (channel.deliver === deliver) channel.deliver = undefined;
      onEnd();
    };
    ends.add(end);
    if (refusing) queueMicrotask(end);
    else worker.opened?.(channel, channel.times);
    return {
      postMessage: (frame) => {
        if (!ends.has(end)) throw new Error("Attempting to use a disconnected port object");
        if (typeof frame !== "string") return;
        channel.frames.push(frame);
        queueMicrotask(() => worker.frame?.(channel, frame));
      },
      disconnect: () => {
        ends.delete(end);
        channel.deliver = undefined;
      },
      onMessage: {
        addListener: (added) => {
          listener = added;
        },
      },
      onDisconnect: {
        addListener: (added) => {
          onEnd = added;
        },
      },
    };
  };

  startRelay({
    target,
    runtime: () => (alive ? { id: "navra", connect: ({ name }) => connect(name) } : undefined),
    acted: () => options.act ?? false,
    visible: () => true,
    maxChannels: 32,
    maxFrameUnits: MAX_FRAME_UNITS,
  });
  installProvider({ target, CustomEvent, crypto });

  return {
    target,
    get channels() {
      return [...channels.values()];
    },
    connects: () => connects,
    stopWorker: () => {
      for (const end of [...ends]) end();
    },
    breakPorts: () => ends.clear(),
    remove: () => {
      alive = false;
      for (const end of [...ends]) end();
    },
    refuse: () => {
      refusing = true;
    },
  };
}
