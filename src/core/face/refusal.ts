/**
 * How a stopped call is told to the agent. A decision before anything was sent refuses `tools/call` with a result the model
 * can read and act on; every other refusal, and every fault, is a JSON-RPC error. Both carry name, retry and kinds of
 * reasons for programs, and no rule text.
 *
 * @see MCP 2026-07-28 · Tools · Error handling (tool errors are results, protocol errors are errors)
 */
import { FAULTS } from "../errors.ts";
import { META_REFUSAL } from "../mcp/meta.ts";
import type { Stop } from "../pipeline/stage.ts";
import { encodeError, encodeResult } from "../wire/encode.ts";
import { faultError } from "../wire/fault.ts";
import type { Id } from "../wire/message.ts";

export interface RefusedCall {
  readonly id: Id | null;
  readonly method: string;
  readonly modern: boolean;
}

export function refusalFrame({ id, method, modern }: RefusedCall, stop: Stop): string {
  const { name, detail, reasons = [], data } = stop;
  const retry = FAULTS[name].retry;
  if (stop.kind === "refused" && method === "tools/call" && id !== null) {
    return encodeResult(
      id,
      JSON.stringify({
        ...(modern ? { resultType: "complete" } : {}),
        content: [{ type: "text", text: detail }],
        isError: true,
        _meta: { [META_REFUSAL]: { name, retry, reasons } },
      }),
    );
  }
  return encodeError(id, faultError(name, modern, detail, { reasons, ...data }));
}
