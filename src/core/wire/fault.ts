/**
 * A named fault as the JSON-RPC error object of the revision in force. The name and the retry advice travel in `data`,
 * because the codes of two eras differ and a model can act only on what it can read.
 *
 * @see JSON-RPC 2.0 · 5.1 Error object
 */
import { FAULTS, type FaultName } from "../errors.ts";
import type { JsonObject } from "./json.ts";

export interface FaultBody {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject;
}

/** `detail` is a sentence of ours. `unsupported-version` needs `supported` and `requested` in `data`. */
export function faultError(name: FaultName, modern: boolean, detail: string, data?: JsonObject): FaultBody {
  const row = FAULTS[name];
  return { code: modern ? row.modern : row.legacy, message: detail, data: { name, retry: row.retry, ...data } };
}
