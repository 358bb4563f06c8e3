/**
 * What every HTTP transport asks of a response before it reads it: that there is one, that it comes from where it was asked
 * of, and what it says it is.
 *
 * @see WHATWG Fetch · Responses
 */
import { GatewayError } from "../errors.ts";
import { readText } from "./body.ts";
import { isRedirect, StatusFault } from "./http-status.ts";

export function refuseRedirect(url: string, response: Response): void {
  const elsewhere = response.redirected && originOf(response.url) !== originOf(url);
  if (response.type !== "opaqueredirect" && !isRedirect(response.status) && !elsewhere) return;
  throw new GatewayError(
    "upstream-broken",
    "The server redirects to another address. navra does not carry calls there: register the new address if you trust it.",
  );
}

/**
 * The fault that a status means. Servers that protect themselves against rebound names refuse an extension's Origin, and some
 * say so: the only thing of a refusal's body that is looked at.
 */
export async function refusal(response: Response, signal: AbortSignal): Promise<GatewayError> {
  const { status, headers, body } = response;
  const said = status === 403 && body !== null ? await readText({ body, signal, limit: SHORT }).catch(() => "") : "";
  return new StatusFault(status, { retryAfter: headers.get("retry-after"), ofOrigin: /\borigin\b/i.test(said) });
}

const SHORT = 8_192;

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
