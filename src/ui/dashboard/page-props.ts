/** What every page of the dashboard is given: the door, where we are, and what all of them show parts of. */
import type { OverviewView, ServerView } from "../../bridge/control-api.ts";
import type { ControlClient } from "../../platform/door.ts";
import type { Loaded } from "../shared/ask.ts";
import { t } from "../shared/text.ts";
import type { Route } from "./route.ts";

export interface PageProps {
  readonly client: ControlClient;
  readonly route: Route;
  readonly overview: Loaded<OverviewView>;
  readonly servers: Loaded<{ readonly servers: readonly ServerView[] }>;
}

/** The name the person gave; a server that is gone says so instead of showing its id. */
export function serverName(servers: PageProps["servers"], id: string): string {
  if (servers.data === undefined) return "";
  return servers.data.servers.find((one) => one.server.id === id)?.server.name ?? t("dash_server_gone");
}
