/**
 * A request seen as the item that a list would show: hiding and refusing rest on one judgement, so that no tool, prompt or
 * resource that a rule hides can be used by who has learned its name elsewhere. Only what a list is judged by goes in: never
 * what a session has read or done, because a list must not tell of that.
 */
import type { Facts } from "./policy.ts";

/** Nothing for a request that is of no listed thing, and for what a server asks. */
export function listedAs(facts: Facts): Facts | undefined {
  if (facts.phase !== "request" || facts.direction !== "out") return undefined;
  const { tool, prompt, uri } = facts;
  const item =
    tool !== undefined
      ? { method: "tools/list", tool }
      : prompt !== undefined
        ? { method: "prompts/list", prompt }
        : uri !== undefined
          ? { method: facts.method === "completion/complete" ? "resources/templates/list" : "resources/list", uri }
          : undefined;
  if (!item) return undefined;
  const { now, utcOffsetMinutes = 0, direction, origin, topSite, private: isPrivate, serverId } = facts;
  const about = { now, utcOffsetMinutes, direction, origin, topSite, private: isPrivate, serverId };
  return { phase: "list", ...about, ...item, pin: "none", bytes: 0 };
}
