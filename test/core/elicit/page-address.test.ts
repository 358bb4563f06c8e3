/** Addresses that servers want opened: what is shown of them, and which are opened at all. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressParts } from "../../../src/core/elicit/address-parts.ts";
import { pageAddress } from "../../../src/core/elicit/page-address.ts";
import { readableHost } from "../../../src/core/elicit/punycode.ts";

describe("an address", () => {
  it.each([
    ["https://auth.example.com/connect?state=1", true, []],
    ["http://127.0.0.1:8080/done", true, []],
    ["http://app.localhost/", true, []],
    ["http://auth.example.com/", false, ["plain-http"]],
    ["http://localhost.example.com/", false, ["plain-http"]],
    ["https://xn--pple-43d.com/", true, ["letters"]],
    ["https://\u0430pple.com/", true, ["letters"]],
    ["https://bank.example@evil.example/", true, ["user-name"]],
    ["https://203.0.113.7/", true, ["number"]],
    ["javascript:alert(1)", false, ["no-page"]],
    ["data:text/html,x", false, ["no-page"]],
    ["file:///etc/passwd", false, ["no-page"]],
    ["chrome://settings", false, ["no-page"]],
    ["moz-extension://abc/x.html", false, ["no-page"]],
    ["myapp://callback", false, ["no-page"]],
    ["/relative", false, ["no-page"]],
    ["", false, ["no-page"]],
  ])("%s may be opened: %s, with the doubts %j", (text, openable, doubts) => {
    expect(addressParts(text)).toMatchObject({ openable, doubts });
    expect(pageAddress(text).openable).toBe(openable);
  });

  it("is shown whole, with the host that is really asked", () => {
    expect(addressParts("https://bank.example@evil.example:8443/bank.example?a#b")).toMatchObject({
      before: "https://bank.example@",
      host: "evil.example:8443",
      after: "/bank.example?a#b",
    });
    expect(addressParts("https://evil.example%2fbank.example@x.example/")).toMatchObject({ host: "x.example" });
  });

  it("is shown in both forms where it is written in other letters", () => {
    const address = addressParts("https://\u0430pple.com/x");
    expect(address.host).toBe("xn--pple-43d.com");
    expect(address.reads).toBe("\u0430pple.com");
  });

  it("is the sum of its parts, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          const { before, host, after, openable } = addressParts(text);
          const { href } = pageAddress(text);
          expect(before + host + after).toBe(href);
          if (openable) expect(new URL(href).host).toBe(host);
        },
      ),
    );
  });
});

describe("a host in letters beyond ASCII", () => {
  it.each([
    ["xn--bcher-kva.example", "bücher.example"],
    ["xn--fsqu00a.xn--0zwm56d", "例子.测试"],
    ["xn--80ak6aa92e.com", "аррӏе.com"],
    ["plain.example", "plain.example"],
  ])("%s reads %s", (ascii, letters) => {
    expect(readableHost(ascii)).toBe(letters);
  });

  it("stays as it is where it cannot be read, and never throws", () => {
    expect(readableHost("xn--\u00fc.example")).toBe("xn--\u00fc.example");
    fc.assert(fc.property(fc.stringMatching(/^[a-z0-9-]{0,30}$/), (label) => void readableHost(`xn--${label}`)));
  });

  it("is read back as the URL parser wrote it", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zäöüßéа-яα-ω一-龥]{1,12}$/u), (label) => {
        const url = `https://${label}.example/`;
        if (!URL.canParse(url)) return;
        const { hostname } = new URL(url);
        expect(new URL(`https://${readableHost(hostname)}/`).hostname).toBe(hostname);
      }),
    );
  });
});
