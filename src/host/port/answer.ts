/**
 * Answers to what the extension may ask. It sees the allow-list and can add to the proposals; there is no question whose
 * answer changes what may run.
 */
import type { HostApi, HostAsk, HostServer } from "../../bridge/native.ts";
import { parseProposal } from "../../bridge/native-parse.ts";
import { propose, readEntries, readProposals, settle } from "../allow/allow-list.ts";
import { entryProblem } from "../allow/check-entry.ts";
import type { Entry } from "../allow/entry.ts";
import type { Home } from "../allow/home.ts";
import { valuesFor, variableProblem } from "../allow/values.ts";
import { wordsOf } from "../allow/words.ts";
import type { SpellOut } from "../own-name.ts";
import type { Servers } from "./serve.ts";

export interface AnswerPorts {
  readonly home: Home;
  readonly surroundings: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly spellOut: SpellOut;
  readonly health: () => ReturnType<HostApi["health"]> | Promise<ReturnType<HostApi["health"]>>;
}

/** @throws Error with a sentence for the dashboard */
export async function answerAsk({ method, params }: HostAsk, servers: Servers, ports: AnswerPorts): Promise<unknown> {
  const { home } = ports;
  switch (method) {
    case "list":
      return {
        servers: await listed(servers, ports),
        waiting: readProposals(home),
        review: ports.spellOut("navra-host review"),
      };
    case "propose": {
      const proposal = parseProposal((params as { readonly proposal?: unknown } | null)?.proposal);
      if (!proposal) throw new Error("The proposal is not complete.");
      for (const name of proposal.env) {
        const problem = variableProblem(name);
        if (problem !== undefined) throw new Error(problem);
      }
      await propose(home, proposal, ports.now());
      return { words: wordsOf(proposal) };
    }
    case "withdraw":
      await settle(home, { name: textOf(params, "name") });
      return null;
    case "health":
      return await ports.health();
    case "log":
      return servers.log(textOf(params, "server"));
    case "restart":
      servers.restart(textOf(params, "server"));
      return null;
  }
}

async function listed(servers: Servers, ports: AnswerPorts): Promise<HostServer[]> {
  const entries = readEntries(ports.home);
  return await Promise.all(
    entries.map(async (entry) => {
      const { name, program, args, cwd, env } = entry;
      const problem = await problemOf(entry, ports);
      const said = problem === undefined ? {} : { problem: ports.spellOut(problem) };
      return { name, program, args, cwd, env, ...servers.state(name), ...said };
    }),
  );
}

async function problemOf(entry: Entry, { home, surroundings }: AnswerPorts): Promise<string | undefined> {
  try {
    valuesFor(home, entry, surroundings);
    return await entryProblem(entry);
  } catch (problem) {
    return (problem as Error).message;
  }
}

function textOf(params: unknown, member: string): string {
  const value = (params as Readonly<Record<string, unknown>> | null)?.[member];
  if (typeof value !== "string") throw new Error(`The question lacks ${member}.`);
  return value;
}
