import { describe, expect, it } from "vitest";
import { isSharedSuffix } from "../../../src/core/policy/shared-suffix.ts";
import { sharedWildcards } from "../../../src/ui/shared/public-suffix.ts";
import { rule } from "../../core/policy/fixtures.ts";

const wildcard = (host: string) => rule({ when: { origin: [`https://*.${host}`] } });

describe("a wildcard origin", () => {
  it.each(["eu.org", "priv.at", "com.ng", "anything.ck", "cdn.prod.atlassian-dev.net", "is-a-geek.com", "github.io"])(
    "is for strangers' sites below %s",
    (host) => {
      expect(sharedWildcards([wildcard(host)])).toMatchObject([{ path: "/0/when/origin/0" }]);
    },
  );

  it.each(["example.org", "mine.eu.org", "www.ck", "mine.github.io", "bbc.co.uk", "city.kawasaki.jp"])(
    "is somebody's own below %s",
    (host) => {
      expect(sharedWildcards([wildcard(host)])).toEqual([]);
    },
  );

  it("is found in every clause, beside exact origins, and with a port", () => {
    const when = { origin: ["https://eu.org", "https://*.eu.org:8443"], topSite: ["https://*.priv.at"] };
    expect(sharedWildcards([rule({ when: {} }), rule({ when })]).map(({ path }) => path)).toEqual([
      "/1/when/origin/1",
      "/1/when/topSite/0",
    ]);
  });

  it("is held against more here than in the worker, whose short list is the floor", () => {
    expect(isSharedSuffix("eu.org")).toBe(false);
    expect(isSharedSuffix("github.io")).toBe(true);
  });
});
