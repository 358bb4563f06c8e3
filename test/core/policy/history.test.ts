import { describe, expect, it } from "vitest";
import { createRuleHistory, type PolicyHead, type RuleEvent } from "../../../src/core/policy/history.ts";
import type { Rule } from "../../../src/core/policy/policy.ts";
import { createRuleBook } from "../../../src/core/policy/rule-book.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeTable } from "../../fakes/tables.ts";

const rule = (id: string, verdict: Rule["verdict"] = "deny"): Rule => ({
  id,
  verdict,
  priority: 50,
  on: ["request"],
  when: { tool: [id] },
  mode: "enforce",
});

function setUp() {
  const tables = {
    rules: createFakeTable<Rule>(),
    heads: createFakeTable<PolicyHead>(),
    events: createFakeTable<RuleEvent>(),
  };
  const open = () => {
    let ids = tables.events.rows.size;
    return createRuleBook({
      table: tables.rules,
      heads: tables.heads,
      history: createRuleHistory({ table: tables.events, clock: createFakeClock(), randomId: () => `e${++ids}` }),
      servers: () => [],
    });
  };
  return { tables, book: open(), reopen: open };
}

const ids = (rules: readonly Rule[]) => rules.map(({ id }) => id);

describe("the rules' history", () => {
  it("keeps each change with the rule before and after it, newest first", async () => {
    const { book } = setUp();
    await book.save(rule("a"));
    await book.save(rule("a", "ask"));
    await book.remove("a");
    expect(
      book.history().map(({ act, changes }) => [act, changes[0]?.before?.verdict, changes[0]?.after?.verdict]),
    ).toEqual([
      ["delete", "ask", undefined],
      ["save", "deny", "ask"],
      ["save", undefined, "deny"],
    ]);
  });

  it("does not count a save that changes nothing", async () => {
    const { book } = setUp();
    await book.save(rule("a"));
    await book.save(rule("a"));
    expect(book.history()).toHaveLength(1);
  });

  it("takes a change back, and the taking back too", async () => {
    const { book } = setUp();
    await book.save(rule("a"));
    await book.remove("a");
    const [removal] = book.history();
    expect(await book.undo(removal?.id ?? "")).toBe("done");
    expect(ids(book.rules())).toEqual(["a"]);
    expect(await book.undo(book.history()[0]?.id ?? "")).toBe("done");
    expect(book.rules()).toEqual([]);
  });

  it("takes back one change and leaves later ones of other rules alone", async () => {
    const { book } = setUp();
    await book.save(rule("a"));
    const [first] = book.history();
    await book.save(rule("b"));
    expect(await book.undo(first?.id ?? "")).toBe("done");
    expect(ids(book.rules())).toEqual(["b"]);
  });

  it("does not take back a change of a rule that was changed again", async () => {
    const { book } = setUp();
    await book.save(rule("a"));
    const [first] = book.history();
    await book.save(rule("a", "allow"));
    expect(await book.undo(first?.id ?? "")).toBe("changed");
    expect(book.rules()).toEqual([rule("a", "allow")]);
    expect(await book.undo("nobody")).toBe("gone");
  });

  it("takes back a whole policy with its default row", async () => {
    const { book } = setUp();
    await book.save(rule("a"));
    await book.replaceAll([rule("b")], {
      act: "preset",
      head: { default: { read: "ask", other: "deny" }, profile: "strict" },
    });
    expect([ids(book.rules()), book.head().profile, book.compiled().default]).toEqual([
      ["b"],
      "strict",
      { read: "ask", other: "deny" },
    ]);
    expect(await book.undo(book.history()[0]?.id ?? "")).toBe("done");
    expect([ids(book.rules()), book.head()]).toEqual([["a"], { default: { read: "allow", other: "ask" } }]);
  });

  it("outlives the worker, and forgets what is older than a hundred changes", async () => {
    const { book, reopen, tables } = setUp();
    for (let count = 0; count < 105; count++) await book.save(rule(`r${count}`));
    const again = reopen();
    await again.restore();
    expect([again.history().length, tables.events.rows.size, again.history()[0]?.changes[0]?.id]).toEqual([
      100,
      100,
      "r104",
    ]);
    expect(await again.undo(again.history()[0]?.id ?? "")).toBe("done");
    expect(again.rules()).toHaveLength(104);
  });
});
