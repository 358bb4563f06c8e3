/**
 * An agent that only listens: it subscribes to one resource with the official client, as the era of that client has it, and
 * reports each change that it hears of.
 */
import { Client as ClientV2, type Transport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport as TransportV1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { NavraTransport } from "../../../src/agent/transport.ts";

export interface ListenOptions {
  readonly server: string;
  readonly era: "legacy" | "modern";
  readonly uri: string;
  /** Where each report is posted. */
  readonly report: string;
}

/** One thing that happened; `count` is the server's own number of the change. */
export interface Report {
  readonly what: "event" | "ended";
  readonly count: number;
  readonly visible: boolean;
}

declare global {
  interface Window {
    /** Resolves when the subscription stands. */
    listen(options: ListenOptions): Promise<void>;
  }
}

window.listen = (options) => (options.era === "legacy" ? listenLegacy(options) : listenModern(options));

const INFO = { name: "listener", version: "1.0.0" };

async function listenLegacy({ server, uri, report }: ListenOptions): Promise<void> {
  const client = new ClientV1(INFO);
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => heard(report, params));
  await client.connect(new NavraTransport({ server }) as TransportV1);
  await client.subscribeResource({ uri });
}

async function listenModern(options: ListenOptions): Promise<void> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode: "auto" } });
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => heard(options.report, params));
  await client.connect(new NavraTransport({ server: options.server }) as TransportV2);
  const follow = async (): Promise<void> => {
    const subscription = await client.listen({ resourceSubscriptions: [options.uri] });
    void subscription.closed.then(() => {
      tell(options.report, "ended", 0);
      return follow();
    });
  };
  await follow();
}

function heard(report: string, { _meta }: { readonly _meta?: unknown }): void {
  tell(report, "event", Number((_meta as { count?: unknown } | undefined)?.count));
}

function tell(url: string, what: Report["what"], count: number): void {
  const report: Report = { what, count, visible: document.visibilityState === "visible" };
  const item = document.createElement("li");
  item.textContent = `${new Date().toISOString()} ${what} ${count}`;
  document.querySelector("#heard")?.append(item);
  void fetch(url, { method: "POST", mode: "no-cors", body: JSON.stringify(report) });
}
