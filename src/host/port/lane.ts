/**
 * One run as the port sees it, from `open` to the last of its processes. Frames that come before its process does wait here;
 * the sender's window bounds them.
 */
import type { Tag } from "../../bridge/native.ts";
import type { Run } from "../run/run.ts";

export interface RunLane {
  readonly tag: Tag;
  run: Run | undefined;
  /** The extension closed it, perhaps before it was started. */
  closing: boolean;
  /** Ends a wait before the start. */
  wake: (() => void) | undefined;
  /** Tells the warden that it need not watch any more. */
  unwatch: (() => void) | undefined;
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<unknown>;
  take(text: string, last: boolean): void;
  /** The process is there: hand over what waited. */
  flush(): void;
  close(): void;
  gone(): void;
}

export function createLane(tag: Tag, gone: () => void): RunLane {
  let early: { readonly text: string; readonly last: boolean }[] | undefined = [];
  let ended = () => {};
  const lane: RunLane = {
    tag,
    run: undefined,
    closing: false,
    wake: undefined,
    unwatch: undefined,
    ended: new Promise((resolve) => {
      ended = () => resolve(undefined);
    }),
    take(text, last) {
      if (early) early.push({ text, last });
      else lane.run?.take(text, last);
    },
    flush() {
      const waited = early ?? [];
      early = undefined;
      for (const { text, last } of waited) lane.run?.take(text, last);
    },
    close() {
      lane.closing = true;
      lane.wake?.();
      lane.run?.stop();
    },
    gone() {
      lane.unwatch?.();
      gone();
      ended();
    },
  };
  return lane;
}
