import { describe, expect, it } from "vitest";
import { type Edit, itemsAt, sliceAt, splice } from "../../../src/core/wire/splice.ts";

const set = (path: string, value: string): Edit => ({ path: path.split("."), value });
const remove = (path: string): Edit => ({ path: path.split("."), value: null });

describe("splice", () => {
  it.each<[string, string, Edit[], string]>([
    [
      "replaces a value and nothing else",
      '{ "a" : 1e2 ,"id":7, "b":[ ]}',
      [set("id", '"x"')],
      '{ "a" : 1e2 ,"id":"x", "b":[ ]}',
    ],
    ["replaces a nested value", '{"p":{"n":"a","k":1}}', [set("p.n", '"b"')], '{"p":{"n":"b","k":1}}'],
    ["replaces an object whole", '{"p":{"n":{"x":[1,"}"]}},"q":2}', [set("p", "[]")], '{"p":[],"q":2}'],
    ["adds a member at the end", '{ "a":1 }', [set("b", "2")], '{ "a":1,"b":2 }'],
    ["adds a member to an empty object", "{ }", [set("b", "2")], '{"b":2 }'],
    ["makes missing parents", '{"a":1}', [set("p._meta.x", "2")], '{"a":1,"p":{"_meta":{"x":2}}}'],
    ["makes a parent of what is no object", '{"p":null,"q":1}', [set("p.x", "2")], '{"p":{"x":2},"q":1}'],
    ["removes the first member", '{ "a":1, "b":2}', [remove("a")], '{ "b":2}'],
    ["removes a middle member", '{"a":1 , "b":2 , "c":3}', [remove("b")], '{"a":1 , "c":3}'],
    ["removes the last member", '{"a":1, "b":2 }', [remove("b")], '{"a":1 }'],
    ["removes the only member", '{ "a":1 }', [remove("a")], "{  }"],
    ["removes every member", '{"a":1,"b":2,"c":3}', [remove("a"), remove("b"), remove("c")], "{}"],
    ["removes the first two", '{"a":1,"b":2,"c":3}', [remove("a"), remove("b")], '{"c":3}'],
    ["removes the outer two", '{"a":1,"b":2,"c":3}', [remove("a"), remove("c")], '{"b":2}'],
    ["removes the last two", '{"a":1,"b":2,"c":3}', [remove("b"), remove("c")], '{"a":1}'],
    ["removes all and adds one", '{"a":1,"b":2}', [remove("a"), remove("b"), set("c", "3")], '{"c":3}'],
    ["removes the last and adds one", '{"a":1,"b":2}', [remove("b"), set("c", "3")], '{"a":1,"c":3}'],
    ["makes no parent for a removal", '{"a":1}', [remove("p.x")], '{"a":1}'],
    ["does nothing for a member that is not there", '{"a":1}', [remove("b")], '{"a":1}'],
    [
      "edits several members at once",
      '{"a":1,"p":{"x":1,"y":2},"z":3}',
      [set("z", "4"), remove("p.x"), set("p.w", "5"), set("a", "0")],
      '{"a":0,"p":{"y":2,"w":5},"z":4}',
    ],
    ["lets the later edit of one member win", '{"a":1}', [set("a", "2"), set("a", "3")], '{"a":3}'],
    ["edits within a value it has just set", '{"a":1}', [set("a", '{"b":1}'), set("a.c", "2")], '{"a":{"b":1,"c":2}}'],
    ["finds a name that is written with escapes", '{"n\\u0061me":"a"}', [set("name", '"b"')], '{"n\\u0061me":"b"}'],
    [
      "is not misled by a name inside a string",
      '{"s":"\\"id\\":1","id":2}',
      [set("id", "3")],
      '{"s":"\\"id\\":1","id":3}',
    ],
    ["treats __proto__ as any name", '{"__proto__":1}', [set("__proto__", "2")], '{"__proto__":2}'],
    ["escapes a name it adds", "{}", [{ path: ['"\n'], value: "1" }], '{"\\"\\n":1}'],
  ])("%s", (_, text, edits, expected) => {
    expect(splice(text, edits)).toBe(expected);
    expect(() => JSON.parse(expected)).not.toThrow();
  });

  it("gives the text back when there is nothing to do", () => {
    expect(splice(' {"a":1}', [])).toBe(' {"a":1}');
    expect(splice("[1]", [set("a", "1")])).toBe("[1]");
  });

  it("crosses long strings with escaped quotes and backslashes at their end", () => {
    const long = JSON.stringify(`${'say "hi" '.repeat(50)}\\`);
    expect(splice(`{"s":${long},"id":1}`, [set("id", "2")])).toBe(`{"s":${long},"id":2}`);
  });
});

describe("sliceAt", () => {
  it("gives the raw text at a path", () => {
    const text = ' {"a": {"b" : [1, 2.50] , "c":"}"}} ';
    expect(sliceAt(text, ["a", "b"])).toBe("[1, 2.50]");
    expect(sliceAt(text, ["a", "c"])).toBe('"}"');
    expect(sliceAt(text, [])).toBe('{"a": {"b" : [1, 2.50] , "c":"}"}}');
  });

  it("gives nothing where there is no such member", () => {
    expect(sliceAt('{"a":[1]}', ["b"])).toBeUndefined();
    expect(sliceAt('{"a":[1]}', ["a", "0"])).toBeUndefined();
    expect(sliceAt("{}", ["toString"])).toBeUndefined();
  });
});

describe("itemsAt", () => {
  it("gives the raw texts of an array's items", () => {
    expect(itemsAt('{"r":{"tools":[ {"n":1.0} , [2,3],"x,]", 4 ]}}', ["r", "tools"])).toEqual([
      '{"n":1.0}',
      "[2,3]",
      '"x,]"',
      "4",
    ]);
    expect(itemsAt('{"a":[ ]}', ["a"])).toEqual([]);
  });

  it("gives nothing where there is no array", () => {
    expect(itemsAt('{"a":{}}', ["a"])).toBeUndefined();
    expect(itemsAt('{"a":{}}', ["b"])).toBeUndefined();
  });
});
