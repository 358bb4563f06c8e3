import { expect, it } from "vitest";
import { appliesTo } from "../../../src/core/policy/applies.ts";
import { rule } from "./fixtures.ts";

const site = { origin: "https://chat.example", topSite: "https://portal.example" };

it("a rule without a site applies everywhere", () => {
  expect(appliesTo(rule({ when: { tool: ["x"] } }), site)).toBe(true);
});

it("a rule applies where one of its origins matches", () => {
  expect(appliesTo(rule({ when: { origin: ["https://*.a.example", "https://chat.example"] } }), site)).toBe(true);
  expect(appliesTo(rule({ when: { origin: ["https://*.chat.example"] } }), site)).toBe(false);
});

it("a rule applies only where its top site matches too", () => {
  expect(appliesTo(rule({ when: { origin: ["https://chat.example"], topSite: ["https://chat.example"] } }), site)).toBe(
    false,
  );
  expect(appliesTo(rule({ when: { topSite: ["https://portal.example"] } }), site)).toBe(true);
});

it("a rule that is switched off still belongs to the site", () => {
  expect(appliesTo(rule({ mode: "off", when: { origin: ["https://chat.example"] } }), site)).toBe(true);
});
