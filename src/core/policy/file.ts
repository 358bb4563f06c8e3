/**
 * Rules and servers as a file for somebody else, or for another browser. It holds what a person wrote: rules, the default
 * row, the addresses of servers, and limits. Records, grants, pins, sign-ins and an organisation's rules never go into one and are
 * never taken from one, because none of them is this person's to give away or to be given.
 */
import { GatewayError } from "../errors.ts";
import { readLimits, type SetLimits } from "../limits.ts";
import { parseServerUrl } from "../servers/url.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire/json.ts";
import type { PolicyState } from "./history.ts";
import { readJsonText } from "./json-text.ts";
import type { Rule } from "./policy.ts";
import type { RuleProblem } from "./problem.ts";
import { documentFromText, documentToText } from "./text.ts";

export interface FileServer {
  readonly name: string;
  readonly url: string;
  readonly trust: "trusted" | "untrusted";
}

/** A server that is registered here. */
interface HereServer extends FileServer {
  readonly id: string;
}

/** What a file says. Its rules are read when it is known which ids its servers have here. */
export interface ReadFile {
  readonly servers: readonly FileServer[];
  readonly policyText: string;
  /** Absent where the file says nothing of limits. */
  readonly limits?: SetLimits;
}

const MEMBERS = ["navra", "servers", "policy", "limits"];
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

export interface Exported extends PolicyState {
  readonly limits?: SetLimits;
}

export function policyToFile({ head, rules, limits = {} }: Exported, servers: readonly HereServer[]): string {
  const names = Object.fromEntries(servers.map(({ id, name }) => [id, name]));
  const whole = {
    navra: 1,
    servers: servers.map(({ name, url, trust }) => ({ name, url, trust })),
    policy: JSON.parse(documentToText({ version: 1, ...head, rules }, names)),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

export function readPolicyFile(text: string): ReadFile | { readonly problems: readonly RuleProblem[] } {
  const read = readJsonText(text);
  if ("problem" in read) return { problems: [read.problem] };
  const { value } = read;
  if (!isObject(value) || value.navra !== 1 || !isObject(value.policy)) {
    return bad("", "This is not a file of navra's.", "Choose a file that navra exported.");
  }
  const [unknown] = Object.keys(value).filter((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) {
    return bad(
      `/${unknown}`,
      "A file brings rules, servers and limits and nothing else.",
      "Take this member out of the file.",
    );
  }
  const servers = readServers(value.servers ?? []);
  if ("problems" in servers) return servers;
  const file = { servers: servers.servers, policyText: JSON.stringify(value.policy, null, 2) };
  if (value.limits === undefined) return file;
  const limits = readLimits(value.limits);
  if ("limits" in limits) return { ...file, limits: limits.limits };
  const { path, message, remedy } = limits.problem;
  return bad(`/limits${path}`, message, remedy);
}

/** The file's policy, with the ids that its servers have here. */
export function policyOfFile(
  { policyText }: ReadFile,
  servers: readonly { readonly id: string; readonly name: string }[],
): { readonly policy: PolicyState } | { readonly problems: readonly RuleProblem[] } {
  const read = documentFromText(policyText, servers);
  if (!read.document) return { problems: read.problems.map((one) => ({ ...one, path: `/policy${one.path}` })) };
  const { profile, default: row, rules } = read.document;
  return { policy: { head: { default: row, ...(profile === undefined ? {} : { profile }) }, rules } };
}

/** The file's rules over the person's: one of the same id is replaced, every other stays. */
export function policyOver(now: readonly Rule[], brought: PolicyState): PolicyState {
  const ids = new Set(brought.rules.map(({ id }) => id));
  return { head: brought.head, rules: [...now.filter(({ id }) => !ids.has(id)), ...brought.rules] };
}

/** The server of that address that is here already. */
export function serverHere<Server extends { readonly url: string }>(
  url: string,
  servers: readonly Server[],
): Server | undefined {
  const href = URL.canParse(url) ? new URL(url).href : url;
  return servers.find((server) => server.url === url || new URL(server.url).href === href);
}

/** Addresses in a file that no server can have. */
export function addressProblems({ servers }: ReadFile): readonly RuleProblem[] {
  return servers.flatMap(({ name, url }) => {
    try {
      parseServerUrl(url);
      return [];
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown;
      return [{ path: "/servers", message: `${name}: ${thrown.message}`, remedy: "Change the address in the file." }];
    }
  });
}

function readServers(
  value: JsonValue,
): { readonly servers: readonly FileServer[] } | { readonly problems: readonly RuleProblem[] } {
  if (!Array.isArray(value)) return bad("/servers", "“servers” is not a list.", "Write a list, or leave it out.");
  const servers: FileServer[] = [];
  for (const [index, item] of value.entries()) {
    const server = isObject(item) ? readServer(item) : undefined;
    if (!server || servers.some(({ name }) => name === server.name)) {
      return bad(
        `/servers/${index}`,
        "This server cannot be read.",
        "A server has a name of its own, an url, and a trust.",
      );
    }
    servers.push(server);
  }
  return { servers };
}

function readServer({ name, url, trust, ...more }: JsonObject): FileServer | undefined {
  if (typeof name !== "string" || !NAME.test(name) || typeof url !== "string") return undefined;
  if ((trust !== "trusted" && trust !== "untrusted") || Object.keys(more).length > 0) return undefined;
  return { name, url, trust };
}

function bad(path: string, message: string, remedy: string): { readonly problems: readonly RuleProblem[] } {
  return { problems: [{ path, message, remedy }] };
}
