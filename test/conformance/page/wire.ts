/** What the runner and the agent page say to each other over their WebSocket, as JSON. */

/** One scenario of the suite, acted out by the official client in the page. */
export interface Errand {
  readonly scenario: string;
  /** The server's name in navra. */
  readonly server: string;
  /** The revision that the suite's server speaks in this run. */
  readonly version: string;
  /** What the suite tells the client besides, as JSON text. */
  readonly context?: string;
}

export type ToPage =
  | { readonly kind: "errand"; readonly id: number; readonly errand: Errand }
  | { readonly kind: "open"; readonly channel: string; readonly server: string }
  | { readonly kind: "frame"; readonly channel: string; readonly frame: string }
  | { readonly kind: "close"; readonly channel: string };

export type FromPage =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly id: number; readonly problem?: string }
  | { readonly kind: "frame"; readonly channel: string; readonly frame: string }
  | { readonly kind: "lost"; readonly channel: string; readonly reason: string };
