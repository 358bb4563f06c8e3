import { describe, expect, it } from "vitest";
import { isSpelled } from "../../../src/ui/shared/spelled-name.ts";
import { SITE } from "../../fakes/gateway.ts";

describe("a site's name", () => {
  it.each([
    ["https://xn--pple-43d.example", SITE.topSite, true],
    ["https://login.xn--pple-43d.example", SITE.topSite, true],
    [SITE.origin, "https://xn--pple-43d.example", true],
    [SITE.origin, SITE.topSite, false],
    ["https://taxn--office.example", SITE.topSite, false],
  ])("%s inside %s is pointed out: %s", (origin, topSite, expected) => {
    expect(isSpelled({ ...SITE, origin, topSite })).toBe(expected);
  });
});
