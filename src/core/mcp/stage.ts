/**
 * `resolve`: what the call means. It notes the action and, for a tool, its definition as the catalogue holds it. A tool
 * that is unknown, that the person did not tick, that is not for such an agent, or that navra never saw defined looks the
 * same to the agent.
 */
import type { Connections } from "../consent/connections.ts";
import { whoAnswers } from "../elicit/who-answers.ts";
import type { Continuations } from "../face/continuations.ts";
import type { Stage, Stop } from "../pipeline/stage.ts";
import type { Catalogue, ToolDefinition } from "../servers/server.ts";
import type { Tasks } from "../servers/tasks.ts";
import { AGENT_METHODS, actionOf, type MethodRow, SERVER_METHODS } from "./methods.ts";
import { mayCall } from "./visibility.ts";

export interface ResolveOptions {
  readonly connections: Connections;
  readonly catalogue: (serverId: string) => Catalogue | undefined;
  readonly continuations: Pick<Continuations, "check">;
  readonly tasks: Pick<Tasks, "check">;
}

export function resolveStage({ connections, catalogue, continuations, tasks }: ResolveOptions): Stage {
  return {
    name: "resolve",
    request(call) {
      const { message, ledger } = call;
      const action = actionOf(message);
      ledger.note("action", action);
      if (call.direction === "back") {
        ledger.note("method", BACK);
        return SERVER_METHODS.has(message.method) && whoAnswers(call) ? undefined : UNKNOWN_METHOD;
      }
      const row = AGENT_METHODS.get(message.method);
      if (!row) return UNKNOWN_METHOD;
      ledger.note("method", row);
      if (action.tool === undefined) return tasks.check(call) ?? continuations.check(call);

      const ticked = connections.get(call.principalKey, call.server.id)?.tools.includes(action.tool) ?? false;
      const definition = ticked ? findTool(catalogue(call.server.id), action.tool) : undefined;
      if (!definition || !mayCall(definition.value, message.params, call.capabilities.value)) return UNKNOWN_TOOL;
      ledger.note("definition", definition);
      return continuations.check(call);
    },
  };
}

/** Looks a tool up by name; indexed once per catalogue. */
export function findTool(catalogue: Catalogue | undefined, name: string): ToolDefinition | undefined {
  if (!catalogue) return undefined;
  let index = INDEXES.get(catalogue);
  if (!index) {
    index = new Map(catalogue.tools.map((tool) => [tool.name, tool]));
    INDEXES.set(catalogue, index);
  }
  return index.get(name);
}

const INDEXES = new WeakMap<Catalogue, ReadonlyMap<string, ToolDefinition>>();

const BACK: MethodRow = { kind: "plain", check: () => undefined };

const UNKNOWN_METHOD: Stop = {
  kind: "fault",
  name: "method-not-found",
  detail: "There is no such method. Use the methods of the protocol revision in force.",
};

export const UNKNOWN_TOOL: Stop = {
  kind: "fault",
  name: "invalid-params",
  detail: "There is no tool of this name here. List the tools again and use a name from that list.",
};
