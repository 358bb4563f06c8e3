import { afterEach, describe, expect, it } from "vitest";
import {
  ANNOUNCE_EVENT,
  FROM_RELAY,
  MAX_FRAME_UNITS,
  type Provider,
  REQUEST_EVENT,
  TO_RELAY,
} from "../../src/bridge/handshake.ts";
import { installProvider } from "../../src/page/provider.ts";

function setUp() {
  const target = new EventTarget();
  const relayed: string[] = [];
  target.addEventListener(TO_RELAY, (event) => relayed.push((event as CustomEvent<string>).detail));
  const listen = installProvider({ target, CustomEvent, crypto });
  const answers: CustomEvent<{ provider: Provider }>[] = [];
  target.addEventListener(ANNOUNCE_EVENT, (event) => answers.push(event as CustomEvent<{ provider: Provider }>));
  return {
    target,
    relayed,
    answers,
    listen,
    find: (): Provider => {
      target.dispatchEvent(new Event(REQUEST_EVENT));
      const provider = answers.at(-1)?.detail.provider;
      if (!provider) throw new Error("no provider was announced");
      return provider;
    },
    tell: (detail: unknown) => target.dispatchEvent(new CustomEvent(FROM_RELAY, { detail })),
    nameOf: (index: number) => relayed[index]?.split(":")[1] ?? "",
  };
}

const originalDispatch = EventTarget.prototype.dispatchEvent;
const originalRandom = Crypto.prototype.getRandomValues;
afterEach(() => {
  EventTarget.prototype.dispatchEvent = originalDispatch;
  Crypto.prototype.getRandomValues = originalRandom;
});

describe("the provider", () => {
  it("says nothing before it is asked", () => {
    const { answers, relayed } = setUp();
    expect([answers, relayed]).toEqual([[], []]);
  });

  it("answers each request synchronously with the same frozen provider", () => {
    const { find, answers, relayed } = setUp();
    const provider = find();
    expect(find()).toBe(provider);
    expect(provider).toMatchObject({ name: "navra", version: 1 });
    expect(Object.isFrozen(provider) && Object.isFrozen(answers[0]?.detail)).toBe(true);
    expect(relayed).toEqual([]);
  });

  it("answers once, however often its listeners are added again", () => {
    const { find, tell, answers, listen, nameOf } = setUp();
    listen();
    const channel = find().open("mail");
    const heard: string[] = [];
    channel.onframe = (frame) => heard.push(frame);
    tell(`frame:${nameOf(0)}:x`);
    expect([answers.length, heard]).toEqual([1, ["x"]]);
  });

  it("opens each channel under a random name of its own", () => {
    const { find, relayed, nameOf } = setUp();
    find().open("mail");
    find().open("mail");
    expect(relayed.map((event) => event.replace(/[0-9a-f]{32}/, "NAME"))).toEqual(["open:NAME:mail", "open:NAME:mail"]);
    expect(nameOf(0)).not.toBe(nameOf(1));
  });

  it("opens a channel to all servers as one", () => {
    const { find, relayed } = setUp();
    find().open("*");
    expect(relayed.map((event) => event.replace(/[0-9a-f]{32}/, "NAME"))).toEqual(["open:NAME:*"]);
  });

  it("refuses a server name that no server can have", () => {
    const { find, relayed } = setUp();
    for (const name of ["a/b", "a:b", "**", "a*", "x".repeat(65), 7 as unknown as string]) {
      expect(() => find().open(name)).toThrow(TypeError);
    }
    expect(relayed).toEqual([]);
  });

  it("carries frames both ways, to the channel they are for", () => {
    const { find, tell, relayed, nameOf } = setUp();
    const one = find().open("a");
    const two = find().open("b");
    const heard: string[] = [];
    one.onframe = (frame) => heard.push(`one ${frame}`);
    two.onframe = (frame) => heard.push(`two ${frame}`);
    one.send('{"a":1}');
    tell(`frame:${nameOf(1)}:x:y`);
    tell(`frame:${"0".repeat(32)}:stray`);
    expect(relayed[2]).toBe(`send:${nameOf(0)}:{"a":1}`);
    expect(heard).toEqual(["two x:y"]);
  });

  it("tells a loss that happened before anyone listened to the first who does", () => {
    const target = new EventTarget();
    target.addEventListener(TO_RELAY, (event) => {
      const name = (event as CustomEvent<string>).detail.split(":")[1];
      target.dispatchEvent(new CustomEvent(FROM_RELAY, { detail: `lost:${name}:gone` }));
    });
    installProvider({ target, CustomEvent, crypto });
    let provider: Provider | undefined;
    target.addEventListener(ANNOUNCE_EVENT, (event) => {
      provider = (event as CustomEvent<{ provider: Provider }>).detail.provider;
    });
    target.dispatchEvent(new Event(REQUEST_EVENT));
    const channel = provider?.open("mail");
    const heard: string[] = [];
    if (channel) channel.onlost = (reason) => heard.push(reason);
    if (channel) channel.onlost = (reason) => heard.push(`again ${reason}`);
    expect(heard).toEqual(["gone"]);
  });

  it("resumes with the server it was opened for", () => {
    const { find, relayed } = setUp();
    const channel = find().open("mail");
    channel.resume();
    expect(relayed[1]).toBe(relayed[0]);
  });

  it("is silent after close, and refuses to send", () => {
    const { find, tell, relayed, nameOf } = setUp();
    const channel = find().open("mail");
    const heard: string[] = [];
    channel.onframe = (frame) => heard.push(frame);
    channel.onlost = (reason) => heard.push(reason);
    channel.close();
    channel.close();
    channel.resume();
    tell(`frame:${nameOf(0)}:x`);
    tell(`lost:${nameOf(0)}:x`);
    expect(() => channel.send("x")).toThrow("closed");
    expect(relayed.slice(1)).toEqual([`close:${nameOf(0)}:`]);
    expect(heard).toEqual([]);
  });

  it("refuses what is no frame", () => {
    const { find } = setUp();
    const channel = find().open("mail");
    expect(() => channel.send({} as unknown as string)).toThrow(TypeError);
    expect(() => channel.send("x".repeat(MAX_FRAME_UNITS + 1))).toThrow(RangeError);
  });

  it.each([
    ["no string", 7],
    ["an unknown operation", "steal"],
    ["nothing", undefined],
  ])("ignores a relay event that holds %s", (_what, detail) => {
    const { find, tell, nameOf } = setUp();
    const heard: string[] = [];
    const channel = find().open("mail");
    channel.onframe = (frame) => heard.push(frame);
    channel.onlost = (reason) => heard.push(reason);
    tell(typeof detail === "string" ? `${detail}:${nameOf(0)}:x` : detail);
    expect(heard).toEqual([]);
  });

  it("works on after the page replaced the globals it uses", () => {
    const { find, tell, relayed, nameOf } = setUp();
    const provider = find();
    EventTarget.prototype.dispatchEvent = () => {
      throw new Error("replaced");
    };
    Crypto.prototype.getRandomValues = () => {
      throw new Error("replaced");
    };
    const channel = provider.open("mail");
    channel.send("x");
    EventTarget.prototype.dispatchEvent = originalDispatch;
    const heard: string[] = [];
    channel.onframe = (frame) => heard.push(frame);
    tell(`frame:${nameOf(0)}:hello`);
    expect([relayed.length, heard]).toEqual([2, ["hello"]]);
  });
});
