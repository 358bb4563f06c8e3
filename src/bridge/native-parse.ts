/**
 * What arrives on the native port, read strictly on both sides: a message of any other shape is nothing. The extension
 * does not trust the host's process more than the host trusts the extension's.
 */
import type {
  Carried,
  Check,
  FromHost,
  HostList,
  HostMethod,
  HostServer,
  Proposal,
  ToHost,
  WaitingProposal,
} from "./native.ts";
import { HOST_METHODS, NOT_STARTED, SERVER_NAME } from "./native.ts";

/** `undefined` for anything that is not of a shape; never throws. */
export function parseToHost(value: unknown): ToHost | undefined {
  if (!isObject(value)) return undefined;
  const carried = parseCarried(value);
  if (carried) return carried;
  switch (value.kind) {
    case "hello":
      return isCount(value.protocol) && isText(value.version)
        ? { kind: "hello", protocol: value.protocol, version: value.version }
        : undefined;
    case "open":
    case "close":
      return isTagged(value) ? { kind: value.kind, server: value.server, run: value.run } : undefined;
    case "ask":
      return isCount(value.ask) && isMethod(value.method)
        ? { kind: "ask", ask: value.ask, method: value.method, params: value.params }
        : undefined;
    default:
      return undefined;
  }
}

/** `undefined` for anything that is not of a shape; never throws. */
export function parseFromHost(value: unknown): FromHost | undefined {
  if (!isObject(value)) return undefined;
  const carried = parseCarried(value);
  if (carried) return carried;
  switch (value.kind) {
    case "hello":
      return isCount(value.protocol) && isText(value.version) && isText(value.node) && isText(value.platform)
        ? {
            kind: "hello",
            protocol: value.protocol,
            version: value.version,
            node: value.node,
            platform: value.platform,
          }
        : undefined;
    case "refused":
      return (value.reason === "protocol" || value.reason === "caller") && isText(value.message)
        ? { kind: "refused", reason: value.reason, message: value.message }
        : undefined;
    case "answer":
      if (!isCount(value.ask)) return undefined;
      return isText(value.problem)
        ? { kind: "answer", ask: value.ask, problem: value.problem }
        : { kind: "answer", ask: value.ask, result: value.result };
    default:
      return isTagged(value) ? parseTold(value) : undefined;
  }
}

export function parseProposal(value: unknown): Proposal | undefined {
  if (!isObject(value)) return undefined;
  const { name, program, args, cwd, env } = value;
  if (!isText(name) || !SERVER_NAME.test(name) || !isText(program) || program === "" || !isText(cwd)) return undefined;
  if (!isTexts(args) || !isTexts(env)) return undefined;
  return { name, program, args, cwd, env };
}

export function parseList(value: unknown): HostList | undefined {
  if (!isObject(value) || !Array.isArray(value.servers) || !Array.isArray(value.waiting)) return undefined;
  const servers = value.servers.filter(isHostServer);
  const waiting = value.waiting.filter(isWaiting);
  if (servers.length !== value.servers.length || waiting.length !== value.waiting.length) return undefined;
  return { servers, waiting, ...(isText(value.review) ? { review: value.review } : {}) };
}

export function parseChecks(value: unknown): readonly Check[] | undefined {
  if (!isObject(value) || !Array.isArray(value.checks)) return undefined;
  return value.checks.every(isCheck) ? value.checks : undefined;
}

export function parseLog(value: unknown): { readonly lines: readonly string[]; readonly noise: number } | undefined {
  if (!isObject(value) || !isTexts(value.lines) || !isCount(value.noise)) return undefined;
  return { lines: value.lines, noise: value.noise };
}

type Shape = Record<string, unknown>;
type Tagged = Shape & { readonly server: string; readonly run: number };

function parseCarried(value: Shape): Carried | undefined {
  const { kind, text } = value;
  if (kind !== "frame" && kind !== "chunk" && kind !== "credit") return undefined;
  if (!isTagged(value)) return undefined;
  const { server, run, last, units } = value;
  if (kind === "credit") return isCount(units) ? { kind, server, run, units } : undefined;
  if (typeof text !== "string") return undefined;
  if (kind === "frame") return { kind, server, run, text };
  return typeof last === "boolean" ? { kind, server, run, text, last } : undefined;
}

function parseTold(value: Tagged): FromHost | undefined {
  const { server, run } = value;
  switch (value.kind) {
    case "opened":
      return isCount(value.pid) ? { kind: "opened", server, run, pid: value.pid } : undefined;
    case "stderr":
      return isTexts(value.lines) ? { kind: "stderr", server, run, lines: value.lines } : undefined;
    case "noise":
      return isCount(value.lines) && isText(value.sample)
        ? { kind: "noise", server, run, lines: value.lines, sample: value.sample }
        : undefined;
    case "closed":
      if (!isReason(value.reason) || !isText(value.message) || !isTexts(value.stderr)) return undefined;
      return {
        kind: "closed",
        server,
        run,
        reason: value.reason,
        message: value.message,
        stderr: value.stderr,
        ...(isCount(value.code) ? { code: value.code } : {}),
        ...(isText(value.signal) ? { signal: value.signal } : {}),
      };
    default:
      return undefined;
  }
}

const REASONS: readonly unknown[] = [...NOT_STARTED, "exited", "too-large", "closed"];

function isReason(value: unknown): value is Extract<FromHost, { kind: "closed" }>["reason"] {
  return REASONS.includes(value);
}

function isMethod(value: unknown): value is HostMethod {
  return (HOST_METHODS as readonly unknown[]).includes(value);
}

function isHostServer(value: unknown): value is HostServer {
  return (
    parseProposal(value) !== undefined &&
    isObject(value) &&
    typeof value.running === "boolean" &&
    typeof value.stopped === "boolean" &&
    isCount(value.crashes) &&
    (value.problem === undefined || isText(value.problem))
  );
}

function isWaiting(value: unknown): value is WaitingProposal {
  return isObject(value) && parseProposal(value.proposal) !== undefined && isText(value.words) && isCount(value.at);
}

function isCheck(value: unknown): value is Check {
  return (
    isObject(value) &&
    isText(value.what) &&
    typeof value.ok === "boolean" &&
    isText(value.found) &&
    (value.remedy === undefined || isText(value.remedy))
  );
}

function isTagged(value: Shape): value is Tagged {
  return isText(value.server) && SERVER_NAME.test(value.server) && isCount(value.run);
}

function isObject(value: unknown): value is Shape {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
