/**
 * For each argument, the answers it was seen in before. Answers of servers that are not trusted come first: where a value
 * stood in several, the person hears of the worst.
 */
import type { Match } from "../flow/provenance.ts";
import type { ServerEntry } from "../servers/server.ts";
import { isObject, type JsonValue } from "../wire/json.ts";
import type { ArgumentOrigin } from "./approval.ts";

/** Answers named for one argument. */
const MOST = 3;

export interface Seen {
  readonly match: (value: JsonValue) => readonly Match[];
  readonly serverOf: (serverId: string) => Pick<ServerEntry, "name" | "trust"> | undefined;
}

export function argumentOrigins(value: JsonValue | undefined, { match, serverOf }: Seen): readonly ArgumentOrigin[] {
  if (value === undefined || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const from = match(member).map(({ origin, kinds, whole }) => {
      // Of a server that is gone nothing is known any more, so the least is taken for granted.
      const { name: server = "", trust = "untrusted" } = serverOf(origin.serverId) ?? {};
      return { server, trust, tool: origin.tool, at: origin.at, kinds, whole };
    });
    if (from.length === 0) return [];
    const worst = from.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST);
    return [{ name, from: worst, more: from.length - worst.length }];
  });
}

function rank({ trust }: Pick<ServerEntry, "trust">): number {
  return trust === "untrusted" ? 0 : 1;
}
