/**
 * Rules, servers and limits to a file and from one. What a file brings is shown before it counts; its servers come switched off and
 * untrusted, so that nothing is reached and no server's word is believed before the person says so here.
 */
import type { ImportView } from "../../bridge/policy-api.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Gateway } from "../../core/gateway.ts";
import { type FileServer, policyOfFile, policyToFile, type ReadFile, readPolicyFile } from "../../core/policy/file.ts";
import type { PolicyState } from "../../core/policy/history.ts";
import type { ServerEntry } from "../../core/servers/server.ts";
import { parseServerUrl } from "../../core/servers/url.ts";
import type { HandlerOptions, Handlers } from "./all.ts";
import { checkPolicy, NOTHING_TO_SAY } from "./policy-check.ts";

type Subject = "rules.export" | "rules.import";

export function ruleFileHandlers({ gateway, updateFence, changed }: HandlerOptions): Pick<Handlers, Subject> {
  const { rules, registry, limits } = gateway;
  return {
    "rules.export": () => ({
      text: policyToFile({ head: rules.head(), rules: rules.rules(), limits: limits.set() }, registry.list()),
    }),
    async "rules.import"({ text, apply }): Promise<ImportView> {
      const file = readPolicyFile(text);
      if ("problems" in file) return { ...NOTHING_TO_SAY, problems: file.problems, servers: [], rules: 0 };
      const view = look(gateway, file);
      if (!apply || view.problems.length > 0) return view;
      const ids = new Map<string, string>();
      for (const server of file.servers) ids.set(server.name, (await here(gateway, server)).id);
      await updateFence();
      const named = [...ids].map(([name, id]) => ({ name, id }));
      const read = policyOfFile(file, named);
      if ("problems" in read) return { ...view, problems: read.problems };
      await rules.replaceAll(over(gateway, read.policy), { act: "import", head: read.policy.head });
      if (file.limits) await limits.replace(file.limits);
      changed("servers");
      changed("rules");
      changed("limits");
      return view;
    },
  };
}

/** What the file would do, with stand-ins for the servers that are not here yet. */
function look(gateway: Gateway, file: ReadFile): ImportView {
  const servers = file.servers.map(({ name, url }) => ({ name, url, known: known(gateway, url) !== undefined }));
  const named = file.servers.map(({ name, url }) => ({ name, id: known(gateway, url)?.id ?? `new:${name}` }));
  const read = policyOfFile(file, named);
  const problems = [
    ...file.servers.flatMap(({ name, url }) => addressProblem(name, url)),
    ...("problems" in read ? read.problems : []),
  ];
  if ("problems" in read || problems.length > 0) return { ...NOTHING_TO_SAY, problems, servers, rules: 0 };
  const { head, rules } = read.policy;
  const next = { head, rules: over(gateway, read.policy) };
  const limits = file.limits === undefined ? {} : { limits: file.limits };
  return { ...checkPolicy(gateway, { next, coming: named }), servers, rules: rules.length, ...limits };
}

/** The file's rules over the person's: one of the same id is replaced, every other stays. */
function over({ rules }: Gateway, brought: PolicyState): PolicyState["rules"] {
  const ids = new Set(brought.rules.map(({ id }) => id));
  return [...rules.rules().filter(({ id }) => !ids.has(id)), ...brought.rules];
}

async function here(gateway: Gateway, { name, url }: FileServer): Promise<ServerEntry> {
  const { registry } = gateway;
  return (
    known(gateway, url) ??
    registry.add({ name: freeName(name, registry.list()), url, trust: "untrusted", enabled: false })
  );
}

function known({ registry }: Gateway, url: string): ServerEntry | undefined {
  const href = URL.canParse(url) ? new URL(url).href : url;
  return registry.list().find((server) => server.url === url || new URL(server.url).href === href);
}

/** The name, or with a number where somebody else has it here. */
function freeName(name: string, servers: readonly ServerEntry[]): string {
  const taken = new Set(servers.map((server) => server.name.toLowerCase()));
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name.slice(0, 58)}-${count}`;
  return free;
}

function addressProblem(name: string, url: string): ImportView["problems"] {
  try {
    parseServerUrl(url);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return [{ path: "/servers", message: `${name}: ${thrown.message}`, remedy: "Change the address in the file." }];
  }
}
