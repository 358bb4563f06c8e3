/**
 * What a call of a tool does, as far as anyone can say. A server's own hints are claims: `readOnlyHint` counts only where
 * the person trusts the server and has pinned the definition that says it, so that neither a stranger nor a later change
 * can turn a write into a read.
 *
 * @see MCP 2025-11-25 · Schema reference · ToolAnnotations
 */
import { isObject, type JsonObject } from "../wire/json.ts";
import type { ToolClass } from "./server.ts";

export interface ToolStanding {
  /** The server is one the person trusts. */
  readonly trusted: boolean;
  /** The definition is the one a person approved. */
  readonly pinned: boolean;
}

export function toolClass(definition: JsonObject, { trusted, pinned }: ToolStanding): ToolClass {
  const hints = isObject(definition.annotations) ? definition.annotations : {};
  if (pinned && trusted && hints.readOnlyHint === true) return "read";
  return hints.openWorldHint === false ? "write" : "external";
}
