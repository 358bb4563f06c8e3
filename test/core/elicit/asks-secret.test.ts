/** Forms that ask for what must not be asked in one, in the spellings that avoid being seen, and harmless neighbours. */
import { describe, expect, it } from "vitest";
import { formAsksSecret, secretsAsked } from "../../../src/core/elicit/asks-secret.ts";
import { ABOVE, unconfirmed } from "../../../src/core/elicit/flagged.ts";
import { readForm } from "../../../src/core/elicit/form.ts";
import type { JsonObject } from "../../../src/core/wire/json.ts";

function flag(name: string, schema: JsonObject = { type: "string" }): string | undefined {
  const fields = readForm({ type: "object", properties: { [name]: schema } });
  expect(fields).toBeDefined();
  return secretsAsked("", fields ?? [])[name];
}

describe("a field that asks for a secret", () => {
  it.each([
    ["password", "password"],
    ["passWord", "password"],
    ["user_password", "password"],
    ["USERPASSWORD", "password"],
    ["pass-word", "password"],
    ["p a s s w o r d", "password"],
    ["p.a.s.s.w.o.r.d", "password"],
    ["p@ssw0rd", "password"],
    ["pa\u200bss\u2060word", "password"],
    ["раsswоrd", "password"],
    ["ｐａｓｓｗｏｒｄ", "password"],
    ["new_passphrase", "password"],
    ["pwd", "password"],
    ["Passwort", "password"],
    ["contraseña", "password"],
    ["mot_de_passe", "password"],
    ["пароль", "password"],
    ["密码", "password"],
    ["パスワード", "password"],
    ["비밀번호", "password"],
    ["staff_pin", "code"],
    ["PIN", "code"],
    ["otp", "code"],
    ["totpCode", "code"],
    ["code2FA", "code"],
    ["verificationCode", "code"],
    ["one-time code", "code"],
    ["sms_code", "code"],
    ["验证码", "code"],
    ["cardNumber", "card"],
    ["credit_card", "card"],
    ["CVV", "card"],
    ["cvc2", "card"],
    ["Kreditkartennummer", "card"],
    ["apiKey", "key"],
    ["API_KEYS", "key"],
    ["github_token", "key"],
    ["clientSecret", "key"],
    ["private-key", "key"],
    ["seed phrase", "key"],
  ])("%s is flagged as %s", (name, kind) => {
    expect(flag(name)).toBe(kind);
  });

  it("is seen in its title, its description and its format", () => {
    expect(flag("field1", { type: "string", title: "Your password" })).toBe("password");
    expect(flag("field1", { type: "string", description: "The 6-digit code we sent to your phone" })).toBe("code");
    expect(flag("field1", { type: "string", format: "password" })).toBe("password");
    expect(flag("field1", { type: "string", writeOnly: true })).toBe("password");
    expect(flag("n", { type: "integer", title: "Card number" })).toBe("card");
  });

  it("is a short code of digits even where it only says code", () => {
    expect(flag("code", { type: "string", pattern: "^\\d{6}$" })).toBe("code");
    expect(flag("code", { type: "string", minLength: 6, maxLength: 6 })).toBe("code");
    expect(flag("code", { type: "integer" })).toBe("code");
  });
});

describe("a field that does not", () => {
  it.each([
    "name",
    "email",
    "postcode",
    "zip_code",
    "country_code",
    "promoCode",
    "color_code",
    "pinned",
    "opinion",
    "spinning",
    "shipping",
    "max_tokens",
    "token_count",
    "next_token",
    "compass words",
    "keyboard",
    "secretary",
    "passenger",
    "passport_country",
    "discard",
    "cardinal",
    "scorecard",
    "tangent",
    "a b",
    "wordpress",
    "encoding",
    "keywords",
  ])("%s is not flagged", (name) => {
    expect(flag(name)).toBeUndefined();
  });

  it("is a choice, whatever it is called: nothing can be typed into it", () => {
    expect(flag("password", { type: "string", enum: ["keep", "change"] })).toBeUndefined();
    expect(flag("password", { type: "boolean" })).toBeUndefined();
  });
});

describe("the text above a form", () => {
  it("is flagged where it asks for a secret", () => {
    expect(secretsAsked("Which room? I also need your staff PIN to confirm.", [])).toEqual({ [ABOVE]: "code" });
    expect(secretsAsked("Please send your card number again", [])).toEqual({ [ABOVE]: "card" });
    expect(secretsAsked("Which room should I book, and who pays?", [])).toEqual({});
  });
});

describe("a form that the agent will show", () => {
  it("is looked at in the same way, and by its names where it cannot be read", () => {
    expect(formAsksSecret({ message: "Which room?", requestedSchema: { type: "object", properties: {} } })).toBe(false);
    const properties = { pin: { type: "object" } };
    expect(formAsksSecret({ message: "m", requestedSchema: { type: "object", properties } })).toBe(true);
    expect(formAsksSecret({ message: "Your password, please" })).toBe(true);
  });
});

describe("an answer with something flagged in it", () => {
  const asked = { [ABOVE]: "code", pin: "code", key: "key" } as const;

  it("needs a yes for each flagged field it answers, and for the text", () => {
    expect(unconfirmed(asked, ["pin", "room"], [])).toEqual([ABOVE, "pin"]);
    expect(unconfirmed(asked, ["pin", "room"], [ABOVE, "pin"])).toEqual([]);
    expect(unconfirmed(asked, ["room"], [ABOVE])).toEqual([]);
  });
});
