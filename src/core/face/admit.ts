/**
 * The first stage: may this principal talk to this server at all. It runs before any upstream work, so a site learns
 * nothing from timing; an unknown server, a switched-off one and one the site is not connected to get the same answer.
 */
import type { Connections } from "../consent/connections.ts";
import type { Pause } from "../consent/pause.ts";
import { refuse, type Stage, type Stop } from "../pipeline/stage.ts";

export function admitStage({
  connections,
  pause,
}: {
  readonly connections: Connections;
  readonly pause: Pause;
}): Stage {
  return {
    name: "admit",
    request(call) {
      if (call.signal.aborted) throw call.signal.reason;
      if (!call.server.enabled || !connections.get(call.principalKey, call.server.id)) return NOT_CONNECTED;
      const held = pause.of(call.principal, call.server.id);
      if (!held) return undefined;
      if (held.site !== undefined) return SITE_PAUSED;
      return held.serverId === undefined ? PAUSED : SERVER_PAUSED;
    },
  };
}

const NOT_CONNECTED: Stop = {
  kind: "fault",
  name: "not-connected",
  detail: "This site is not connected to such a server. Ask the person to connect it in navra, on a click of theirs.",
};

const PAUSED: Stop = refuse(
  "paused",
  "The person has paused navra, so nothing passes. This call was not sent. Tell the person; do not retry until they say so.",
  ["pause"],
);

const SITE_PAUSED: Stop = refuse(
  "paused",
  "The person has paused this site in navra, so nothing of it passes. This call was not sent. Tell the person; do not retry until they say so.",
  ["pause"],
);

const SERVER_PAUSED: Stop = refuse(
  "paused",
  "The person has paused this server in navra. This call was not sent. Tell the person; do not retry until they say so.",
  ["pause"],
);
