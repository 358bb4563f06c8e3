/** Tells open control ports what changed, at most once per turn of the event loop and topic. */
import type { Topic } from "../core/ports.ts";

export interface News {
  changed(topic: Topic): void;
  /** Returns the unsubscriber. */
  subscribe(listener: (topics: readonly Topic[]) => void): () => void;
}

export function createNews(): News {
  const listeners = new Set<(topics: readonly Topic[]) => void>();
  const topics = new Set<Topic>();
  return {
    changed(topic) {
      if (listeners.size === 0) return;
      if (topics.size === 0) {
        queueMicrotask(() => {
          const told = [...topics];
          topics.clear();
          for (const listener of listeners) listener(told);
        });
      }
      topics.add(topic);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
