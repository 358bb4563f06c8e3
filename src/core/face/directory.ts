/**
 * The face of navra itself, for a channel that names no server: which servers this site is connected to, and the request
 * to connect some. Plain JSON-RPC; it tells a site nothing it was not given.
 */
import type { Connector } from "../consent/connect.ts";
import type { Clock } from "../ports.ts";
import type { Place, Principal } from "../principal.ts";
import { decode } from "../wire/decode.ts";
import { encodeError, encodeResult } from "../wire/encode.ts";
import { faultError } from "../wire/fault.ts";
import type { Limits } from "../wire/json.ts";
import type { RequestMessage } from "../wire/message.ts";
import { ALL_SERVERS, CONNECT_METHOD, RESUMED_METHOD, SERVERS_METHOD } from "./directory-methods.ts";

export interface DirectoryOptions {
  readonly limits: Limits;
  readonly connector: Connector;
  readonly principal: Principal;
  readonly place: Place;
  /** Whether the person acted in the page just before the channel was opened. */
  readonly act: boolean;
  readonly clock: Clock;
  readonly post: (frame: string) => void;
  readonly signal: AbortSignal;
}

/** How long an act of the person's counts, in milliseconds: a page must not save up a click for later. */
export const ACT_MS = 5_000;

export function createDirectory(options: DirectoryOptions): { receive(frame: string): void } {
  const { limits, connector, principal, clock, post } = options;
  const openedAt = clock.now();
  const servers = (id: string): string =>
    encodeResult(
      id,
      JSON.stringify({ servers: connector.connected(principal).map((name) => ({ name })), all: ALL_SERVERS }),
    );

  const open = new Set<string>();
  /** Questions that died with an earlier worker. The person's answer still counts; the site has to ask what it got. */
  const answerUnheard = (ids: unknown): void => {
    for (const raw of Array.isArray(ids) ? ids.slice(0, MAX_UNHEARD) : []) {
      const id = JSON.stringify(raw);
      if (open.has(id) || (typeof raw !== "string" && typeof raw !== "number")) continue;
      post(encodeError(id, faultError("not-answered", false, "The browser stopped navra meanwhile. Ask again.")));
    }
  };

  const answer = async (message: RequestMessage): Promise<string> => {
    if (message.method === SERVERS_METHOD) return servers(message.id);
    if (message.method !== CONNECT_METHOD) {
      return encodeError(
        message.id,
        faultError("method-not-found", false, "A channel without a server knows two methods only."),
      );
    }
    const { place, signal } = options;
    const act = options.act && clock.now() - openedAt <= ACT_MS;
    const names = stringsOf(message.params?.servers);
    if (!names) {
      return encodeError(
        message.id,
        faultError("invalid-params", false, '"servers" must be a list of at most 32 names, or absent.'),
      );
    }
    const outcome = await connector.request({ principal, place, agent: "", names, act, signal });
    if (outcome === "connected") return servers(message.id);
    const detail =
      outcome === "denied"
        ? "The person did not connect this site. Do not ask again unless they want it."
        : "The person has not answered. navra still shows the question in its popup.";
    return encodeError(message.id, faultError(outcome === "denied" ? "denied" : "not-answered", false, detail));
  };

  return {
    receive(frame) {
      for (const item of decode(frame, { limits, batches: false }).items) {
        if (item.kind === "fault") post(encodeError(item.id, faultError(item.name, false, item.detail)));
        if (item.kind === "notification" && item.method === RESUMED_METHOD) answerUnheard(item.params?.requestIds);
        if (item.kind !== "request") continue;
        if (open.size >= MAX_OPEN) {
          post(encodeError(item.id, faultError("busy", false, "Too many questions are open. Wait for an answer.")));
          continue;
        }
        open.add(item.id);
        const reply = (frame: string): void => {
          open.delete(item.id);
          post(frame);
        };
        answer(item).then(reply, () =>
          reply(encodeError(item.id, faultError("internal-error", false, "navra could not ask. Try again later."))),
        );
      }
    },
  };
}

const MAX_UNHEARD = 32;
/** Questions one channel may have open. */
const MAX_OPEN = 4;

function stringsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > 32) return undefined;
  return value.every((item): item is string => typeof item === "string" && item.length <= 64) ? value : undefined;
}
