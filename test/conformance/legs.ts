/**
 * The runs of the suite: the client role and the server role on each wire, the server role again with the server behind the
 * native host, and the matrix, where the wire of the suite meets a server behind navra that speaks the other era only.
 */
import { clientRole } from "./client-role.ts";
import type { Era } from "./fixture/server.ts";
import type { Place } from "./place.ts";
import { serverRole, stdioRole } from "./server-role.ts";
import type { SuiteRun } from "./suite.ts";

export const WIRES = ["2025-11-25", "2026-07-28"] as const;
export type Wire = (typeof WIRES)[number];

export interface Leg {
  readonly role: "client" | "server" | "stdio" | "matrix";
  readonly wire: Wire;
  /** What stands behind navra. */
  readonly era: Era | undefined;
  readonly run: (place: Place) => Promise<SuiteRun>;
}

/** `client/2025-11-25`, `server/2026-07-28`, `stdio/2026-07-28`, `matrix/2026-07-28/legacy`. */
export function nameOf({ role, wire, era }: Leg): string {
  return role === "matrix" ? `${role}/${wire}/${era}` : `${role}/${wire}`;
}

export const LEGS: readonly Leg[] = [
  ...WIRES.map((wire): Leg => ({ role: "client", wire, era: undefined, run: (place) => clientRole(place, wire) })),
  ...WIRES.map((wire) => behind("server", wire, eraOf(wire))),
  ...WIRES.map((wire) => behind("stdio", wire, eraOf(wire))),
  ...WIRES.map((wire) => behind("matrix", wire, wire === "2025-11-25" ? "modern" : "legacy")),
];

function behind(role: "server" | "stdio" | "matrix", wire: Wire, era: Era): Leg {
  return { role, wire, era, run: (place) => (role === "stdio" ? stdioRole : serverRole)(place, wire, era) };
}

function eraOf(wire: Wire): Era {
  return wire === "2025-11-25" ? "legacy" : "modern";
}
