/**
 * Whether a form asks for what servers may not ask for in a form: passwords, codes, card numbers, keys. It reads the
 * server's own words for each field and the text above the form, in several spellings, because the one who must not ask
 * has every reason to write it so that a filter does not see it. A tripwire, no proof: a person decides in the end, and
 * what is not flagged may still be a secret.
 *
 * @see MCP 2025-11-25 · Elicitation · Form mode (servers must not request sensitive information)
 */
import { isObject, type JsonObject } from "../wire/json.ts";
import { ABOVE, type AskedSecrets, type SecretKind } from "./flagged.ts";
import { type FormField, readForm } from "./form.ts";

export function secretsAsked(message: string, fields: readonly FormField[]): AskedSecrets {
  const above = secretIn(message);
  const found = fields.flatMap((field): [string, SecretKind][] => {
    const kind = secretOf(field);
    return kind === undefined ? [] : [[field.name, kind]];
  });
  return Object.fromEntries(above === undefined ? found : [[ABOVE, above], ...found]);
}

/** The same of a form that somebody else will show; where it cannot be read, by the names in it. */
export function formAsksSecret({ message, requestedSchema }: JsonObject): boolean {
  const fields = readForm(requestedSchema);
  const text = typeof message === "string" ? message : "";
  if (fields) return Object.keys(secretsAsked(text, fields)).length > 0;
  const names = isObject(requestedSchema) && isObject(requestedSchema.properties) ? requestedSchema.properties : {};
  return [text, ...Object.keys(names)].some((one) => secretIn(one) !== undefined || lastWordSecret(one) !== undefined);
}

function secretOf(field: FormField): SecretKind | undefined {
  // A choice can be typed into by nobody.
  if (field.kind === "yes-no" || field.kind === "one" || field.kind === "many") return undefined;
  if (field.hint === "password" || field.hint === "write-only") return "password";
  const names = [field.name, field.title];
  return (
    secretIn(`${field.name} . ${field.title} . ${field.description}`) ??
    firstOf(names, lastWordSecret) ??
    (isShortCode(field) ? "code" : undefined)
  );
}

/** Phrases of whole words, the most telling kind first, one after another. A word matches its plural too. */
const PHRASES = lists([
  [
    "card",
    "card number|card no|card nr|credit card|debit card|card details|card security|cvv|cvv 2|cvc|cvc 2|cid code|carte bancaire|carte de credit|numero de carte|tarjeta de credito|numero de tarjeta|cartao de credito|carta di credito|kartennummer|kreditkarte|kartenprufnummer|prufziffer",
  ],
  [
    "code",
    "pin|pin code|tan|otp|totp|2 fa|mfa|passcode|pass code|one time code|one time password|onetime code|verification code|confirmation code|security code|authentication code|authenticator code|auth code|access code|login code|sms code|recovery code|backup code|two factor|second factor|digit code|code de verification|codigo de verificacion|codigo de seguridad|codigo de seguranca|codice di verifica|sicherheitscode|bestatigungscode|einmalcode",
  ],
  [
    "password",
    "password|pass word|passwd|passwrd|pwd|pswd|passphrase|pass phrase|login credential|account credential|mot de passe|contrasena|clave secreta|senha|parola chiave|parola d ordine|passwort|kennwort|wachtwoord|losenord|haslo",
  ],
  [
    "key",
    "api key|apikey|access key|secret key|private key|ssh key|signing key|encryption key|api token|access token|auth token|bearer token|refresh token|personal token|session cookie|client secret|app secret|shared secret|seed phrase|recovery phrase|mnemonic phrase|secret phrase",
  ],
]);

/** From so many letters on a phrase means it wherever it stands in a word that was run together. */
const LONG_STEM = 8;
const SHORT_STEMS: ReadonlySet<string> = new Set(["pincode", "passwd", "apikey"]);
const STEMS = PHRASES.map(([kind, phrases]): [SecretKind, string[]] => [
  kind,
  phrases
    .map((phrase) => phrase.replaceAll(" ", ""))
    .filter((stem) => stem.length >= LONG_STEM || SHORT_STEMS.has(stem)),
]);

/** Writing without spaces between words. */
const UNSPACED = lists([
  ["password", "пароль|密码|密碼|口令|パスワード|비밀번호|암호|كلمة المرور|סיסמה|รหัสผ่าน"],
  ["code", "验证码|驗證碼|暗証番号|認証コード|인증번호|код подтверждения|пин-код"],
  ["card", "номер карты|银行卡号|信用卡|カード番号|카드번호"],
]);

function lists(
  rows: readonly (readonly [SecretKind, string])[],
): readonly (readonly [SecretKind, readonly string[]])[] {
  return rows.map(([kind, phrases]) => [kind, phrases.split("|")]);
}

