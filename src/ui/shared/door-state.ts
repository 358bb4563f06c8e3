/** Whether the worker can be reached, for views that say so. */
import { useEffect, useState } from "preact/hooks";
import type { ControlClient, DoorState } from "../../platform/door.ts";

/**
 * `lost` only once it has lasted longer than a blink, because the browser stops and starts the worker all the time; and then
 * until something came through again, because a port that opened is no answer yet.
 */
export function useDoorState(client: ControlClient): DoorState {
  const [state, setState] = useState<DoorState>("waking");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = client.onState((next) => {
      if (next === "lost") timer ??= setTimeout(() => setState("lost"), BLINK);
      if (next !== "open") return;
      clearTimeout(timer);
      timer = undefined;
      setState("open");
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [client]);
  return state;
}

const BLINK = 400;
