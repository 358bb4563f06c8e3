/**
 * The worker's composition root: the gateway over the browser's ports, the doors in front of it, and what keeps the
 * person informed behind it.
 */
import type { Runtime } from "webextension-polyfill";
import { createGateway } from "../core/gateway.ts";
import type { Topic } from "../core/ports.ts";
import { serverOrigin } from "../core/servers/url.ts";
import type { WorkerPlatform } from "../platform/worker/browser.ts";
import { browserClock, browserPorts } from "../platform/worker/ports.ts";
import { createControlDoors } from "./control-doors.ts";
import { createHandlers } from "./handlers/all.ts";
import { createNews } from "./news.ts";
import { createPageDoor } from "./page-door.ts";

export interface Worker {
  connect(port: Runtime.Port): void;
  /** Pauses everything until the person switches it on; pressing again changes nothing. */
  pauseAll(): void;
  /** Ends the sessions of sites that have been closed for long. */
  checkSessions(): void;
}

export function assembleWorker({
  self,
  tables,
  privateTables,
  sites,
  fence,
  guard,
  keepAlive,
  tabs,
  badge,
  prompts,
  managed,
  openNative,
  openPage,
}: WorkerPlatform): Worker {
  const news = createNews();

  const changed = (topic: Topic): void => {
    news.changed(topic);
    if (topic === "pause" || topic === "approvals") showBadge();
    if (topic === "servers") void updateFence();
  };
  const native = openNative(() => changed("local"));
  const gateway = createGateway(
    browserPorts({
      tables,
      privateTables,
      sites,
      local: native.local,
      allows: fence.allows,
      changed,
      showApprovals: (waiting) => void prompts.show(waiting).catch(() => undefined),
      busy: (open) => keepAlive.set(open),
    }),
  );

  const organisation = managed((policy) => {
    gateway.rules.setManaged(policy);
    changed("rules");
  });
  organisation.listen();

  function showBadge(): void {
    const input = { paused: gateway.pause.current() !== null, waiting: gateway.approvals.questions().length };
    void badge.set(input).catch(() => undefined);
  }

  /** Servers have changed: what we may reach, and what pages may not reach past us. */
  async function updateFence(): Promise<void> {
    const remote = gateway.registry.list().filter(({ transport }) => transport !== "native");
    const reachable = remote.filter(({ enabled }) => enabled);
    const withoutOrigin = reachable.filter(({ hideOrigin }) => hideOrigin === true);
    const guarded = remote.filter(({ openToPages }) => openToPages !== true);
    await Promise.all([
      fence.update(reachable.map(serverOrigin), withoutOrigin.map(serverOrigin)),
      guard.update(guarded.map(({ url }) => url)),
    ]);
  }

  fence.look();
  guard.look();
  const ready = Promise.all([gateway.restore(), organisation.start()]).then(updateFence);
  // The icon still shows what the last worker said; calls that wait go first. Each door reports a failure to whoever asks.
  ready.then(() => browserClock.after(BADGE_AFTER_MS, showBadge)).catch(() => undefined);

  const handlers = createHandlers({
    gateway,
    native,
    reader: tabs,
    openApproval: prompts.open,
    openPage,
    updateFence,
    changed,
  });
  const pageDoor = createPageDoor({ gateway, ready });
  const controlDoors = createControlDoors({ handlers, ready, news, self });

  return {
    pauseAll() {
      const pause = async (): Promise<void> => {
        await ready;
        if (!gateway.pause.current()) await gateway.setPause({ until: null });
      };
      pause().catch(() => undefined);
    },
    checkSessions() {
      ready.then(() => gateway.sessions.check()).catch(() => undefined);
    },
    connect(port) {
      if (!pageDoor.accept(port) && !controlDoors.accept(port)) port.disconnect();
    },
  };
}

/** From the worker's start to the icon, in milliseconds: telling the browser takes as long as a few calls. */
const BADGE_AFTER_MS = 200;
