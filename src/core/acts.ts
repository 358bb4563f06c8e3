/**
 * What a person does that ends something: pause, fewer tools, a site disconnected, a server removed, a new task. Each holds
 * at once, mid-call too; that it could be written down is waited for last.
 */
import type { Call } from "./call.ts";
import type { Connector } from "./consent/connect.ts";
import type { Connections } from "./consent/connections.ts";
import type { Grants } from "./consent/grants.ts";
import { covers, EVERYTHING, type Pause, type PauseScope } from "./consent/pause.ts";
import type { ApprovalQueue } from "./consent/queue.ts";
import { GatewayError } from "./errors.ts";
import type { Channels } from "./face/channels.ts";
import type { Provenance } from "./flow/provenance.ts";
import type { SessionLabels } from "./flow/session-labels.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { Pins } from "./pins/pins.ts";
import type { UsageBook } from "./policy/usage.ts";
import type { Ports } from "./ports.ts";
import { type Principal, principalKey } from "./principal.ts";
import type { Evidence } from "./recorder/evidence.ts";
import type { Registry } from "./servers/registry.ts";
import { NEW_TASK } from "./sessions.ts";

export interface Acts {
  /** Pauses or resumes everything, one site or one server; pausing ends its open calls and takes its questions back. */
  setPause(pause: { readonly until: number | null } | null, scope?: PauseScope): Promise<void>;
  /** Ticks exactly these tools; what was ticked before and no longer is ends at once, mid-call too. */
  setTools(principal: Principal, serverId: string, tools: readonly string[]): Promise<void>;
  /** Revokes at once, mid-call too. */
  disconnect(principal: Principal, serverId: string): Promise<void>;
  removeServer(serverId: string): Promise<void>;
  /** Starts the site's session afresh: labels clean, session grants gone; recorded. */
  newTask(principal: Principal): Promise<void>;
  /** The same, by the name of what ended it. */
  endSession(principal: Principal, act: string): Promise<void>;
}

export interface ActsOptions {
  readonly calls: OpenCalls;
  readonly channels: Pick<Channels, "recount">;
  readonly connections: Connections;
  readonly connector: Connector;
  readonly evidence: Evidence;
  readonly grants: Grants;
  readonly labels: SessionLabels;
  readonly pause: Pause;
  readonly pins: Pins;
  readonly provenance: Provenance;
  readonly queue: ApprovalQueue;
  readonly registry: Registry;
  readonly usage: UsageBook;
  readonly ports: Pick<Ports, "clock" | "changed">;
}

/** From a site's disconnection to the end of its sessions with the server, in milliseconds. */
const LEAVE_MS = 250;

export function createActs(options: ActsOptions): Acts {
  const { calls, channels, connections, connector, evidence, grants, labels, pause, pins } = options;
  const { provenance, queue, registry, usage } = options;
  const { clock, changed } = options.ports;

  function endCalls(match: (call: Call) => boolean, detail: string): void {
    calls.end(match, new GatewayError("cancelled", detail, { by: "person" }));
  }

  async function endSession(principal: Principal, act: string): Promise<void> {
    const key = principalKey(principal);
    provenance.forget(key);
    await Promise.all([labels.reset(key), usage.forget(key), grants.endSession(key)]);
    await evidence.ofAct(principal, act);
    changed("connections");
  }

  return {
    async setPause(next, scope = EVERYTHING) {
      // It holds at once; that it could be written down is waited for last.
      const stored = pause.set(next, scope);
      channels.recount();
      changed("pause");
      if (next?.until) clock.after(Math.max(0, next.until - clock.now()), () => changed("pause"));
      if (next) {
        endCalls(
          (call) => covers(scope, call.principal, call.server.id),
          "The person paused navra while this call was open. It may have happened already. Tell them, and do not retry until they say so.",
        );
        await queue.withdraw(
          (approval) => approval.kind === "call" && covers(scope, approval.principal, approval.serverId),
        );
      }
      await stored;
    },
    async setTools(principal, serverId, tools) {
      const key = principalKey(principal);
      await connector.connect(principal, serverId, tools);
      endCalls((call) => {
        const tool = call.ledger.read("action")?.tool;
        return call.principalKey === key && call.server.id === serverId && tool !== undefined && !tools.includes(tool);
      }, "The person took this tool from the site while this call was open. It may have happened already. Do not retry it; ask them what they want instead.");
      await queue.withdraw(
        (approval) =>
          approval.kind === "call" &&
          principalKey(approval.principal) === key &&
          approval.serverId === serverId &&
          !tools.includes(approval.tool),
      );
      changed("connections");
    },
    async disconnect(principal, serverId) {
      const key = principalKey(principal);
      const removed = connections.remove(principal, serverId);
      channels.recount();
      const mine = (at: { readonly principal: Principal; readonly server: string }): boolean =>
        principalKey(at.principal) === key && at.server === serverId;
      endCalls(
        (call) => call.principalKey === key && call.server.id === serverId,
        "The person disconnected this site from the server while this call was open. It may have happened already. Do not retry it; ask them what they want instead.",
      );
      // A moment later: the server is first told of the calls that ended.
      clock.after(LEAVE_MS, () => {
        if (registry.byId(serverId) && !connections.get(key, serverId)) registry.upstream(serverId).close(key);
      });
      await removed;
      await grants.forget({ principalKey: key, serverId });
      await queue.withdraw(
        (approval) => approval.kind === "call" && mine({ principal: approval.principal, server: approval.serverId }),
      );
      changed("connections");
    },
    async removeServer(serverId) {
      endCalls(
        (call) => call.server.id === serverId,
        "The person removed this server while this call was open. It may have happened already. Do not retry it; ask them what they want instead.",
      );
      await connections.forgetServer(serverId);
      await grants.forget({ serverId });
      await pins.forget(serverId);
      await pause.forgetServer(serverId);
      await queue.withdraw((approval) => approval.kind === "call" && approval.serverId === serverId);
      await registry.remove(serverId);
      changed("servers");
    },
    newTask: (principal) => endSession(principal, NEW_TASK),
    endSession,
  };
}
