/**
 * What every HTTP transport asks of a response before it reads it: that there is one, that it comes from where it was asked
 * of, and what it says it is.
 *
 * @see WHATWG Fetch · Responses
 */
import { GatewayError } from "../errors.ts";
import { isRedirect } from "./http-status.ts";

export function refuseRedirect(url: string, response: Response): void {
  const elsewhere = response.redirected && originOf(response.url) !== originOf(url);
  if (response.type !== "opaqueredirect" && !isRedirect(response.status) && !elsewhere) return;
  throw new GatewayError(
    "upstream-broken",
    "The server redirects to another address. navra does not carry calls there: register the new address if you trust it.",
  );
}

export async function answered(response: Promise<Response>): Promise<Response> {
  try {
    return await response;
  } catch (problem) {
    if (problem instanceof GatewayError) throw problem;
    throw new GatewayError(
      "upstream-unreachable",
      "The server could not be reached, or its connection broke before it answered. Check that it runs and that its address is right and does not redirect.",
    );
  }
}

export function mediaType(response: Response): string {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";", 1);
  return type.trim().toLowerCase();
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}
