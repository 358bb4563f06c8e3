/** What navra's own pages are told of the native host and its servers. */
import type { HostServer, WaitingProposal } from "./native.ts";

export type HostState =
  /** Not asked since the worker started. */
  | { readonly state: "unknown" }
  | {
      readonly state: "ready";
      readonly version: string;
      readonly node: string;
      readonly platform: string;
      /** Of the same version as navra. Others work as long as they speak the same protocol. */
      readonly same: boolean;
    }
  | { readonly state: "missing" }
  /** Installed for another extension, or it does not want this one. */
  | { readonly state: "refused" }
  /** Speaks another protocol. */
  | { readonly state: "old" }
  | { readonly state: "broken"; readonly detail: "unstartable" | "ended" | "silent" | "garbled" };

export interface LocalServerView extends HostServer {
  /** How its latest run ended by itself, where it did. */
  readonly last?: { readonly at: number; readonly message: string };
  /** The registered server that stands for it, where there is one. */
  readonly serverId?: string;
}

export interface LocalView {
  readonly host: HostState;
  readonly servers: readonly LocalServerView[];
  readonly waiting: readonly WaitingProposal[];
  /** What the person types on this machine to look at what waits, where the host says so. */
  readonly review?: string;
}

export interface LocalLog {
  readonly lines: readonly string[];
  readonly noise: number;
}
