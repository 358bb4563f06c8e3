import { describe, expect, it } from "vitest";
import { createPair } from "../../../src/core/transports/pair.ts";
import { type FarSide, keepsTheChannelContract } from "./contract.ts";
import { turns } from "./fakes.ts";

function farSide(): FarSide {
  const arrived: string[] = [];
  const received: string[] = [];
  let next: readonly string[] = [];
  const signal = new AbortController().signal;
  const { left, right } = createPair(
    { unsolicited: (text) => arrived.push(text), closed() {} },
    {
      unsolicited: (text) => {
        received.push(text);
        for (const frame of next)
          void right.send({ text: frame, headers: {}, kind: "reply" }, { signal, sent() {}, frame() {} });
      },
      closed() {},
    },
  );
  return {
    channel: left,
    received,
    arrived,
    answer: (frames) => {
      next = frames;
    },
  };
}

describe("the channel contract in memory", () => {
  keepsTheChannelContract(farSide);
});

describe("a pair", () => {
  it("tells the other side that it was closed, and only that one", async () => {
    const closed: string[] = [];
    const { left } = createPair(
      { unsolicited() {}, closed: () => closed.push("left") },
      { unsolicited() {}, closed: () => closed.push("right") },
    );
    left.close();
    left.close();
    await turns();
    expect(closed).toEqual(["right"]);
  });
});
