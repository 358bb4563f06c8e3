/** A tool definition as it was when a person approved it, and the changed one that waits to be looked at. */

export interface Pin {
  readonly serverId: string;
  readonly tool: string;
  /** Canonical form of the approved definition. */
  readonly approved: string;
  readonly approvedAt: number;
  /** Canonical form of a changed definition; while present the tool is quarantined everywhere. */
  readonly pending?: string;
  readonly pendingSince?: number;
}
