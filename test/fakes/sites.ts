/** Sites that are open or not as a test says; all are at first, in a browser that has run for a while. */
import type { Principal } from "../../src/core/principal.ts";
import type { Sites } from "../../src/core/sessions.ts";

export interface FakeSites extends Sites {
  open: boolean;
  /** Whether the next one who asks is the browser's first worker. */
  started: boolean;
  watched: boolean;
}

export function createFakeSites(): FakeSites {
  const sites: FakeSites = {
    open: true,
    started: false,
    watched: false,
    isOpen: async (_principal: Principal) => sites.open,
    browserStarted: async () => sites.started,
    watch(on) {
      sites.watched = on;
    },
  };
  return sites;
}
