/**
 * Rules and reasons in words a person uses: who does what with what. Names of servers and sites are the person's own;
 * tool names are shown as they are in the rule.
 */
import { CLASS_WORDS, conditionWords, words } from "./explain-when.ts";
import type { Obligations, Phase, Rule, Verdict, When } from "./policy.ts";

/** A rule as one line: `Ask before chat.example uses send_* of mail.` */
export function describeRule(rule: Rule, serverNames: Readonly<Record<string, string>>): string {
  const act = actOf(rule, serverNames);
  const conditions = conditionWords(rule, serverNames);
  const lead = rule.mode === "audit" ? `Only note: ${lower(act)}` : act;
  return [lead, conditions, obligationsOf(rule.do), expiryOf(rule.expires)].filter((part) => part !== "").join(", ");
}

/** The sentence of a reason: a rule speaks through its note, our own rows through theirs. */
export function sentenceFor(
  reason: string,
  rule?: Pick<Rule, "id" | "verdict" | "note">,
  verdict: Verdict = "allow",
): string {
  if (rule) {
    const whose = reason.startsWith("managed:") ? "Your organisation" : "Your rule";
    return `${whose}: ${rule.note ?? `${VERDICT_WORDS[rule.verdict]} (${rule.id})`}`;
  }
  if (reason.startsWith("error:"))
    return "A rule could not be applied, so navra denies. Look at the rule in the dashboard.";
  if (reason.startsWith("rate:")) return "This site has used up how often a rule lets it do this. It can again later.";
  return OUR_SENTENCES.get(`${reason} ${verdict}`) ?? OUR_SENTENCES.get(reason) ?? "navra decides this by itself.";
}

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = { allow: "Allow", ask: "Ask first", deny: "Never" };

const OUR_SENTENCES: ReadonlyMap<string, string> = new Map([
  [
    "pin:changed",
    "The tool has changed since you allowed it. It is off everywhere until you have seen the difference.",
  ],
  ["default:back", "The server asks the agent something, and the agent said that it answers such questions."],
  [
    "default:secret-form",
    "The server wants a form filled that asks for a password, a code, card data or a key. Servers may not ask for these in a form.",
  ],
  [
    "default:sampling",
    "The server wants its own text put before the agent's model. What you see is that text, and the answer goes to the server.",
  ],
  [
    "flow:untrusted-write",
    "The agent has read text from a place where anyone can write, and this tool may change or send something.",
  ],
  [
    "managed:*",
    "Your organisation has set rules that navra cannot read, so it lets nothing pass. Ask whoever manages this browser.",
  ],
  ["default:read", "The tool only reads, and you connected it."],
  ["default:read ask", "The tool only reads, and your default is to ask before every tool."],
  ["default:read deny", "No rule of yours allows this tool, and your default is to allow none."],
  ["default:other deny", "The tool may change or send something, and your default is to allow none that does."],
  ["default:other allow", "Your default is to allow tools that change or send something."],
  ["default:resource", "The application picked this resource, and you connected it."],
  ["default:app", "A server’s app would run in this page, so it is yours to decide."],
  ["default:prompt", "A prompt is something you pick, and you connected the site."],
  ["default:other", "The tool may change or send something, and no rule of yours speaks of it."],
  ["default:method", "No rule of yours speaks of this."],
  ["default:reply", "No rule of yours holds the answer back."],
  ["default:event", "No rule of yours holds the notification back."],
  ["default:list", "No rule of yours hides it."],
]);

function actOf(rule: Rule, names: Readonly<Record<string, string>>): string {
  const site = siteOf(rule.when);
  const thing = thingOf(rule.when, names);
  const [phase] = rule.on;
  if (rule.on.length === 1 && phase) return SINGLE[phase](rule.verdict, site, thing);
  const every = rule.on.map((one, index) =>
    index === 0 ? SINGLE[one](rule.verdict, site, thing) : lower(SINGLE[one](rule.verdict, site, thing)),
  );
  return every.join("; ");
}

type Wording = (verdict: Verdict, site: string, thing: string) => string;

const SINGLE: Readonly<Record<Phase, Wording>> = {
  request: (verdict, site, thing) => {
    if (verdict === "allow") return `Allow ${site} to use ${thing}`;
    return verdict === "ask" ? `Ask before ${site} uses ${thing}` : `Never let ${site} use ${thing}`;
  },
  reply: (verdict, site, thing) => {
    if (verdict === "allow") return `Give ${site} answers from ${thing}`;
    return verdict === "ask"
      ? `Ask before ${site} gets answers from ${thing}`
      : `Withhold answers from ${thing} to ${site}`;
  },
  event: (verdict, site, thing) =>
    verdict === "allow" ? `Pass notifications from ${thing} to ${site}` : `Drop notifications from ${thing} to ${site}`,
  list: (verdict, site, thing) => (verdict === "allow" ? `Show ${thing} to ${site}` : `Hide ${thing} from ${site}`),
};

function siteOf(when: When): string {
  const site = when.origin ? words(when.origin.map(host), "or") : "any site";
  return when.topSite ? `${site} inside ${words(when.topSite.map(host), "or")}` : site;
}

/** `https://chat.example` is chat.example to a person; http and ports stay visible. */
function host(origin: string): string {
  return origin.startsWith("https://") ? origin.slice("https://".length) : origin;
}

function thingOf(when: When, names: Readonly<Record<string, string>>): string {
  const server =
    when.server &&
    words(
      when.server.map((id) => (Object.hasOwn(names, id) ? (names[id] ?? id) : "a removed server")),
      "or",
    );
  const named =
    (when.tool && words(when.tool, "or")) ??
    (when.prompt && `the prompt ${words(when.prompt, "or")}`) ??
    (when.uri && `the resource ${words(when.uri, "or")}`);
  const tools =
    named ??
    (when.class &&
      words(
        when.class.map((name) => CLASS_WORDS[name]),
        "or",
      ));
  const both =
    when.tool && when.class
      ? `${tools} (${words(
          when.class.map((name) => CLASS_WORDS[name]),
          "or",
        )})`
      : tools;
  const methods = when.method ? words(when.method, "or") : undefined;
  const what = both && methods ? `${both} through ${methods}` : (both ?? methods);
  if (what === undefined) return server ?? "any server";
  return server === undefined ? what : `${what} of ${server}`;
}

function obligationsOf(obligations: Obligations | undefined): string {
  if (!obligations) return "";
  const { redact, rate, grant, timeout, say } = obligations;
  const parts: string[] = [];
  if (redact) parts.push(`hide ${words(redact, "and")}`);
  if (rate !== undefined) parts.push(`at most ${rate.replace("/", " per ")}`);
  if (grant === "once") parts.push("ask every time");
  if (grant === "values") parts.push("remember the answer for the same values at most");
  if (grant === "session") parts.push("remember the answer for the session at most");
  if (timeout !== undefined) parts.push(`give the server ${timeout} seconds`);
  if (say !== undefined) parts.push("tell the agent why");
  return parts.length === 0 ? "" : `and ${words(parts, "and")}`;
}

function expiryOf(expires: string | undefined): string {
  return expires === undefined ? "" : `until ${expires}`;
}

function lower(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}
