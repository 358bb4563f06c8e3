/** What both sides of the comparison can do, so that one row is written once and runs on either. */

export const CLIENT_ROWS = ["stream/10MB", "notifications/2000ps", "list/1000tools", "concurrent/1000"] as const;
export type ClientRow = (typeof CLIENT_ROWS)[number];
export type SideName = "ours" | "theirs";

declare global {
  var benchRun: (side: SideName, row: ClientRow, url: string) => Promise<number>;
}

export interface Side {
  /** Resolves with the number of content parts in the result. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<number>;
  /** Resolves with the number of tools. */
  list(): Promise<number>;
  /** From now on each log message goes here, with its data; nothing stops that. */
  hear(listener: ((data: unknown) => void) | undefined): void;
}
