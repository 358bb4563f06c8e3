import { describe, expect, it } from "vitest";
import { hrefOf, parseRoute } from "../../../src/ui/dashboard/route.ts";

describe("the dashboard's address", () => {
  it("names the page and what is chosen on it", () => {
    expect(parseRoute("#servers/5f0c")).toEqual({ page: "servers", chosen: "5f0c" });
    expect(parseRoute(hrefOf("records", "4821"))).toEqual({ page: "records", chosen: "4821" });
  });

  it("opens the overview where the address names no page", () => {
    expect(parseRoute("")).toEqual({ page: "overview", chosen: "" });
    expect(parseRoute("#nowhere/7")).toEqual({ page: "overview", chosen: "" });
  });
});
