/** The tabs of a call's details; their order is their keys, and never changes. */
export const TABS = ["overview", "request", "response", "decision", "time"] as const;
export type TabName = (typeof TABS)[number];
