import { describe, expect, it } from "vitest";
import { type Decoded, type DecodeOptions, decode } from "../../../src/core/wire/decode.ts";
import { DEFAULT_LIMITS } from "../../../src/core/wire/json.ts";

const OPTIONS: DecodeOptions = { limits: DEFAULT_LIMITS, batches: true };

function one(frame: string, options: DecodeOptions = OPTIONS): Decoded["items"][number] | undefined {
  const { batch, items } = decode(frame, options);
  expect([batch, items.length]).toEqual([false, 1]);
  return items[0];
}

describe("a message", () => {
  it("is a request when it has a method and an id", () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":1e2}}';
    expect(one(text)).toEqual({ kind: "request", id: "1", method: "ping", params: { n: 100 }, text });
  });

  it("is a notification when it has a method and no id", () => {
    const text = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    expect(one(text)).toEqual({ kind: "notification", method: "notifications/initialized", params: undefined, text });
  });

  it("is a result when it has one", () => {
    const text = '{"jsonrpc":"2.0","id":"a","result":{}}';
    expect(one(text)).toEqual({ kind: "result", id: '"a"', result: {}, text });
  });

  it("is an error when it has one, whatever members the error has besides", () => {
    const text = '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m","data":null,"more":1}}';
    expect(one(text)).toEqual({ kind: "error", id: "1", error: { code: -1, message: "m", data: null }, text });
  });

  it.each(["null", undefined])("may be an error with the id %s, of a sender who could not read ours", (id) => {
    const member = id === undefined ? "" : `"id":${id},`;
    expect(one(`{"jsonrpc":"2.0",${member}"error":{"code":1,"message":"m"}}`)).toMatchObject({
      kind: "error",
      id: null,
    });
  });

  it("keeps its text without the white space around it", () => {
    expect(one(' {"jsonrpc":"2.0","method":"m"}\n')).toMatchObject({ text: '{"jsonrpc":"2.0","method":"m"}' });
  });

  it("may have members that JSON-RPC does not name, even __proto__, and leaves them behind: nobody judges them", () => {
    const known = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"n":1e2}}';
    const text = known.replace('"id"', '"__proto__":{"method":"x"}, "extra":1, "id"');
    expect(one(text)).toMatchObject({ kind: "request", method: "m", text: known });
  });

  it("that has only members of JSON-RPC keeps every byte between them", () => {
    const text = '{ "method" : "m",\t"params":{ "n" : 1e2 },"jsonrpc":"2.0" , "id":1}';
    expect(one(text)).toMatchObject({ text });
  });

  it("keeps __proto__ in its params as a plain member", () => {
    const item = one('{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"polluted":1}}}');
    const params = item?.kind === "request" ? (item.params ?? {}) : {};
    expect(Object.keys(params)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
  });
});

describe("an id", () => {
  it.each([
    ["42", "42"],
    ["-1", "-1"],
    ["9007199254740993", "9007199254740993"],
    ['"a"', '"a"'],
    ['"\\u0061"', '"a"'],
    ['"\\u00e9\\/"', '"é/"'],
    ['"\\u0000"', '"\\u0000"'],
    ['""', '""'],
    ['"1"', '"1"'],
    [`"${"\\u0069".repeat(256)}"`, `"${"i".repeat(256)}"`],
  ])("written %s is the token %s", (written, token) => {
    expect(one(`{"jsonrpc":"2.0","id":${written},"method":"m"}`)).toMatchObject({ kind: "request", id: token });
  });

  it.each(["null", "1.0", "1e2", "true", "[]", "{}", `"${"i".repeat(257)}"`, `"${"é".repeat(129)}"`])(
    "is refused when it is %s",
    (written) => {
      const frame = `{"jsonrpc":"2.0","id":${written},"method":"m"}`;
      expect(one(frame)).toMatchObject({ kind: "fault", name: "invalid-request", id: null });
    },
  );

  it("comes back with a fault wherever it could be read", () => {
    expect(one('{"id":7,"jsonrpc":"1.0","method":"m"}')).toMatchObject({ name: "invalid-request", id: "7" });
    expect(one('{"jsonrpc":"2.0","id":7,"method":"m","params":[]}')).toMatchObject({ name: "invalid-params", id: "7" });
    expect(one('{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}')).toMatchObject({ name: "parse-error", id: "7" });
    const deep = `{"jsonrpc":"2.0","id":7,"result":${"[".repeat(200)}`;
    expect(one(deep)).toMatchObject({ name: "too-large", id: "7" });
  });

  it("is not guessed when the text is no JSON or names it twice", () => {
    expect(one('{"jsonrpc":"2.0","id":7,"method"')).toMatchObject({ name: "parse-error", id: null });
    expect(one('{"jsonrpc":"2.0","id":7,"id":8,"method":"m"}')).toMatchObject({ name: "parse-error", id: null });
  });
});

describe("size", () => {
  it("is refused by length before anything is read", () => {
    const options = { ...OPTIONS, limits: { ...DEFAULT_LIMITS, bytes: 40 } };
    expect(one("x".repeat(41), options)).toMatchObject({ name: "too-large", id: null });
  });

  it("counts bytes of UTF-8, not letters", () => {
    const frame = '{"jsonrpc":"2.0","method":"é€😀"}';
    const bytes = new TextEncoder().encode(frame).length;
    expect(one(frame, { ...OPTIONS, limits: { ...DEFAULT_LIMITS, bytes } })).toMatchObject({ kind: "notification" });
    expect(one(frame, { ...OPTIONS, limits: { ...DEFAULT_LIMITS, bytes: bytes - 1 } })).toMatchObject({
      name: "too-large",
    });
  });

  it("of a method is counted after unescaping", () => {
    const named = (method: string) => one(`{"jsonrpc":"2.0","method":"${method}"}`)?.kind;
    expect(named("\\u006d".repeat(256))).toBe("notification");
    expect(named("\\u006d".repeat(257))).toBe("fault");
    expect(named("\\u00e9".repeat(129))).toBe("fault");
  });
});

describe("a batch", () => {
  it("gives each item its own slice, and an invalid one a fault in its place", () => {
    const first = '{"jsonrpc":"2.0","id":1,"method":"m"}';
    const last = '{ "jsonrpc":"2.0", "id":2, "result":{} }';
    const { batch, items } = decode(`[${first}, 1, [${first}], ${last}]`, OPTIONS);
    expect(batch).toBe(true);
    expect(items).toMatchObject([
      { kind: "request", text: first },
      { kind: "fault", name: "invalid-request", id: null },
      { kind: "fault", name: "invalid-request", id: null },
      { kind: "result", text: last },
    ]);
  });

  it.each([
    ["where the revision has none", '[{"jsonrpc":"2.0","method":"m"}]', { ...OPTIONS, batches: false }],
    ["when it is empty", "[]", OPTIONS],
    ["when it is too long", `[${"1,".repeat(100)}1]`, OPTIONS],
  ])("is one fault %s", (_, frame, options) => {
    expect(one(frame, options)).toMatchObject({ kind: "fault", name: "invalid-request", id: null });
  });
});

describe("a fault", () => {
  it("says nothing of what the frame held", () => {
    for (const frame of ['{"hunter2":', '{"jsonrpc":"hunter2"}', '{"hunter2":1,"hunter2":2}', '"hunter2"']) {
      const item = one(frame);
      expect(item?.kind === "fault" && item.detail).toMatch(/^(?!.*hunter2)[A-Z].*[.;].*\.$/);
    }
  });
});
