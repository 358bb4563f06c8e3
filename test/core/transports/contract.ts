/** What every channel promises, whatever carries it. Each transport's own test runs this with a far side of its kind. */
import { expect, it } from "vitest";
import type { Channel, OutgoingFrame } from "../../../src/core/transports/channel.ts";
import { turns } from "./fakes.ts";

export interface FarSide {
  readonly channel: Channel;
  /** Frames that reached the server, in order. */
  readonly received: readonly string[];
  /** Frames that came from the server, in order, on whichever way the channel reports them. */
  readonly arrived: string[];
  /** Makes the server say these frames: where requests have responses, in the next one. */
  answer(frames: readonly string[]): void;
}

const REQUEST =
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"n":12345678901234567890,"e":1e2,"s":"é\\u00e9😀"}}';
const ANSWERS = [
  '{"jsonrpc":"2.0","method":"notifications/message"}',
  '{ "id":7,\t"result":{"v":9007199254740993,"t":"a😀\\n"} , "jsonrpc":"2.0"}',
];

export function keepsTheChannelContract(create: () => FarSide): void {
  const frame = (kind: OutgoingFrame["kind"], text = REQUEST): OutgoingFrame => ({ text, kind, headers: {} });
  const live = () => new AbortController().signal;

  it("hands a frame over as it is and says so once", async () => {
    const far = create();
    let sent = 0;
    far.answer(ANSWERS);
    await far.channel.send(frame("request"), {
      signal: live(),
      sent: () => sent++,
      frame: (text) => far.arrived.push(text),
    });
    await turns();
    expect(far.received).toEqual([REQUEST]);
    expect(sent).toBe(1);
  });

  it("reports every frame whole, unchanged and in order", async () => {
    const far = create();
    far.answer(ANSWERS);
    await far.channel.send(frame("request"), { signal: live(), sent() {}, frame: (text) => far.arrived.push(text) });
    await turns();
    expect(far.arrived).toEqual(ANSWERS);
  });

  it("is done with a notification when it is handed over", async () => {
    const far = create();
    await far.channel.send(frame("notification"), {
      signal: live(),
      sent() {},
      frame: (text) => far.arrived.push(text),
    });
    await turns();
    expect(far.received).toEqual([REQUEST]);
    expect(far.arrived).toEqual([]);
  });

  it("sends nothing for an exchange that was aborted before", async () => {
    const far = create();
    const stopped = new AbortController();
    stopped.abort();
    let sent = 0;
    const exchange = { signal: stopped.signal, sent: () => sent++, frame() {} };
    await expect(far.channel.send(frame("request"), exchange)).rejects.toMatchObject({ fault: "cancelled" });
    await turns();
    expect([sent, far.received.length]).toEqual([0, 0]);
  });

  it("sends nothing after it was closed, however often", async () => {
    const far = create();
    far.channel.close();
    far.channel.close();
    const exchange = { signal: live(), sent() {}, frame() {} };
    await expect(far.channel.send(frame("request"), exchange)).rejects.toMatchObject({ name: "GatewayError" });
    await turns();
    expect(far.received).toEqual([]);
  });
}
