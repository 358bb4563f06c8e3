/** What the browser's own native messaging costs, with a host that does nothing: a message there and back, and megabytes from it. */
import { readFileSync } from "node:fs";
import { PART_UNITS } from "../../src/bridge/native-flow.ts";
import type { BareChromium } from "../drivers/chromium-bare.ts";
import type { Machine } from "../hosts/machine.ts";

export interface PortSamples {
  /** Milliseconds for 1 KB there and back. */
  readonly roundTrips: readonly number[];
  /** Milliseconds for 10 MB from the host. */
  readonly megabytes: readonly number[];
}

export const BARE_HOST = "dev.navra.bare";
export const TEN_MB = 10 * 1024 * 1024;

/** Before the browser is started. */
export function addBareHost(machine: Machine): void {
  machine.addHost(BARE_HOST, readFileSync(new URL("bare-host.mjs", import.meta.url), "utf8"));
}

export async function portSamples(browser: BareChromium): Promise<PortSamples> {
  const page = await browser.open(`${browser.baseUrl}/src/ui/dashboard/index.html`);
  const samples = await page.evaluate(measureInPage, BARE_HOST, TEN_MB, PART_UNITS);
  await page.close();
  return samples;
}

async function measureInPage(host: string, give: number, part: number): Promise<PortSamples> {
  interface Port {
    readonly onMessage: { addListener(listener: (message: { readonly last: boolean }) => void): void };
    postMessage(message: unknown): void;
    disconnect(): void;
  }
  const { chrome } = globalThis as unknown as { chrome: { runtime: { connectNative(name: string): Port } } };
  const port = chrome.runtime.connectNative(host);
  let heard = () => {};
  port.onMessage.addListener(({ last }) => {
    if (last) heard();
  });
  const took = async (message: object): Promise<number> => {
    const began = performance.now();
    await new Promise<void>((resolve) => {
      heard = resolve;
      port.postMessage(message);
    });
    return performance.now() - began;
  };
  const roundTrips: number[] = [];
  const megabytes: number[] = [];
  await took({ text: "" });
  for (let turn = 0; turn < 500; turn++) roundTrips.push(await took({ text: "x".repeat(900) }));
  for (let turn = 0; turn < 12; turn++) megabytes.push(await took({ give, part }));
  port.disconnect();
  return { roundTrips, megabytes };
}
