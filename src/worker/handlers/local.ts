/**
 * Local servers, as the dashboard sees them. The list is the native host's own and only a person at a terminal adds to it;
 * from here an entry can be proposed, and the words shown for it are taken from our own digest, so that a helper that
 * stored something else shows other words.
 */
import type { HostList, HostMethod, HostParams } from "../../bridge/native.ts";
import { parseChecks, parseList, parseLog, parseProposal } from "../../bridge/native-parse.ts";
import type { LocalServerView } from "../../bridge/native-view.ts";
import { fourWords, proposalText } from "../../bridge/native-words.ts";
import { GatewayError } from "../../core/errors.ts";
import { localAddress } from "../../core/servers/url.ts";
import { digest } from "../../platform/worker/ports.ts";
import type { HandlerOptions, Handlers } from "./all.ts";

type Subject =
  | "local.read"
  | "local.check"
  | "local-log.read"
  | "local-checks.read"
  | "local.propose"
  | "local.withdraw"
  | "local.restart";

export function localHandlers({ gateway, native, changed }: HandlerOptions): Pick<Handlers, Subject> {
  const { registry } = gateway;

  const asked = async <M extends HostMethod, T>(
    method: M,
    params: HostParams<M>,
    parse: (value: unknown) => T | undefined,
  ): Promise<T> => {
    const parsed = parse(await native.ask(method, params));
    if (parsed === undefined) throw new GatewayError("internal-error", ODD);
    return parsed;
  };

  const view = (server: HostList["servers"][number]): LocalServerView => {
    const last = native.lastRun(server.name);
    const registered = registry.list().find(({ url }) => url === localAddress(server.name));
    return { ...server, ...(last ? { last } : {}), ...(registered ? { serverId: registered.id } : {}) };
  };

  return {
    async "local.read"() {
      const list = await asked("list", null, parseList).catch(() => NOTHING);
      const waiting = await Promise.all(
        list.waiting.map(async (one) => ({ ...one, words: await wordsOf(one.proposal) })),
      );
      const { review } = list;
      return {
        host: native.state(),
        servers: list.servers.map(view),
        waiting,
        ...(review === undefined ? {} : { review }),
      };
    },
    async "local.check"() {
      await native.ask("list", null).catch(() => undefined);
      return native.state();
    },
    "local-log.read": ({ name }) => asked("log", { server: name }, parseLog),
    "local-checks.read": async () => ({ checks: await asked("health", null, parseChecks) }),
    async "local.propose"({ proposal: draft }) {
      const proposal = parseProposal(draft);
      if (!proposal) return { problem: INCOMPLETE };
      try {
        await native.ask("propose", { proposal });
      } catch (thrown) {
        if (thrown instanceof GatewayError) return { problem: thrown.message };
        throw thrown;
      }
      changed("local");
      return { words: await wordsOf(proposal) };
    },
    async "local.withdraw"({ name }) {
      await native.ask("withdraw", { name });
      changed("local");
      return null;
    },
    async "local.restart"({ name }) {
      await native.restart(name);
      changed("local");
      return null;
    },
  };
}

const NOTHING: HostList = { servers: [], waiting: [] };
const ODD = "The helper for local servers gave an answer that navra does not understand. Install the helper anew.";
const INCOMPLETE = "A name of letters, digits, dot, dash and underscore, and a program are needed.";

async function wordsOf(proposal: HostList["waiting"][number]["proposal"]): Promise<string> {
  return fourWords(await digest(proposalText(proposal)));
}