function secretIn(text: string): SecretKind | undefined {
  const head = text.slice(0, MOST_READ);
  const raw = withoutMarks(head).toLowerCase();
  const unspaced = UNSPACED.find(([, words]) => words.some((word) => raw.includes(withoutMarks(word))));
  if (unspaced) return unspaced[0];
  return firstOf([wordsOf(head), wordsOf(plainLetters(head))], (words) => inWords(words));
}

function inWords(words: readonly string[]): SecretKind | undefined {
  const line = ` ${words.join(" ")} `;
  const phrase = PHRASES.find(([, phrases]) =>
    phrases.some((one) => line.includes(` ${one} `) || line.includes(` ${one}s `)),
  );
  if (phrase) return phrase[0];
  return STEMS.find(([, stems]) => stems.some((stem) => words.some((word) => word.includes(stem))))?.[0];
}

/** In a name, the last word says what it is: `github_token` is a key, `token_count` is none. */
function lastWordSecret(name: string): SecretKind | undefined {
  const words = wordsOf(plainLetters(name));
  const last = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (last === "pass" || last === "pw") return "password";
  if (last === "secret" || last === "secrets" || last === "credentials" || last === "credential") return "key";
  return last === "token" && !["max", "next", "page", "cursor"].includes(before) ? "key" : undefined;
}

/** A code of a few digits, where the word alone could be anything. */
function isShortCode(field: FormField): boolean {
  const words = new Set([...wordsOf(field.name), ...wordsOf(field.title)]);
  if (!words.has("code") || [...words].some((word) => HARMLESS_CODES.has(word))) return false;
  if (field.kind === "number") return true;
  if (field.kind !== "text") return false;
  const { minLength = 0, maxLength = 0, pattern = "" } = field;
  return (maxLength >= 4 && maxLength <= 8 && minLength >= 3) || /\\d|\[0-9\]/.test(pattern);
}

const HARMLESS_CODES: ReadonlySet<string> = new Set(
  "country postal post zip promo area currency language discount coupon project product error colour color room cost department airport bank sort status source branch".split(
    " ",
  ),
);

const MOST_READ = 20_000;

/** Words as a reader would take them: humps and separators apart, letters that were spaced out together again. */
function wordsOf(text: string): string[] {
  const apart = withoutMarks(text)
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{Nd})/gu, "$1 $2")
    .replace(/(\p{Nd})(\p{L})/gu, "$1 $2")
    .toLowerCase()
    .replaceAll("ß", "ss");
  const words = apart.match(/[\p{L}\p{Nd}]+/gu) ?? [];
  const joined: string[] = [];
  let spelled = "";
  for (const word of [...words, ""]) {
    if (word.length === 1 && /\p{L}/u.test(word)) {
      spelled += word;
      continue;
    }
    // A single letter is a word of its own (“a”, “I”); three in a row are one that was spelled out.
    if (spelled.length > 2) joined.push(spelled);
    else joined.push(...spelled);
    spelled = "";
    if (word !== "") joined.push(word);
  }
  return joined;
}

/** Accents off, and whatever cannot be seen. */
function withoutMarks(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, (mark) =>
      mark === "\n" || mark === "\t" || mark === "\r" ? " " : "",
    );
}

/** Letters of other scripts and digits that are drawn like Latin letters, read as these. */
function plainLetters(text: string): string {
  return text.normalize("NFKC").replace(TWINS, (letter) => TWIN_LETTERS.get(letter) ?? letter);
}

const TWIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ...pairs("аɑα@4", "a"),
  ...pairs("еєε3", "e"),
  ...pairs("оοσ0", "o"),
  ...pairs("рρ", "p"),
  ...pairs("сϲ", "c"),
  ...pairs("ѕ5$", "s"),
  ...pairs("іιı1!", "i"),
  ...pairs("ԁ", "d"),
  ...pairs("ԝωѡ", "w"),
  ...pairs("һ", "h"),
  ...pairs("уγ", "y"),
  ...pairs("кκ", "k"),
  ...pairs("тτ7", "t"),
  ...pairs("пη", "n"),
  ...pairs("ѵν", "v"),
  ...pairs("АΑ", "A"),
  ...pairs("РΡ", "P"),
  ...pairs("СϹ", "C"),
  ...pairs("ОΟ", "O"),
  ...pairs("ЅՏ", "S"),
  ...pairs("ІΙ", "I"),
  ...pairs("ТΤ", "T"),
  ...pairs("КΚ", "K"),
  ...pairs("ЕΕ", "E"),
  ...pairs("Ν", "N"),
]);
const TWINS = new RegExp(`[${[...TWIN_LETTERS.keys()].join("")}]`, "gu");

function pairs(letters: string, plain: string): [string, string][] {
  return Array.from(letters, (letter) => [letter, plain]);
}

function firstOf<Item, Found>(items: readonly Item[], look: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
