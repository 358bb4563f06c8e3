/**
 * Who owns which bytes: a server that reads its socket by hand gets exactly the text that the agent wrote, but for the few
 * members that are navra's own; and the agent gets exactly what the server wrote, but for the id. What is expected is put
 * together from the same template as what is sent, never by the code that is under test.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenChannel } from "../../src/core/face/channels.ts";
import { type RawServer, serveRaw } from "./raw-server.ts";
import { type Connected, connected } from "./through.ts";

/** The members that navra owns, as JSON text. */
interface Owned {
  readonly id: string;
  readonly token: string;
  readonly capabilities: string;
  /** Where the agent is in no trace: the member that begins one, at the end of `_meta`. */
  readonly trace: string;
}

type Template = (owned: Owned) => string;

const AGENT: Omit<Owned, "id"> = {
  token: '"mine \\u00e9"',
  capabilities: '{ "elicitation" : {"form":{}} ,"experimental":{"x":1}, "roots":{"listChanged":true} }',
  trace: "",
};
/** What of the agent's capabilities navra passes on, in its own spelling. */
const PASSED_ON = '{"elicitation":{"form":{}},"roots":{}}';

const ARGUMENTS: readonly (readonly [string, string])[] = [
  ["integers beyond what a double holds", '{"n":9007199254740993,"m":-123456789012345678901234567890}'],
  ["numbers in unusual spellings", '{"a":1e2,"b":1E+2,"c":1.0,"d":-0,"e":0.10,"f":1e-7,"g":5E-324}'],
  ["members in an unusual order", '{"z":1,"10":2,"2":3,"a":4,"__proto__":5,"constructor":6}'],
  ["escapes that need not be", '{"\\u0061\\/b":"\\u00e9\\ud83c\\udf0d\\/\\u0022","c":"é🌍"}'],
  ["separators that JavaScript once minded", `{"a":"\u2028\u2029\u0085\ufeff"}`],
  ["white space everywhere", '{\t"a" :\r\n[ 1 ,\n\n 2 , { } , [ ] ],  "b"\n:\t"x y" \n}'],
  ["nothing inside", "{}"],
  ["depth", `{"a":${"[".repeat(40)}1.50${"]".repeat(40)}}`],
  ["length", `{"a":"${"grüße ".repeat(20_000)}"}`],
  [
    "texts that look like members",
    '{"a":"\\"id\\":7,\\"_meta\\":{}","id":"mine","_meta":{"progressToken":1},"method":"x"}',
  ],
];

