/** Names of several servers' tools in one list: whatever the servers call theirs, each name stands for one thing only. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aliasOf, isPlain, type Named, readAlias } from "../../src/core/face/all/alias.ts";
import { createCursors } from "../../src/core/face/all/cursors.ts";

const digest = async (text: string): Promise<string> => createHash("sha256").update(text).digest("hex");

const server = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/),
  fc.stringMatching(/^_{0,3}[a-c]_{0,3}-[0-9a-f]{16}$/),
  fc.string({ minLength: 1, maxLength: 200, unit: "binary" }),
);
const named: fc.Arbitrary<Named> = fc.record({ server, name });

describe("An alias", () => {
  it("is accepted everywhere", () =>
    fc.assert(
      fc.asyncProperty(named, async (one) => {
        expect(await aliasOf(one, digest)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    ));

  it("that says what it stands for says it truly, and any other says nothing", () =>
    fc.assert(
      fc.asyncProperty(named, async (one) => {
        expect(readAlias(await aliasOf(one, digest))).toEqual(isPlain(one) ? one : undefined);
      }),
    ));

  it("stands for one thing only, and always the same", () =>
    fc.assert(
      fc.asyncProperty(named, named, async (one, other) => {
        const same = one.server === other.server && one.name === other.name;
        expect((await aliasOf(one, digest)) === (await aliasOf(other, digest))).toBe(same);
      }),
    ));

  it("is not taken for another's by underscores in either name", async () => {
    const parts = ["a", "b", "_", "__", "a_", "_b", "a__b", "b__c", "a_b", "-0123456789abcdef"];
    const seen = new Map<string, string>();
    for (const left of parts) {
      for (const right of parts) {
        const alias = await aliasOf({ server: left, name: right }, digest);
        expect(seen.get(alias)).toBeUndefined();
        seen.set(alias, `${left} ${right}`);
      }
    }
  });
});

describe("A sealed cursor", () => {
  const of = { principalKey: "p", method: "tools/list" };
  const cursors = createCursors({ digest, idOf: (name) => `id of ${name}` });

  it("gives back what was sealed, for what it was sealed for", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(server, fc.string()), { selector: ([at]) => at, minLength: 1 }),
        async (entries) => {
          const places = new Map(entries);
          expect(await cursors.open(await cursors.seal(places, of), of)).toEqual(places);
        },
      ),
    ));

  it("is refused of a server that is not there, or is another one by now", async () => {
    const places = new Map([["files", "1"]]);
    const sealed = await cursors.seal(places, of);
    for (const idOf of [() => undefined, () => "another"]) {
      expect(await createCursors({ digest, idOf }).open(sealed, of)).toBeUndefined();
    }
    // What a page could compute itself, for a server that nobody has.
    const forged = await createCursors({ digest, idOf: () => "" }).seal(places, of);
    expect(await createCursors({ digest, idOf: () => undefined }).open(forged, of)).toBeUndefined();
    for (const text of ["[]", "{}", "[[1]]", "x", '[["files","1"]] ']) {
      expect(await cursors.open(`undefined.${text}`, of)).toBeUndefined();
    }
  });

  it("is refused when one character of it is another", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), async (at, character) => {
        const sealed = await cursors.seal(new Map([["files", "1"]]), of);
        const index = at % sealed.length;
        const changed = sealed.slice(0, index) + character + sealed.slice(index + 1);
        if (changed !== sealed) expect(await cursors.open(changed, of)).toBeUndefined();
      }),
    ));
});
