/**
 * Rules, servers and limits to a file and from one. What a file brings was shown before it counts; its servers come switched off and
 * untrusted, so that nothing is reached and no server's word is believed before the person says so here.
 */
import type { Gateway } from "../../core/gateway.ts";
import {
  addressProblems,
  type FileServer,
  policyOfFile,
  policyOver,
  policyToFile,
  readPolicyFile,
  serverHere,
} from "../../core/policy/file.ts";
import type { ServerEntry } from "../../core/servers/server.ts";
import type { HandlerOptions, Handlers } from "./all.ts";

type Subject = "rules.export" | "rules.import";

export function ruleFileHandlers({ gateway, updateFence, changed }: HandlerOptions): Pick<Handlers, Subject> {
  const { rules, registry, limits } = gateway;
  return {
    "rules.export": () => ({
      text: policyToFile({ head: rules.head(), rules: rules.rules(), limits: limits.set() }, registry.list()),
    }),
    async "rules.import"({ text }) {
      const file = readPolicyFile(text);
      if ("problems" in file) return { problems: file.problems };
      const standIns = file.servers.map(({ name }) => ({ name, id: `new:${name}` }));
      const tried = policyOfFile(file, standIns);
      const problems = [...addressProblems(file), ...("problems" in tried ? tried.problems : [])];
      if (problems.length > 0) return { problems };
      const named: { readonly name: string; readonly id: string }[] = [];
      for (const server of file.servers) named.push({ name: server.name, id: (await here(gateway, server)).id });
      await updateFence();
      const read = policyOfFile(file, named);
      if ("problems" in read) return { problems: read.problems };
      const { head, rules: next } = policyOver(rules.rules(), read.policy);
      await rules.replaceAll(next, { act: "import", head });
      if (file.limits) await limits.replace(file.limits);
      changed("servers");
      changed("rules");
      changed("limits");
      return { problems: [] };
    },
  };
}

async function here(gateway: Gateway, { name, url }: FileServer): Promise<ServerEntry> {
  const { registry } = gateway;
  const servers = registry.list();
  return (
    serverHere(url, servers) ?? registry.add({ name: freeName(name, servers), url, trust: "untrusted", enabled: false })
  );
}

/** The name, or with a number where somebody else has it here. */
function freeName(name: string, servers: readonly ServerEntry[]): string {
  const taken = new Set(servers.map((server) => server.name.toLowerCase()));
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name.slice(0, 58)}-${count}`;
  return free;
}
