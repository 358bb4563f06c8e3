/** Which of several servers answers for a resource: who listed it, else who has the template that fits best, else nobody. */
import { describe, expect, it } from "vitest";
import { createOwners } from "../../../src/core/face/all/owners.ts";

describe("the owner of an address", () => {
  it("is who listed it, of several the first by name, whoever listed first", () => {
    const owners = createOwners();
    expect(owners.claim("p", "a:1", "mail")).toBe(true);
    expect(owners.claim("p", "a:1", "files")).toBe(true);
    expect(owners.claim("p", "a:1", "mail")).toBe(false);
    expect(owners.of("p", "a:1")).toBe("files");
  });

  it("is who has the template with the longest fixed beginning", () => {
    const owners = createOwners();
    owners.claimTemplate("p", "file:///{path}", "files");
    owners.claimTemplate("p", "file:///mail/{id}", "mail");
    expect(owners.of("p", "file:///mail/1")).toBe("mail");
    expect(owners.of("p", "file:///x")).toBe("files");
    expect(owners.of("p", "file:///{path}")).toBe("files");
  });

  it("is nobody where two servers fit as well, where a template fits anything, and for another site", () => {
    const owners = createOwners();
    owners.claimTemplate("p", "a:{x}", "files");
    owners.claimTemplate("p", "a:{y}", "mail");
    owners.claimTemplate("p", "{+any}", "greedy");
    expect(owners.of("p", "a:1")).toBeUndefined();
    expect(owners.of("p", "b:1")).toBeUndefined();
    owners.claim("p", "c:1", "mail");
    expect(owners.of("q", "c:1")).toBeUndefined();
  });
});
