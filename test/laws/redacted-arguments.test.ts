/** Arguments from which policy took something out still fit the tool's schema, or nothing is sent. */
import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createWorld } from "../fakes/gateway.ts";
import { createFakeServer } from "../fakes/server.ts";

const TOKEN = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

const text: fc.Arbitrary<Schema> = fc
  .record({
    type: fc.constant("string" as const),
    maxLength: fc.constantFrom(8, 40, 60),
    minLength: fc.constantFrom(0, 30),
    pattern: fc.constantFrom("^ghp_", "^[a-zA-Z0-9_ ]*$", ""),
  })
  .chain((all) =>
    fc
      .subarray(["maxLength", "minLength", "pattern"] as const)
      .map((kept) => ({ type: all.type, ...Object.fromEntries(kept.map((key) => [key, all[key]])) })),
  );
const schema: fc.Arbitrary<Schema> = fc.record({
  type: fc.constant("object" as const),
  properties: fc.record({ a: text, b: text }),
  required: fc.subarray(["a", "b"]),
  additionalProperties: fc.boolean(),
});
const args = fc.dictionary(fc.constantFrom("a", "b", "c", TOKEN), fc.constantFrom(TOKEN, `key ${TOKEN} end`, "plain"));

it("arguments with something taken out fit the schema, or are not sent", async () => {
  let sent = 0;
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(schema, fc.array(args, { minLength: 4, maxLength: 4 }), async (inputSchema, list) => {
      const tool = { name: "t", description: "", inputSchema, annotations: { readOnlyHint: true } };
      const upstream = createFakeServer("2025-11-25", [tool as unknown as Record<string, unknown>]);
      const world = await createWorld({ upstream });
      await world.gateway.rules.save({
        id: "r",
        verdict: "allow",
        priority: 0,
        on: ["request"],
        when: {},
        do: { redact: ["secret"] },
        mode: "enforce",
      });
      const page = world.page();
      await page.initialize("2025-11-25");
      for (const [id, given] of list.entries()) {
        const before = upstream.received.length;
        page.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "t", arguments: given } });
        await page.reply(id);
        const [call] = upstream.received.slice(before).filter(({ frame }) => frame.method === "tools/call");
        if (!call) {
          kept++;
          continue;
        }
        sent++;
        const { arguments: received } = call.frame.params as { readonly arguments: Record<string, unknown> };
        expect(call.text).not.toContain(TOKEN);
        const changed = JSON.stringify(received) !== JSON.stringify(given);
        if (changed) expect(new Validator(inputSchema, "2020-12", true).validate(received).valid).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
  expect(Math.min(sent, kept)).toBeGreaterThan(10);
});
