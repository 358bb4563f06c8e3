/**
 * What the worker knows, kept fresh in a view: asked once, asked again when one of its topics changed, never more than one
 * ask of a kind at a time. Under 150 ms nothing is shown, then skeletons; after 3 s the silence itself is the message.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ControlMethod, ControlParams, ControlResult } from "../../bridge/control-api.ts";
import type { Topic } from "../../core/ports.ts";
import type { ControlClient } from "../../platform/door.ts";

/**
 * `starting`: no answer yet. `silent`: none for three seconds; it may still come. `ready`: `data` is there, and stays while
 * it is renewed. `failed`: the worker refused, `problem` says why; `data` keeps the last answer where there was one.
 */
export interface Loaded<T> {
  readonly status: "starting" | "silent" | "ready" | "failed";
  readonly data: T | undefined;
  readonly problem: string | undefined;
  /** Asks again now. */
  readonly reload: () => void;
}

/** For components. `params` may be a fresh object at every render; it is compared by its JSON. */
export function useData<M extends ControlMethod>(
  client: ControlClient,
  method: M,
  params: ControlParams<M>,
  topics: readonly Topic[],
): Loaded<ControlResult<M>> {
  const source = useMemo(() => keep(client, method, params, topics), [client, method, JSON.stringify(params)]);
  useEffect(() => source.start(), [source]);
  return source.loaded.value;
}

export interface Kept<T> {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  /** Begins to ask and to listen; returns the end of both. */
  start(): () => void;
}

/** The same outside of components. */
export function keep<M extends ControlMethod>(
  client: ControlClient,
  method: M,
  params: ControlParams<M>,
  topics: readonly Topic[],
): Kept<ControlResult<M>> {
  type Result = ControlResult<M>;
  let busy = false;
  let again = false;
  let stopped = true;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const loaded = signal<Loaded<Result>>({ status: "starting", data: undefined, problem: undefined, reload: load });

  function load(): void {
    if (stopped) return;
    again = busy;
    if (busy) return;
    busy = true;
    clearTimeout(silence);
    silence = setTimeout(() => settle("silent", loaded.value.data, undefined), SILENT_AFTER);
    client.call(method, params).then(
      (data) => settle("ready", data, undefined),
      (problem: unknown) => settle("failed", loaded.value.data, problem instanceof Error ? problem.message : ""),
    );
  }

  function settle(status: Loaded<Result>["status"], data: Result | undefined, problem: string | undefined): void {
    if (stopped) return;
    loaded.value = { status, data, problem, reload: load };
    if (status === "silent") return;
    clearTimeout(silence);
    busy = false;
    if (again) setTimeout(load, GAP);
  }

  function start(): () => void {
    stopped = false;
    busy = false;
    load();
    const unsubscribe = client.onNews((changed) => {
      if (changed.some((topic) => topics.includes(topic))) load();
    });
    return () => {
      stopped = true;
      clearTimeout(silence);
      unsubscribe();
    };
  }

  return { loaded, start };
}

const SILENT_AFTER = 3_000;
/** Between two asks while news keeps coming. */
const GAP = 100;
