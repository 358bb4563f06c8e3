import { describe, expect, it } from "vitest";
import { alikeSite, looksAlike } from "../../../src/core/consent/alike-sites.ts";

describe("a site's name looks like another's", () => {
  it.each([
    ["paypa1.com", "paypal.com", "a digit for a letter"],
    ["rnicrosoft.com", "microsoft.com", "two letters for one"],
    ["goog1e.com", "google.com", "a digit for a letter"],
    ["g00gle.com", "google.com", "two digits"],
    ["vvikipedia.org", "wikipedia.org", "two letters for one"],
    ["login.paypa1.com", "www.paypal.com", "whatever stands before the name that is bought"],
    ["paypa1.co.uk", "paypal.co.uk", "under a suffix of two parts"],
    ["paypall.co.uk", "paypal.co.uk", "one letter more, under a suffix of two parts"],
    ["paypla.com", "paypal.com", "two letters swapped"],
    ["goolge.com", "google.com", "two letters swapped"],
    ["gogle-mail.com", "google-mail.com", "a letter missing"],
    ["microsaft.com", "microsoft.com", "a letter changed"],
    ["paypal.co", "paypal.com", "a letter missing at the end"],
    ["paypal.com.login.example", "paypal.com", "the known name in front"],
    ["alice.github.io", "a1ice.github.io", "neighbours under one owner that read the same"],
    ["xn--pple-43d.com", "apple.com", "a letter of another alphabet"],
    ["xn--80ak6aa92e.com", "apple.com", "letters of another alphabet only"],
  ])("%s and %s: %s", (one, other, _why, expected = true) => {
    expect(looksAlike(one, other)).toBe(expected);
  });

  it.each([
    ["chat.example", "chats.example", "short names have neighbours"],
    ["app1.example.com", "app2.example.com", "names of one owner, counted on"],
    ["example.com", "www.example.com", "one inside the other"],
    ["example.de", "example.dk", "the same name elsewhere"],
    ["company1.com", "company2.com", "counted on"],
    ["github.com", "gitlab.com", "two letters apart"],
    ["127.0.0.1", "127.0.0.2", "numbers are no names"],
    ["[::1]", "[::2]", "numbers are no names"],
    ["localhost", "localhost.example.com", "no name of the net stands in front"],
    ["bbc.co.uk", "itv.co.uk", "nothing but the suffix in common"],
    ["xn--80ak6aa92e.com", "example.com", "another alphabet, another name"],
  ])("%s and %s do not: %s", (one, other) => {
    expect(looksAlike(one, other)).toBe(false);
  });
});

describe("a site that asks", () => {
  const known = ["https://chat.example", "https://paypal.com", "http://localhost:3000"];

  it("is compared by its host, whatever its port", () => {
    expect(alikeSite({ origin: "http://localhost:4000", topSite: "http://localhost:4000" }, known)).toBeUndefined();
    const topSite = "https://paypa1.com:8443";
    expect(alikeSite({ origin: topSite, topSite }, known)).toEqual({ origin: topSite, known: "https://paypal.com" });
  });

  it("is pointed out for the site it sits in, too", () => {
    const asks = { origin: "https://frame.example", topSite: "https://paypa1.com" };
    expect(alikeSite(asks, known)).toEqual({ origin: "https://paypa1.com", known: "https://paypal.com" });
  });

  it("is never like itself", () => {
    expect(alikeSite({ origin: "https://paypal.com", topSite: "https://chat.example" }, known)).toBeUndefined();
  });
});