const LEGACY: readonly (readonly [string, Template])[] = [
  ...ARGUMENTS.map(([name, args]): [string, Template] => [
    name,
    ({ id }) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":${args}}}`,
  ]),
  [
    "members of the envelope in another order",
    ({ id }) =>
      `{ "params":{ "arguments":{"a":1.0}, "name":"echo" } , "method":"tools\\/call","id": ${id} , "jsonrpc":"2.0" }`,
  ],
  [
    "a token between other members of `_meta`",
    ({ id, token }) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"_meta":{"com.example/a":1e2 , "progressToken" : ${token}, "traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},"name":"echo"}}`,
  ],
  [
    "a call without arguments",
    ({ id }) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo"}}`,
  ],
  [
    "a prompt",
    ({ id }) => `{"jsonrpc":"2.0","id":${id},"method":"prompts/get","params":{"arguments":{"a":"\\u0062"},"name":"p"}}`,
  ],
  [
    "a resource",
    ({ id }) => `{"jsonrpc":"2.0","id":${id},"method":"resources/read","params":{"uri":"test:\\/\\/a?b=\\u00e9"}}`,
  ],
  [
    "a subscription",
    ({ id }) => `{"jsonrpc":"2.0","id":${id},"method":"resources/subscribe","params":{ "uri":"test://a"}}`,
  ],
  [
    "a completion",
    ({ id }) =>
      `{"jsonrpc":"2.0","id":${id},"method":"completion/complete","params":{"argument":{"value":"","name":"a"},"ref":{"name":"p","type":"ref/prompt"}}}`,
  ],
  [
    "a level",
    ({ id }) => `{"jsonrpc":"2.0","id":${id},"method":"logging/setLevel","params":{"level":"info","x":[1.0]}}`,
  ],
  ["a cursor", ({ id }) => `{"jsonrpc":"2.0","id":${id},"method":"prompts/list","params":{"cursor":"\\u0061=="}}`],
  ["no parameters", ({ id }) => `{"jsonrpc":"2.0","id":${id},"method":"resources/list"}`],
];

const VERSION = '"io.modelcontextprotocol/protocolVersion":"2026-07-28"';
const CAPABILITIES = '"io.modelcontextprotocol/clientCapabilities"';
const CLIENT = '"io.modelcontextprotocol/clientInfo":{ "name":"\\u0061gent","version":"1.0","x":1e2 }';

const MODERN: readonly (readonly [string, Template])[] = [
  ...ARGUMENTS.map(([name, args]): [string, Template] => [
    name,
    ({ id, capabilities, trace }) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":${args},"_meta":{${VERSION},${CAPABILITIES}:${capabilities},${CLIENT}${trace}}}}`,
  ]),
  [
    "`_meta` first, with a token and members of others",
    ({ id, token, capabilities, trace }) =>
      `{"params":{"_meta":{ "com.example/a" : [ ] ,${CAPABILITIES} : ${capabilities},"progressToken":${token}, ${CLIENT} ,"baggage":"a=1",${VERSION}${trace}},"name":"echo"},"id":${id},"method":"tools/call","jsonrpc":"2.0"}`,
  ],
  [
    "a resource",
    ({ id, capabilities, trace }) =>
      `{"jsonrpc":"2.0","id":${id},"method":"resources/read","params":{"uri":"test:\\/\\/a","_meta":{${CLIENT},${CAPABILITIES}:${capabilities},${VERSION}${trace}}}}`,
  ],
  [
    "a trace that the agent is in",
    ({ id, capabilities }) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","_meta":{ "traceparent" : "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",${CAPABILITIES}:${capabilities},${CLIENT},"tracestate":"a=\\u0062",${VERSION}}}}`,
  ],
];

const RESULTS: readonly (readonly [string, (id: string) => string])[] = [
  ...ARGUMENTS.map(([name, value]): [string, (id: string) => string] => [
    name,
    (id) => `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[],"structuredContent":${value}}}`,
  ]),
  ["members of the envelope in another order", (id) => `{ "result" : {"content":[ ] },\n "id":${id} ,"jsonrpc":"2.0"}`],
  [
    "an error",
    (id) =>
      `{"error":{"data":{"n":1e2,"m":[9007199254740993]},"message":"\\u006eo","code":-32050},"jsonrpc":"2.0","id":${id}}`,
  ],
];

interface World {
  readonly server: RawServer;
  readonly navra: Connected;
  readonly channel: OpenChannel;
  readonly got: string[];
}

async function open(modern: boolean): Promise<World> {
  const server = await serveRaw(modern);
  const navra = await connected(server.url);
  const got: string[] = [];
  const channel = navra.open((frame) => got.push(frame));
  if (!modern) {
    const params = `{"protocolVersion":"2025-11-25","capabilities":${AGENT.capabilities},"clientInfo":{"name":"a","version":"1"}}`;
    channel.receive(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":${params}}`);
    await until(() => got.length > 0);
    channel.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }
  return { server, navra, channel, got };
}

describe.each([
  { era: "2025-11-25", templates: LEGACY },
  { era: "2026-07-28", templates: MODERN },
])("in $era", ({ era, templates }) => {
  const modern = era === "2026-07-28";
  let world: World;
  beforeAll(async () => {
    world = await open(modern);
  });
  afterAll(async () => {
    await world.navra.stop();
    await world.server.stop();
  });

  it.each(templates)("the server gets the agent's text: %s", async (_name, template) => {
    await exactly(world, template, '"a-1"');
    await exactly(world, template, "-7");
  });

  it.each(RESULTS)("the agent gets the server's text: %s", async (_name, result) => {
    world.server.answer = (id) => [result(id)];
    expect(await reply(world, plainCall(modern))).toBe(result('"a-1"'));
  });

  it("whatever the arguments are", async () => {
    await fc.assert(
      fc.asyncProperty(argumentsText(), idText(), async (args, id) => {
        const frame: Template = (owned) => {
          const meta = modern
            ? `,"_meta":{${VERSION},${CAPABILITIES}:${owned.capabilities},${CLIENT}${owned.trace}}`
            : "";
          return `{"id":${owned.id},"method":"tools/call","params":{"arguments":${args},"name":"echo"${meta}},"jsonrpc":"2.0"}`;
        };
        await exactly(world, frame, id);
        world.server.answer = (own) => [
          `{"result":{"content":[],"structuredContent":${args}},"id":${own},"jsonrpc":"2.0"}`,
        ];
        expect(await reply(world, plainCall(modern))).toBe(
          `{"result":{"content":[],"structuredContent":${args}},"id":"a-1","jsonrpc":"2.0"}`,
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe("what the server says and asks meanwhile, and what the agent answers", () => {
  it("keep their text, but for the id of a question", async () => {
    const world = await open(false);
    const question = (id: string): string =>
      `{"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{"n":{"type":"number","default":1e2}}},"message":"\\u0061?"},"id":${id},"jsonrpc":"2.0"}`;
    const answer = (id: string): string =>
      `{ "result":{"content":{"n":1.50},"action":"accept"} ,"id" : ${id},"jsonrpc":"2.0"}`;
    const report = `{"params":{"data":{"n":1e2,"b":9007199254740993},"level":"\\u0069nfo" },"method":"notifications/message","jsonrpc":"2.0"}`;
    world.server.answer = (id) => [report, question('"q 1"'), `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`];
    world.server.bodies.length = 0;
    world.got.length = 0;
    world.channel.receive(plainCall(false)({ id: '"a-1"', ...AGENT }));
    await until(() => world.got.length > 1);
    expect(world.got[0]).toBe(report);
    const { id } = JSON.parse(world.got[1] ?? "") as { id: unknown };
    expect(world.got[1]).toBe(question(JSON.stringify(id)));
    expect(id).not.toBe("q 1");
    world.channel.receive(answer(JSON.stringify(id)));
    await until(() => world.server.bodies.length === 2);
    expect(world.server.bodies[1]?.toString("utf8")).toBe(answer('"q 1"'));
    await world.navra.stop();
    await world.server.stop();
  });
});

function plainCall(modern: boolean): Template {
  const meta = `,"_meta":{${VERSION},${CAPABILITIES}:{},${CLIENT}}`;
  return ({ id }) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{}${modern ? meta : ""}}}`;
}

/** Sends the frame and compares what the socket got, byte for byte. */
async function exactly(world: World, template: Template, id: string): Promise<void> {
  world.server.bodies.length = 0;
  await reply(world, template, id);
  const [body] = world.server.bodies;
  const text = body?.toString("utf8") ?? "";
  const ours = String((JSON.parse(text) as { id: unknown }).id);
  expect(ours).toMatch(/^\d+$/);
  const [trace = ""] = BEGUN.exec(text) ?? [];
  const expected = template({ id: ours, token: ours, capabilities: PASSED_ON, trace });
  expect(text).toBe(expected);
  expect(body?.equals(Buffer.from(expected, "utf8"))).toBe(true);
}

/** A trace as navra begins it. */
const BEGUN = /,"traceparent":"00-[0-9a-f]{32}-[0-9a-f]{16}-01"/;

async function reply(world: World, template: Template, id = '"a-1"'): Promise<string> {
  world.got.length = 0;
  world.channel.receive(template({ id, ...AGENT }));
  await until(() => world.got.length > 0);
  return world.got[0] ?? "";
}

/** JSON objects as text, with white space, spellings of numbers and escapes of their own. */
function argumentsText(): fc.Arbitrary<string> {
  const space = fc.constantFrom("", " ", "\n", "\t ", "\r\n  ");
  const escaped = fc
    .string({ unit: "grapheme", maxLength: 8 })
    .map((text) =>
      [...JSON.stringify(text).slice(1, -1)].length % 2 === 0
        ? JSON.stringify(text)
        : `"${[...text].flatMap((one) => one.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)).join("")}"`,
    );
  const { object } = fc.letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("0", "-0", "1.0", "1e2", "1E-3", "9007199254740993", "true", "false", "null", '""', '"\\/"'),
      fc.bigInt().map(String),
      escaped,
      fc
        .tuple(fc.array(tie("value"), { maxLength: 4 }), space)
        .map(([items, gap]) => `[${gap}${items.join(`${gap},`)}${gap}]`),
      tie("object"),
    ),
    object: fc
      .tuple(
        fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 6 }), { maxLength: 5 }),
        fc.array(tie("value"), { minLength: 5, maxLength: 5 }),
        space,
      )
      .map(
        ([names, values, gap]) =>
          `{${gap}${names.map((name, at) => `${JSON.stringify(name)}${gap}:${gap}${values[at]}`).join(`${gap},`)}${gap}}`,
      ),
  }));
  return object;
}

function idText(): fc.Arbitrary<string> {
  const unescaped = fc
    .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 })
    .map((text) => JSON.stringify(text));
  return fc.oneof(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map(String), unescaped);
}

const PATIENCE_MS = 5_000;

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!holds() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(holds()).toBe(true);
}
