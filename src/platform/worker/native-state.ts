/**
 * How the native host is doing, and what that means for a call. What a browser says of a failed port are its own words,
 * which differ between browsers; here they become one of a few states, each with a sentence and a remedy. An agent hears
 * no program, path or output of this machine.
 */
import type { Closed, CloseReason } from "../../bridge/native.ts";
import type { HostState } from "../../bridge/native-view.ts";
import { GatewayError } from "../../core/errors.ts";

export type { HostState } from "../../bridge/native-view.ts";

/** `greeted`: the host had said hello, so it was there and right. */
export function stateOfDisconnect(reason: string, greeted: boolean): HostState {
  if (/not found|no such native application/i.test(reason)) return { state: "missing" };
  if (/forbidden|permission/i.test(reason)) return { state: "refused" };
  return { state: "broken", detail: greeted ? "ended" : "unstartable" };
}

export function hostFault(state: HostState): GatewayError {
  const ended = state.state === "broken" && state.detail === "ended";
  return new GatewayError("upstream-unreachable", ended ? ENDED : SENTENCES[state.state]);
}

const SENTENCES: Readonly<Record<HostState["state"], string>> = {
  unknown: "The helper for local servers was not asked yet. Try again.",
  ready: "The helper for local servers was closed. Try again.",
  missing: "Local servers need navra's helper, which is not installed. The person can see in navra how to install it.",
  refused:
    "The helper for local servers does not know this copy of navra. The person can see in navra how to repair it.",
  old: "The helper for local servers and navra are of different versions. The person can see in navra how to renew it.",
  broken: "The helper for local servers could not be started. The person can see in navra what is wrong.",
};
const ENDED =
  "The helper for local servers ended. A call that was open may have happened: look before you send it again.";

/** A run that ended, as the calls that were on it hear it. */
export function closedFault(entryName: string, told: Pick<Closed, "reason" | "code" | "signal">): GatewayError {
  const { reason, code, signal } = told;
  if (reason === "too-large") {
    return new GatewayError(
      "too-large",
      `The local server ${entryName} sent more than fits into one message, and was stopped. Ask it for less.`,
    );
  }
  if (reason !== "exited") return new GatewayError("upstream-unreachable", NOT_RUNNING[reason](entryName));
  const how = code !== undefined ? ` with code ${code}` : signal !== undefined ? ` by signal ${signal}` : "";
  return new GatewayError(
    "upstream-broken",
    `The local server ${entryName} ended${how}. A call that was open may have happened: look before you send it again.`,
  );
}

const NOT_RUNNING: Readonly<Record<Exclude<CloseReason, "exited" | "too-large">, (entryName: string) => string>> = {
  "not-listed": (name) =>
    `The local server ${name} was not allowed on this machine. The person can do that in a terminal.`,
  changed: (name) =>
    `The program of ${name} is not the one that was allowed. The person has to look at it in a terminal.`,
  "not-startable": (name) => `The local server ${name} could not be started. The person can see in navra why.`,
  "crash-loop": (name) =>
    `The local server ${name} crashed again and again and was stopped. The person can restart it in navra.`,
  busy: (name) => `Too many runs of ${name} are open. Close pages that use it, then try again.`,
  closed: (name) => `The local server ${name} was stopped. Try again.`,
};
