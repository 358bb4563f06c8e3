/**
 * The one frozen table of faults and refusals, and the one error class. Codes of the JSON-RPC and MCP specifications are
 * used where they exist; our own lie in −31001…−31099, outside the range that 2026-07-28 closes to new codes. Only
 * `cancelled` and `too-large` have a second, older code for revisions up to 2025-11-25.
 *
 * INVARIANT: `detail` is a sentence of ours with a remedy and never holds anything from a payload, a rule's text, or
 * another server's name.
 *
 * @see JSON-RPC 2.0 · 5.1 Error object
 * @see MCP 2026-07-28 · Base protocol · Error codes
 */

/** Who has to change something for the call to work. */
export type Blame = "agent" | "server" | "network" | "person" | "navra";

/**
 * Whether sending the same call again can help: `no`, `later` (unchanged, after a while), `safe` (at once, nothing was
 * sent), `check` (it may have happened: look first), `changed` (only with other arguments or after the person acts).
 */
export type Retry = "no" | "later" | "safe" | "check" | "changed";

export interface FaultRow {
  /** JSON-RPC code up to 2025-11-25. */
  readonly legacy: number;
  /** JSON-RPC code from 2026-07-28. */
  readonly modern: number;
  readonly blame: Blame;
  readonly retry: Retry;
}

const row = (code: number, blame: Blame, retry: Retry, legacy = code): FaultRow =>
  Object.freeze({ legacy, modern: code, blame, retry });

export const FAULTS = Object.freeze({
  "parse-error": row(-32700, "agent", "changed"),
  "invalid-request": row(-32600, "agent", "changed"),
  "method-not-found": row(-32601, "agent", "no"),
  "invalid-params": row(-32602, "agent", "changed"),
  "internal-error": row(-32603, "navra", "later"),
  "missing-capability": row(-32021, "agent", "changed"),
  "unsupported-version": row(-32022, "agent", "changed"),
  cancelled: row(-31001, "person", "changed", -32001),
  "too-large": row(-31002, "agent", "changed", -32002),
  "timed-out": row(-31003, "server", "check"),
  "upstream-unreachable": row(-31004, "network", "later"),
  "upstream-broken": row(-31005, "server", "check"),
  "not-sent": row(-31006, "navra", "safe"),
  unknown: row(-31007, "navra", "check"),
  busy: row(-31008, "agent", "later"),
  "not-connected": row(-31009, "person", "changed"),
  denied: row(-31010, "person", "no"),
  paused: row(-31011, "person", "later"),
  "not-answered": row(-31012, "person", "later"),
  "rate-limited": row(-31013, "person", "later"),
  withheld: row(-31014, "person", "check"),
  "tool-changed": row(-31015, "server", "later"),
  "era-mismatch": row(-31016, "navra", "changed"),
  "storage-full": row(-31017, "navra", "later"),
} satisfies Record<string, FaultRow>);

export type FaultName = keyof typeof FAULTS;

export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly fault: FaultName;
  /** Members for the JSON-RPC `error.data` beside `name`, `retry` and `reasons`. */
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(fault: FaultName, detail: string, data?: Readonly<Record<string, unknown>>) {
    super(detail);
    this.fault = fault;
    this.data = data;
  }
}
