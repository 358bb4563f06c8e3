/**
 * Asks the worker for what the dashboard asks for, in the dashboard's own page and through its own door, exactly as the
 * page itself does. What the person could not do there, this cannot do either.
 */
import type { ControlAnswer, ControlMethod, ControlParams, ControlResult } from "../../src/bridge/control-api.ts";
import { type ControlDoor, DOOR_PAGES } from "../../src/bridge/doors.ts";
import type { Driver, Tab } from "./driver.ts";

export interface Control {
  readonly page: Tab;
  ask<M extends ControlMethod>(method: M, params: ControlParams<M>): Promise<ControlResult<M>>;
  close(): Promise<void>;
}

export async function openControl(driver: Driver): Promise<Control> {
  const page = await driver.extensionPage(DOOR_PAGES.dashboard);
  return {
    page,
    async ask(method, params) {
      const answer = await page.evaluate(askInPage, "dashboard", { method, params });
      if ("problem" in answer) throw new Error(`${method}: ${answer.problem}`);
      return answer.result as never;
    },
    close: () => page.close(),
  };
}

interface Question {
  readonly method: ControlMethod;
  readonly params: unknown;
}

/** Runs in the door's own page. One port for each ask, so that a stopped worker costs nothing. */
export function askInPage(door: ControlDoor, question: Question): Promise<ControlAnswer> {
  const { chrome } = globalThis as unknown as { chrome: { runtime: { connect(info: { name: string }): PagePort } } };
  return new Promise((resolve) => {
    const port = chrome.runtime.connect({ name: door });
    const settle = (answer: ControlAnswer) => {
      resolve(answer);
      port.disconnect();
    };
    port.onMessage.addListener((message) => {
      if ("ask" in message) settle(message as ControlAnswer);
    });
    port.onDisconnect.addListener(() => settle({ ask: 1, problem: "The worker closed the door." }));
    port.postMessage({ ask: 1, ...question });
  });
}

interface PagePort {
  readonly onMessage: { addListener(listener: (message: object) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
  postMessage(message: unknown): void;
  disconnect(): void;
}
