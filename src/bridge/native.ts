/**
 * What the extension and the native-messaging host say to each other. One port carries many servers: every message about
 * one is tagged with the server's name in the host's allow-list and with the run, a number that the extension never uses
 * twice on a port, so that a late word of a dead process is never taken for its successor's.
 *
 * INVARIANT: nothing the extension says names a program to start. It opens by name what a person allowed in a terminal;
 * what it proposes is only stored, and waits for `navra-host review`.
 *
 *   extension → host   hello, open, frame | chunk, credit, close, ask
 *   host → extension   hello | refused, opened, frame | chunk, credit, stderr, noise, closed, answer
 *
 * `hello` is each side's first message. The host says nothing before the extension has, and ends after `refused`.
 *
 * @see https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging
 */

export const HOST_NAME = "dev.navra.host";
/** Raised when an older side could misunderstand a newer one; the host refuses any other number. */
export const NATIVE_PROTOCOL = 1;

/** The browsers' limit for one message from a host; one byte more ends the port. */
export const MAX_TO_BROWSER_BYTES = 1024 * 1024;
/** The browsers' limit for one message to a host. */
export const MAX_TO_HOST_BYTES = 64 * 1024 * 1024;
/** No MCP frame longer than this passes the host, either way; the worker's own limit may be lower. */
export const MAX_NATIVE_FRAME_UNITS = 64 * 1024 * 1024;

/** Names of servers in the allow-list; the same rule as for every server's name. */
export const SERVER_NAME = /^[A-Za-z0-9._-]{1,64}$/;

export interface Tag {
  readonly server: string;
  readonly run: number;
}

/** What flows both ways once a run is open; see `native-flow.ts` for how much of it. */
export type Carried =
  /** One whole MCP frame, without a line end. */
  | (Tag & { readonly kind: "frame"; readonly text: string })
  /** A part of a frame, in order; the frame ends with the part that is `last`. Never interleaved within one run. */
  | (Tag & { readonly kind: "chunk"; readonly text: string; readonly last: boolean })
  /** So many more UTF-16 code units may be sent on this run. */
  | (Tag & { readonly kind: "credit"; readonly units: number });

export type ToHost =
  | { readonly kind: "hello"; readonly protocol: number; readonly version: string }
  /** Starts the server; answered by `opened` or `closed`. Waits while a crashed server is held back. */
  | (Tag & { readonly kind: "open" })
  | Carried
  /** Ends the run: its input is closed, then it is terminated, then killed. Answered by `closed`. */
  | (Tag & { readonly kind: "close" })
  | HostAsk;

export type FromHost =
  | {
      readonly kind: "hello";
      readonly protocol: number;
      /** navra's version, to be compared with the extension's own. */
      readonly version: string;
      readonly node: string;
      readonly platform: string;
    }
  /** The host does not work with this caller and ends. */
  | { readonly kind: "refused"; readonly reason: "protocol" | "caller"; readonly message: string }
  | (Tag & { readonly kind: "opened"; readonly pid: number })
  | Carried
  /** New lines the server wrote to its error output; shown to the person, never to an agent. */
  | (Tag & { readonly kind: "stderr"; readonly lines: readonly string[] })
  /** Lines on its output that were no JSON objects or arrays, so far in this run, and the beginning of the latest. */
  | (Tag & { readonly kind: "noise"; readonly lines: number; readonly sample: string })
  | Closed
  | HostAnswer;

/** The run is over; nothing tagged with it follows. */
export interface Closed extends Tag {
  readonly kind: "closed";
  readonly reason: CloseReason;
  /** A sentence with the remedy, for the person. */
  readonly message: string;
  readonly code?: number;
  readonly signal?: string;
  /** The last lines of its error output. */
  readonly stderr: readonly string[];
}

/** For these no process was started, so no byte reached a server. */
export const NOT_STARTED = ["not-listed", "changed", "not-startable", "crash-loop", "busy"] as const;

export type CloseReason =
  | (typeof NOT_STARTED)[number]
  /** The process ended by itself, or closed its output. */
  | "exited"
  /** A frame was over the limit. */
  | "too-large"
  /** The extension asked for it. */
  | "closed";

/** A program as a person typed it in the dashboard, to be looked at in a terminal. */
export interface Proposal {
  readonly name: string;
  /** A program's name or path, such as `npx`. Never a command line. */
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute working folder, or empty for the home folder. */
  readonly cwd: string;
  /** Names of environment variables that the server needs. Values are set on the machine. */
  readonly env: readonly string[];
}

/** One line of the allow-list, with what the host knows of it now. */
export interface HostServer {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: readonly string[];
  /** Why it cannot start as it is, as a sentence with the remedy. */
  readonly problem?: string;
  readonly running: boolean;
  readonly crashes: number;
  /** Stopped after too many crashes; `restart` lifts it. */
  readonly stopped: boolean;
}

export interface WaitingProposal {
  readonly proposal: Proposal;
  readonly words: string;
  readonly at: number;
}

export interface HostList {
  readonly servers: readonly HostServer[];
  readonly waiting: readonly WaitingProposal[];
  /** What the person types on this machine to look at what waits. */
  readonly review?: string;
}

export interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  /** The command or act that repairs it. */
  readonly remedy?: string;
}

/** What the extension may ask of the host. */
export interface HostApi {
  list: (p: null) => HostList;
  /** Stores it, replacing one of the same name that waits. Both sides show `words`, each from its own digest. */
  propose: (p: { readonly proposal: Proposal }) => { readonly words: string };
  withdraw: (p: { readonly name: string }) => null;
  /** The same checks as `navra-host doctor`. */
  health: (p: null) => { readonly checks: readonly Check[] };
  /** The ring of a server's error output on this port, newest last, and how many lines were no JSON. */
  log: (p: { readonly server: string }) => { readonly lines: readonly string[]; readonly noise: number };
  /** A person's act: ends its runs and forgets its crashes. */
  restart: (p: { readonly server: string }) => null;
}

export const HOST_METHODS = ["list", "propose", "withdraw", "health", "log", "restart"] as const;
export type HostMethod = keyof HostApi;
export type HostParams<M extends HostMethod> = Parameters<HostApi[M]>[0];

export interface HostAsk {
  readonly kind: "ask";
  readonly ask: number;
  readonly method: HostMethod;
  readonly params: unknown;
}

export type HostAnswer =
  | { readonly kind: "answer"; readonly ask: number; readonly result: unknown }
  | { readonly kind: "answer"; readonly ask: number; readonly problem: string };
