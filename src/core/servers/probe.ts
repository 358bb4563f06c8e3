/**
 * Finds out which era a server speaks, from how it answers `server/discover`. Only a valid discovery, or the error that
 * names the supported versions, proves the newer one. A sign-in wall, an overloaded server and a broken network prove
 * nothing: a verdict from them would downgrade a server for an hour because of one bad minute.
 *
 * @see MCP 2026-07-28 · Base protocol · Versioning · Backward compatibility
 */
import { GatewayError } from "../errors.ts";
import { isLegacyRevision, isModernRevision, NEWEST_LEGACY, type Revision } from "../mcp/revision.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import type { ErrorMessage, Reply } from "../wire/message.ts";
import { noCommonRevision, supportedVersions } from "./handshake.ts";
import { UnreadableFrame } from "./incoming.ts";

/** What came of one `server/discover`. */
export interface Attempt {
  /** First, or sent again because the first answer was one of the correctable errors. */
  readonly turn: "first" | "second";
  /** A shared connection has no status, and older servers there may hang up or stay silent. */
  readonly shared: boolean;
  /** HTTP status, 0 where there was none. */
  readonly status: number;
  readonly answer: Reply | GatewayError;
}

export type Verdict =
  | { readonly kind: "modern"; readonly revision: Revision }
  | { readonly kind: "legacy" }
  | { readonly kind: "again" }
  | { readonly kind: "failed"; readonly problem: GatewayError };

export function judge(attempt: Attempt): Verdict {
  const { answer } = attempt;
  if (answer instanceof GatewayError) return judgeFailure(attempt, answer);
  if (answer.kind === "error") return judgeError(attempt, answer);
  const versions = supportedVersions(answer.result);
  return versions.length === 0 ? LEGACY : judgeVersions(versions);
}

const LEGACY: Verdict = { kind: "legacy" };

function judgeVersions(versions: readonly string[]): Verdict {
  const common = versions.filter(isModernRevision).sort().at(-1);
  if (common !== undefined) return { kind: "modern", revision: common };
  if (versions.some(isLegacyRevision)) return LEGACY;
  return { kind: "failed", problem: noCommonRevision() };
}

function judgeError({ turn }: Attempt, { error }: ErrorMessage): Verdict {
  if (error.code === UNSUPPORTED_VERSION) return judgeUnsupported(turn, error.data);
  if (CORRECTABLE.has(error.code) && turn === "first") return { kind: "again" };
  return LEGACY;
}

function judgeUnsupported(turn: Attempt["turn"], data: JsonValue | undefined): Verdict {
  const listed = isObject(data) ? supportedVersions({ supportedVersions: data.supported ?? null }) : [];
  if (listed.some(isModernRevision)) return turn === "first" ? { kind: "again" } : contradiction();
  // A version later than the last of the older era is one of the newer era that we do not know.
  const newer = listed.some((version) => VERSION.test(version) && version > NEWEST_LEGACY);
  return newer ? { kind: "failed", problem: noCommonRevision() } : LEGACY;
}

function contradiction(): Verdict {
  const sentence = "The server refuses the protocol version that it says it supports. Update it, or look into its log.";
  return { kind: "failed", problem: new GatewayError("upstream-broken", sentence) };
}

function judgeFailure({ shared, status }: Attempt, problem: GatewayError): Verdict {
  const silent = problem.fault === "timed-out" || problem.fault === "upstream-broken";
  if (shared && silent) return LEGACY;
  if (!shared && NO_SUCH_METHOD.has(status)) return LEGACY;
  if (status === 200 && problem instanceof UnreadableFrame) return LEGACY;
  return { kind: "failed", problem };
}

const UNSUPPORTED_VERSION = -32022;
const VERSION = /^\d{4}-\d{2}-\d{2}$/;
/** Header mismatch and missing capability: deployed servers use these codes for other things too, so ask once more. */
const CORRECTABLE: ReadonlySet<number> = new Set([-32020, -32021]);
const NO_SUCH_METHOD: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);
