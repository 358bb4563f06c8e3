/**
 * The way through navra, whole but for the browser: the agent's transport, the page's runtime and the relay over ports of
 * memory, the gateway over real time and the real network of this machine. The site is connected to all tools of the
 * server, and a rule of the person's allows what it does.
 */
import { createHash, randomUUID } from "node:crypto";
import { NavraTransport } from "../../src/agent/transport.ts";
import type { OpenChannel } from "../../src/core/face/channels.ts";
import { createGateway } from "../../src/core/gateway.ts";
import type { Clock } from "../../src/core/ports.ts";
import { type FakeChannel, fakeNavra } from "../agent/fake-navra.ts";
import { PLACE, SITE } from "../fakes/gateway.ts";
import { createFakeSites } from "../fakes/sites.ts";
import { createFakeTables } from "../fakes/tables.ts";

export interface Through {
  readonly transport: object;
  stop(): Promise<void>;
}

export async function through(url: string): Promise<Through> {
  const { open, name, stop } = await connected(url);
  const channels = new Map<FakeChannel, OpenChannel>();
  const navra = fakeNavra({
    opened: (channel) =>
      void channels.set(
        channel,
        open((frame) => channel.post(frame)),
      ),
    frame: (channel, frame) => channels.get(channel)?.receive(frame),
  });
  return { transport: new NavraTransport({ server: name, window: navra.target }), stop };
}

export interface Connected {
  /** The server's name, as agents say it. */
  readonly name: string;
  /** A channel of the site's to the server. */
  open(post: (frame: string) => void): OpenChannel;
  stop(): Promise<void>;
}

/** A gateway that knows one server, with the site connected to it. */
export async function connected(url: string): Promise<Connected> {
  const gateway = createGateway({
    clock: CLOCK,
    randomId: () => randomUUID().replaceAll("-", ""),
    digest: async (text) => createHash("sha256").update(text).digest("hex"),
    fetch: (to, request) => fetch(to, { ...request, redirect: "manual" }),
    socket: () => {
      throw new Error("no sockets");
    },
    local: () => {
      throw new Error("no programs");
    },
    tables: createFakeTables(),
    sites: createFakeSites(),
    changed: () => undefined,
    showApprovals: () => undefined,
    busy: () => undefined,
  });
  await gateway.restore();
  const { id, name } = await gateway.registry.add({ name: "official", url, trust: "trusted" });
  const { tools } = await gateway.registry.refresh(id, new AbortController().signal);
  await gateway.connector.connect(
    SITE,
    id,
    tools.map((tool) => tool.name),
  );
  await gateway.rules.save({ id: "all", verdict: "allow", priority: 9, on: ["request"], when: {}, mode: "enforce" });
  // Agents are told, a moment later, what the person did just now; here none is open yet that should hear it.
  await new Promise<void>((resolve) => CLOCK.after(TOLD_MS, resolve));
  const channels: OpenChannel[] = [];
  return {
    name,
    open(post) {
      const options = { principal: SITE, place: PLACE, channel: `c${channels.length}`, server: name, act: false };
      const channel = gateway.open({ ...options, post });
      channels.push(channel);
      return channel;
    },
    async stop() {
      for (const channel of channels) channel.close();
      await gateway.removeServer(id);
    },
  };
}

const TOLD_MS = 200;

const CLOCK: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  utcOffsetMinutes: () => 0,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
