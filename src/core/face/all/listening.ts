/**
 * One subscription to several servers. The agent gets one agreement, first, with what all of them agreed to; what each of
 * them tells afterwards already carries the agent's tag. It ends when the agent ends it, or when the last server has.
 *
 * @see MCP 2026-07-28 · Patterns · Subscriptions
 */
import { META_SUBSCRIPTION } from "../../mcp/meta.ts";
import type { Clock } from "../../ports.ts";
import { encodeNotification, encodeResult } from "../../wire/encode.ts";
import { isObject, type JsonObject, type JsonValue } from "../../wire/json.ts";
import type { FaceCall } from "../face.ts";
import { edited, partOf, type RunAt } from "./parts.ts";

export interface ListenAllOptions {
  readonly servers: readonly string[];
  readonly owner: (uri: string) => string | undefined;
  readonly run: RunAt;
  readonly clock: Clock;
}

const AGREED = "notifications/subscriptions/acknowledged";
/** How long the agreement waits for one server, in milliseconds. */
const AGREE_MS = 10_000;

/** The whole reply frame, when there is one: most subscriptions end with their agent. */
export async function listenAll(call: FaceCall, { servers, owner, run, clock }: ListenAllOptions): Promise<string> {
  const { message, agentSide } = call;
  const honoured: JsonObject[] = [];
  const waiting = new Set(servers);
  let queue: string[] | undefined = [];

  const agree = (): void => {
    if (!queue || honoured.length === 0) return;
    const early = queue;
    queue = undefined;
    const params = { notifications: merged(honoured), _meta: { [META_SUBSCRIPTION]: JSON.parse(message.id) } };
    agentSide.event(encodeNotification(AGREED, JSON.stringify(params)));
    for (const frame of early) agentSide.event(frame);
  };
  const settled = (server: string): void => {
    waiting.delete(server);
    if (waiting.size === 0) agree();
  };
  const stop = clock.after(AGREE_MS, agree);

  const replies = await Promise.all(
    servers.map(async (server) => {
      let reply = "";
      const event = (frame: string): void => {
        const agreement = agreementOf(frame);
        if (agreement) honoured.push(agreement);
        else if (queue) queue.push(frame);
        else agentSide.event(frame);
        if (agreement) settled(server);
      };
      await run(server, {
        ...call,
        message: edited(message, [
          { path: ["params", "notifications"], value: wishes(message.params, { server, owner }) },
        ]),
        agentSide: {
          ...agentSide,
          event,
          reply: (frame) => {
            reply = frame;
          },
        },
      });
      settled(server);
      return partOf(server, reply);
    }),
  );
  stop();
  const good = replies.some(({ result }) => result !== undefined) || honoured.length > 0;
  if (!good) return replies[0]?.frame ?? "";
  const meta = { [META_SUBSCRIPTION]: JSON.parse(message.id) as JsonValue };
  return encodeResult(message.id, `{"resultType":"complete","_meta":${JSON.stringify(meta)}}`);
}

function agreementOf(frame: string): JsonObject | undefined {
  const { method, params } = JSON.parse(frame) as { readonly method?: JsonValue; readonly params?: JsonObject };
  if (method !== AGREED) return undefined;
  return isObject(params?.notifications) ? params.notifications : {};
}

interface Of {
  readonly server: string;
  readonly owner: ListenAllOptions["owner"];
}

/** Each server hears of its own resources only. */
function wishes(params: JsonObject | undefined, { server, owner }: Of): string {
  const all = isObject(params?.notifications) ? params.notifications : {};
  const { resourceSubscriptions, ...lists } = all;
  const own = Array.isArray(resourceSubscriptions)
    ? resourceSubscriptions.filter((uri) => typeof uri === "string" && owner(uri) === server)
    : [];
  return JSON.stringify(own.length === 0 ? lists : { ...lists, resourceSubscriptions: own });
}

function merged(honoured: readonly JsonObject[]): JsonObject {
  const uris = honoured.flatMap(({ resourceSubscriptions: own }) => (Array.isArray(own) ? own : []));
  const lists = honoured.flatMap((one) => Object.entries(one).filter(([, value]) => value === true));
  return { ...Object.fromEntries(lists), ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }) };
}
