/** The conditions of a rule in words: what has to be so for it to hold, beyond who does what with what. */
import type { ToolClass } from "../servers/server.ts";
import type {
  Annotations,
  ArgumentCondition,
  LabelsClause,
  Range,
  Rule,
  TimeClause,
  UrlShape,
  When,
} from "./policy.ts";

type Names = Readonly<Record<string, string>>;

export const CLASS_WORDS: Readonly<Record<ToolClass, string>> = {
  read: "tools that read",
  write: "tools that change something",
  external: "tools that send data out",
};

/** `when … and …`, or nothing. */
export function conditionWords({ when, verdict }: Rule, names: Names): string {
  const parts = [
    ...placeParts(when),
    ...Object.entries(when.args ?? {}).map(
      ([pointer, condition]) =>
        `${pointer === "" ? "the arguments" : `“${pointer.slice(1).replaceAll("/", " › ")}”`} ${testWords(condition, false)}`,
    ),
    ...annotationParts(when.annotations),
    ...labelParts(when.labels, verdict === "allow", names),
    ...(when.findings ? [`${words(when.findings, "or")} is found`] : []),
    ...sizeParts(when),
    ...timeParts(when.time),
    ...pastParts(when, names),
  ];
  return parts.length === 0 ? "" : `when ${parts.join(" and ")}`;
}

export function words(items: readonly string[], last: "or" | "and"): string {
  if (items.length <= 1) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${last} ${items[items.length - 1] ?? ""}`;
}

function placeParts({ frame, private: isPrivate, direction, era, pin }: When): readonly string[] {
  const parts: string[] = [];
  if (frame) parts.push(frame === "top" ? "the site has the whole tab" : "the site is inside another site's page");
  if (isPrivate !== undefined) parts.push(isPrivate ? "the window is private" : "the window is not private");
  if (direction) parts.push(direction === "out" ? "the agent asks the server" : "the server asks the agent");
  if (era)
    parts.push(era === "modern" ? "the protocol is of 2026-07-28 or newer" : "the protocol is older than 2026-07-28");
  if (pin)
    parts.push(
      `the tool is ${words(
        pin.map((state) => PIN_WORDS[state]),
        "or",
      )}`,
    );
  return parts;
}

const PIN_WORDS = {
  approved: "as you approved it",
  changed: "changed since you approved it",
  new: "one you never approved",
  none: "not a tool",
} as const;

function testWords(condition: ArgumentCondition, negated: boolean): string {
  if ("not" in condition) return testWords(condition.not, !negated);
  const does = (yes: string, no: string): string => (negated ? no : yes);
  if ("exists" in condition) return condition.exists === !negated ? "is there" : "is not there";
  if ("equals" in condition) return `${does("is", "is not")} ${JSON.stringify(condition.equals)}`;
  if ("pattern" in condition) return `${does("matches", "does not match")} ${condition.pattern}`;
  if ("range" in condition) return `${does("is", "is not")} ${rangeWords(condition.range)}`;
  if ("url" in condition) return `${does("is", "is not")} an address ${urlWords(condition.url)}`;
  if ("path" in condition) return `${does("is", "is not")} inside ${words(condition.path.inside, "or")}`;
  return `${does("fits", "does not fit")} the schema ${JSON.stringify(condition.schema)}`;
}

function rangeWords({ atLeast, above, atMost, below }: Range): string {
  const parts: string[] = [];
  if (atLeast !== undefined) parts.push(`at least ${atLeast}`);
  if (above !== undefined) parts.push(`above ${above}`);
  if (atMost !== undefined) parts.push(`at most ${atMost}`);
  if (below !== undefined) parts.push(`below ${below}`);
  return words(parts, "and");
}

function urlWords({ scheme, host, net }: UrlShape): string {
  const parts: string[] = [];
  if (scheme) parts.push(`with ${words(scheme, "or")}`);
  if (host) parts.push(`at ${words(host, "or")}`);
  if (net) parts.push(`in a ${words(net, "or")} network`);
  return parts.join(" ");
}

function annotationParts(annotations: Annotations | undefined): readonly string[] {
  if (!annotations) return [];
  return Object.entries(annotations).map(([hint, value]) => `the server says ${hint} is ${value}`);
}

function labelParts(labels: LabelsClause | undefined, widens: boolean, names: Names): readonly string[] {
  if (!labels) return [];
  const { integrity, confidentiality, sources } = labels;
  const parts: string[] = [];
  if (integrity === "untrusted") parts.push("the agent has read text from outside");
  if (integrity === "trusted") parts.push("the agent has read nothing from outside");
  if (confidentiality) parts.push(`the data is ${confidentiality} or ${widens ? "less" : "more"} confidential`);
  if (sources === "other") parts.push("the agent has read from another server");
  else if (sources) parts.push(`the agent has read from ${serverWords(sources, names)}`);
  return parts;
}

function serverWords(ids: readonly string[], names: Names): string {
  return words(
    ids.map((id) => (Object.hasOwn(names, id) ? (names[id] ?? id) : "a removed server")),
    "or",
  );
}

function sizeParts({ size }: When): readonly string[] {
  const parts: string[] = [];
  if (size?.over !== undefined) parts.push(`the message is over ${size.over} bytes`);
  if (size?.under !== undefined) parts.push(`the message is under ${size.under} bytes`);
  return parts;
}

function timeParts(time: TimeClause | undefined): readonly string[] {
  if (!time) return [];
  const { days, from, to } = time;
  const hours = [from === undefined ? "" : `from ${from}`, to === undefined ? "" : `to ${to}`]
    .filter(Boolean)
    .join(" ");
  return [[`it is ${days ? words(days, "or") : ""}`.trim(), hours].filter(Boolean).join(" ")];
}

function pastParts({ rate, after, inARow, refusals }: When, names: Names): readonly string[] {
  const parts: string[] = [];
  if (rate) parts.push(`the site made ${rate.over.replace("/", " calls per ")} ${OF_WORDS[rate.of]}`);
  if (after) {
    const what = after.tool
      ? `used ${words(after.tool, "or")}`
      : after.class
        ? `used ${words(
            after.class.map((one) => CLASS_WORDS[one]),
            "or",
          )}`
        : "called something";
    const where = after.server ? ` of ${serverWords(after.server, names)}` : "";
    parts.push(`the site ${what}${where} within ${after.within}`);
  }
  if (inARow !== undefined) parts.push(`it would be more than ${inARow} of the same in a row`);
  if (refusals) parts.push(`${refusals.atLeast} calls were refused within ${refusals.within}`);
  return parts;
}

const OF_WORDS = { tool: "of this tool", server: "to this server", site: "in all" } as const;
