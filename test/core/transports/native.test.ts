import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../src/core/errors.ts";
import { createNativeChannel, IDLE_MS } from "../../../src/core/transports/native.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { type FarSide, keepsTheChannelContract } from "./contract.ts";
import { createFakeLocals, turns } from "./fakes.ts";

const ENDED = new GatewayError("upstream-broken", "The local server files ended with code 1.");

function setUp() {
  const { local, runs } = createFakeLocals();
  const clock = createFakeClock();
  const arrived: string[] = [];
  const closed: [string, string | undefined][] = [];
  const events = {
    unsolicited: (text: string) => arrived.push(text),
    closed: (reason: string, problem?: GatewayError) => closed.push([reason, problem?.fault]),
  };
  const channel = createNativeChannel({ entryName: "files", local, clock, events });
  const send = (text = "{}", signal = new AbortController().signal) => {
    const state = { sent: 0, outcome: "waiting" as unknown };
    channel.send({ text, headers: {}, kind: "request" }, { signal, sent: () => state.sent++, frame() {} }).then(
      () => {
        state.outcome = "done";
      },
      (problem: unknown) => {
        state.outcome = problem;
      },
    );
    return state;
  };
  return { channel, runs, clock, arrived, closed, send };
}

async function running() {
  const scene = setUp();
  scene.send("1");
  scene.runs[0]?.events.open();
  await turns();
  return scene;
}

function farSide(): FarSide {
  const { local, runs } = createFakeLocals();
  const arrived: string[] = [];
  const received: string[] = [];
  let next: readonly string[] = [];
  const channel = createNativeChannel({
    entryName: "files",
    clock: createFakeClock(),
    local: (entryName, events) => {
      const made = local(entryName, events);
      queueMicrotask(events.open);
      return {
        close: made.close,
        send(text) {
          received.push(text);
          for (const frame of next) events.text(frame);
        },
      };
    },
    events: { unsolicited: (text) => arrived.push(text), closed() {} },
  });
  void runs;
  return {
    channel,
    received,
    arrived,
    answer: (frames) => {
      next = frames;
    },
  };
}

describe("the channel contract over a local server", () => {
  keepsTheChannelContract(farSide);
});

describe("a channel to a local server", () => {
  it("starts one run with the first send, and hands over when the program runs", async () => {
    const { runs, send } = setUp();
    expect(runs).toHaveLength(0);
    const first = send("1");
    const second = send("2");
    await turns();
    expect(runs.map(({ entryName }) => entryName)).toEqual(["files"]);
    expect([first.sent, second.sent]).toEqual([0, 0]);
    runs[0]?.events.open();
    await turns();
    expect([first.sent, second.sent]).toEqual([1, 1]);
    expect(runs[0]?.sent).toEqual(["1", "2"]);
  });

  it("hands over in the same task where the program runs", async () => {
    const { runs, send } = await running();
    const state = send("now");
    expect([state.sent, runs[0]?.sent.at(-1)]).toEqual([1, "now"]);
  });

  it("has sent nothing where the program could not be started, and says why", async () => {
    const { runs, send, closed } = setUp();
    const state = send();
    const why = new GatewayError("upstream-unreachable", "The local server files was not allowed on this machine.");
    runs[0]?.events.close(why);
    await turns();
    expect(state).toEqual({ sent: 0, outcome: why });
    expect(closed).toEqual([]);
  });

  it("reports once that the program ended", async () => {
    const { runs, closed } = await running();
    runs[0]?.events.close(ENDED);
    runs[0]?.events.close(ENDED);
    expect(closed).toEqual([[ENDED.message, undefined]]);
  });

  it("names the fault where a frame did not fit", async () => {
    const { runs, closed } = await running();
    runs[0]?.events.close(new GatewayError("too-large", "Ask it for less."));
    expect(closed).toEqual([["Ask it for less.", "too-large"]]);
  });

  it("hears nothing more of a run that ended", async () => {
    const { runs, arrived } = await running();
    runs[0]?.events.close(ENDED);
    runs[0]?.events.text("late");
    expect(arrived).toEqual([]);
  });

  it("gives up waiting for the program when the exchange is aborted", async () => {
    const { send } = setUp();
    const stop = new AbortController();
    const state = send("{}", stop.signal);
    stop.abort();
    await turns();
    expect(state).toMatchObject({ sent: 0, outcome: { fault: "cancelled" } });
  });

  it("ends a run that is still starting when it is closed", async () => {
    const { channel, runs, send } = setUp();
    send();
    channel.close();
    expect(runs[0]?.closed).toBe(true);
    runs[0]?.events.open();
    await turns();
    expect(runs[0]?.sent).toEqual([]);
  });

  it("ends a run that carried nothing for half an hour, and not a moment sooner", async () => {
    const { runs, clock, closed, send } = await running();
    clock.advance(IDLE_MS - 1);
    runs[0]?.events.text("{}");
    clock.advance(IDLE_MS - 1);
    send("more");
    clock.advance(IDLE_MS - 1);
    expect(runs[0]?.closed).toBe(false);
    clock.advance(1);
    expect(runs[0]?.closed).toBe(true);
    expect(closed).toEqual([[expect.stringContaining("not used for half an hour"), undefined]]);
  });
});
