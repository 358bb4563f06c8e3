/** What of a failure a person can put right with one press, or has to know of the browser; a hint beside the sentence. */
import { GatewayError } from "../errors.ts";
import { StatusFault } from "../transports/http-status.ts";
import type { HealthHint } from "./server.ts";

/**
 * The browser did not let navra reach an address of this machine or network.
 *
 * @see https://wicg.github.io/local-network-access/
 */
export class LocalNetworkRefused extends GatewayError {
  constructor() {
    super(
      "upstream-unreachable",
      "The browser does not let navra reach servers on this computer or in your network. Allow it for navra in the browser's site settings (local network access), or run the server through navra-host.",
    );
  }
}

export function hintOf(problem: unknown): HealthHint | undefined {
  if (problem instanceof LocalNetworkRefused) return "local-network";
  return problem instanceof StatusFault && problem.ofOrigin ? "origin" : undefined;
}
