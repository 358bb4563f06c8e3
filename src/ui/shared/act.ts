/** A change a person asked for: one at a time, its problem kept as a sentence until the next try. */
import { useSignal } from "@preact/signals";

export interface Act {
  readonly busy: boolean;
  readonly problem: string | undefined;
  /** Runs the change unless one is running; says whether it went through. */
  readonly run: (change: () => Promise<unknown>) => Promise<boolean>;
  readonly clear: () => void;
}

/** `done` follows a change that went through: the view that shows it asks again, without waiting for the news. */
export function useAct(done?: () => void): Act {
  const busy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  return {
    busy: busy.value,
    problem: problem.value,
    clear: () => {
      problem.value = undefined;
    },
    run: async (change) => {
      if (busy.peek()) return false;
      busy.value = true;
      problem.value = undefined;
      try {
        await change();
        done?.();
        return true;
      } catch (error) {
        problem.value = error instanceof Error ? error.message : String(error);
        return false;
      } finally {
        busy.value = false;
      }
    },
  };
}
