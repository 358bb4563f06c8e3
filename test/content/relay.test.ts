import { describe, expect, it } from "vitest";
import { parsePageDoor } from "../../src/bridge/doors.ts";
import { FROM_RELAY, relayEvent, TO_RELAY, type ToRelayOp } from "../../src/bridge/handshake.ts";
import { type RelayPort, type RelayRuntime, startRelay } from "../../src/content/relay.ts";

class FakePort implements RelayPort {
  readonly sent: (string | boolean)[] = [];
  readonly name: string;
  closed = false;
  failing = false;
  readonly #messages: ((message: unknown) => void)[] = [];
  readonly #ends: (() => void)[] = [];
  readonly onMessage = { addListener: (listener: (message: unknown) => void) => void this.#messages.push(listener) };
  readonly onDisconnect = { addListener: (listener: () => void) => void this.#ends.push(listener) };

  constructor(name: string) {
    this.name = name;
  }
  postMessage(message: string | boolean): void {
    if (this.failing) throw new Error("Attempting to use a disconnected port object");
    this.sent.push(message);
  }
  disconnect(): void {
    this.closed = true;
    if (this.failing) throw new Error("Extension context invalidated.");
  }
  deliver(message: unknown): void {
    for (const listener of this.#messages) listener(message);
  }
  end(): void {
    for (const listener of this.#ends) listener();
  }
}

function setUp() {
  const target = new EventTarget();
  const ports: FakePort[] = [];
  const heard: string[] = [];
  const runtime: { current: RelayRuntime | undefined } = {
    current: {
      id: "navra",
      connect: ({ name }) => {
        const port = new FakePort(name);
        ports.push(port);
        return port;
      },
    },
  };
  let act = false;
  let visible = true;
  target.addEventListener(FROM_RELAY, (event) => heard.push((event as CustomEvent<string>).detail));
  const listen = startRelay({
    target,
    runtime: () => runtime.current,
    acted: () => act,
    visible: () => visible,
    maxChannels: 3,
    maxFrameUnits: 20,
  });
  return {
    ports,
    heard,
    runtime,
    listen,
    setAct: (now: boolean) => {
      act = now;
    },
    setVisible: (now: boolean) => {
      visible = now;
      target.dispatchEvent(new Event("visibilitychange"));
    },
    say: (op: ToRelayOp, channel: string, rest = "") => {
      target.dispatchEvent(new CustomEvent(TO_RELAY, { detail: relayEvent(op, channel, rest) }));
    },
    raw: (detail: unknown) => target.dispatchEvent(new CustomEvent(TO_RELAY, { detail })),
    fire: (type: string) => target.dispatchEvent(new Event(type)),
    port: (index: number): FakePort => {
      const port = ports[index];
      if (!port) throw new Error(`port ${index} was not opened`);
      return port;
    },
  };
}

describe("the relay", () => {
  it("says to each port when the document goes out of sight and comes back, and at once where it begins so", () => {
    const { say, port, setVisible, fire } = setUp();
    say("open", "a", "files");
    expect(port(0).sent).toEqual([]);
    setVisible(false);
    say("open", "b", "files");
    setVisible(true);
    expect([port(0).sent, port(1).sent]).toEqual([
      [false, true],
      [false, true],
    ]);
    // What a page fires says nothing that is not so.
    fire("visibilitychange");
    expect(port(0).sent.at(-1)).toBe(true);
  });

  it("opens no port and says nothing before the page asks", () => {
    const { ports, heard, fire } = setUp();
    fire("pageshow");
    fire("pagehide");
    expect([ports, heard]).toEqual([[], []]);
  });

  it("names its port after the channel, the server and the person's act", () => {
    const { say, port, setAct } = setUp();
    say("open", "a", "mail");
    setAct(true);
    say("open", "b", "");
    expect(parsePageDoor(port(0).name)).toEqual({ act: false, channel: "a", server: "mail" });
    expect(parsePageDoor(port(1).name)).toEqual({ act: true, channel: "b", server: "" });
    say("open", "c", "*");
    expect(parsePageDoor(port(2).name)).toEqual({ act: true, channel: "c", server: "*" });
  });

  it("carries frames both ways unread, colons and all", () => {
    const { say, port, heard } = setUp();
    say("open", "a", "mail");
    say("send", "a", '{"x":":"');
    port(0).deliver("not json: at all");
    expect(port(0).sent).toEqual(['{"x":":"']);
    expect(heard).toEqual(["frame:a:not json: at all"]);
  });

  it("says whether its document is in sight in a word that no page can say", () => {
    const { say, port, setVisible } = setUp();
    say("open", "a");
    say("send", "a", "false");
    setVisible(false);
    expect(port(0).sent).toEqual(["false", false]);
  });

  it("drops what is no string from the port", () => {
    const { say, port, heard } = setUp();
    say("open", "a");
    port(0).deliver({ frame: "x" });
    expect(heard).toEqual([]);
  });

  it.each([
    ["no string", 7],
    ["no separator", "open"],
    ["one separator", "open:a"],
    ["an empty channel", "open::mail"],
    ["a channel with a slash", "open:a/1/b:mail"],
    ["a channel of 65 characters", `open:${"a".repeat(65)}:mail`],
    ["a server with a slash", "open:a:../x"],
    ["a pattern of servers", "open:a:mail*"],
    ["a server of 65 characters", `open:a:${"s".repeat(65)}`],
    ["an unknown operation", "steal:a:x"],
    ["an operation of the other direction", "frame:a:x"],
  ])("ignores %s", (_what, detail) => {
    const { raw, ports, heard } = setUp();
    raw(detail);
    expect([ports, heard]).toEqual([[], []]);
  });

  it("ignores an event without detail", () => {
    const { fire, ports } = setUp();
    fire(TO_RELAY);
    expect(ports).toEqual([]);
  });

  it("keeps the port of a channel that is opened twice", () => {
    const { say, ports } = setUp();
    say("open", "a", "mail");
    say("open", "a", "files");
    expect(ports.length).toBe(1);
  });

  it("hears everything once, however often its listeners are added again", () => {
    const { say, ports, fire, heard, listen } = setUp();
    listen();
    listen();
    say("open", "a");
    say("send", "a", "x");
    fire("pagehide");
    fire("pageshow");
    expect([ports.length, ports[0]?.sent, heard.length]).toEqual([1, ["x"], 1]);
  });

  it("refuses more channels than its limit, and gives a place back on close", () => {
    const { say, ports, heard } = setUp();
    for (const channel of ["a", "b", "c", "d"]) say("open", channel);
    expect(ports.length).toBe(3);
    expect(heard).toEqual(["lost:d:Too many channels are open in this page. Close one first."]);
    say("close", "a");
    say("open", "d");
    expect(ports.length).toBe(4);
  });

  it("refuses a frame over the limit and gives the channel up", () => {
    const { say, port, heard } = setUp();
    say("open", "a");
    say("send", "a", "x".repeat(20));
    say("send", "a", "x".repeat(21));
    expect(port(0).sent).toEqual(["x".repeat(20)]);
    expect(port(0).closed).toBe(true);
    expect(heard).toEqual(["lost:a:The message is larger than navra carries. Send less at once."]);
  });

  it("tells a lost port once, and opens a new one on request", () => {
    const { say, port, ports, heard } = setUp();
    say("open", "a");
    port(0).end();
    port(0).deliver("late");
    port(0).end();
    expect(heard).toEqual(["lost:a:navra closed the connection."]);
    say("open", "a");
    expect(ports.length).toBe(2);
    port(1).deliver("hello");
    expect(heard[1]).toBe("frame:a:hello");
  });

  it("says at once that a frame for a channel without a port is lost", () => {
    const { say, heard } = setUp();
    say("send", "a", "x");
    expect(heard).toEqual(["lost:a:The connection is not open."]);
  });

  it("says nothing more after the page closed the channel", () => {
    const { say, port, heard } = setUp();
    say("open", "a");
    say("close", "a");
    port(0).end();
    port(0).deliver("late");
    expect([port(0).closed, heard]).toEqual([true, []]);
  });

  it("tells a frame that the browser would not carry as lost", () => {
    const { say, port, heard } = setUp();
    say("open", "a");
    port(0).failing = true;
    say("send", "a", "x");
    expect(heard).toEqual(["lost:a:The browser could not carry the message to navra."]);
  });

  it.each([
    ["the runtime has no id", { connect: () => new FakePort("") } as RelayRuntime],
    ["the runtime is gone", undefined],
    [
      "connecting throws",
      {
        id: "navra",
        connect: () => {
          throw new Error("Extension context invalidated.");
        },
      } as RelayRuntime,
    ],
  ])("tells the page to reload where %s", (_what, runtime) => {
    const setup = setUp();
    setup.runtime.current = runtime;
    setup.say("open", "a");
    expect(setup.heard).toEqual(["lost:a:navra was updated or removed. Reload the page to use it again."]);
  });

  it("holds no port in the back/forward cache and tells the loss when the page is shown again", () => {
    const { say, port, fire, heard } = setUp();
    say("open", "a");
    say("open", "b");
    fire("pagehide");
    expect([port(0).closed, port(1).closed, heard]).toEqual([true, true, []]);
    fire("pageshow");
    fire("pageshow");
    expect(heard).toEqual([
      "lost:a:The page was set aside and came back.",
      "lost:b:The page was set aside and came back.",
    ]);
  });
});
