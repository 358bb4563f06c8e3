/**
 * Tells a connection that died from one that has nothing to say: a browser cannot send WebSocket pings, and a connection
 * behind a sleeping machine or a lost network looks open for hours. After a quiet time the server is asked something small;
 * several questions in a row without a single frame coming in mean death. Counting questions and not minutes keeps a machine
 * that slept from taking every connection for dead.
 *
 * @see MCP 2025-11-25 · Utilities · Ping
 */
import type { Clock } from "../ports.ts";

export interface Pulse {
  /** Any frame came in. */
  heard(): void;
}

export interface PulseOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether anybody waits for something on this connection. */
  readonly needed: () => boolean;
  readonly beat: () => void;
  readonly dead: () => void;
}

/** Less than what makes common proxies drop an idle connection. */
const QUIET_MS = 25_000;
const MOST_UNANSWERED = 3;

export function createPulse({ clock, signal, needed, beat, dead }: PulseOptions): Pulse {
  let last = clock.monotonic();
  let unanswered = 0;
  let stop = clock.after(QUIET_MS, check);
  signal.addEventListener("abort", () => stop(), { once: true });

  function check(): void {
    if (signal.aborted) return;
    const quiet = clock.monotonic() - last;
    if (quiet < QUIET_MS) {
      stop = clock.after(QUIET_MS - quiet, check);
      return;
    }
    if (unanswered >= MOST_UNANSWERED) {
      dead();
      return;
    }
    if (needed()) {
      unanswered += 1;
      beat();
    }
    stop = clock.after(QUIET_MS, check);
  }

  return {
    heard() {
      last = clock.monotonic();
      unanswered = 0;
    },
  };
}
