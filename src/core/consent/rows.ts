/**
 * What tables give back, read as if someone else had written it: an older version of navra, or a broken disk. A row that is
 * not whole is left out and removed. That is always safe here: a grant that is gone is a question more, and the agent of a
 * question that is gone has long been told that it was not answered.
 */
import { type Approval, GRANT_SCOPES, type Grant } from "./approval.ts";

export function readGrant(row: unknown): Grant | undefined {
  return isWhole(row, GRANT) ? (row as unknown as Grant) : undefined;
}

export function readApproval(row: unknown): Approval | undefined {
  if (!isWhole(row, APPROVAL)) return undefined;
  const members: Shape | undefined = KINDS[row.kind as keyof typeof KINDS];
  return members && isWhole(row, members) ? (row as unknown as Approval) : undefined;
}

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === "string";
const moment: Check = (value) => Number.isFinite(value);
const count: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const yesNo: Check = (value) => typeof value === "boolean";
const scope: Check = (value) => GRANT_SCOPES.some((one) => one === value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const shaped =
  (shape: Shape): Check =>
  (value) =>
    isWhole(value, shape);
const list =
  (shape: Shape): Check =>
  (value) =>
    Array.isArray(value) && value.every(shaped(shape));
const or =
  (empty: null | undefined, check: Check): Check =>
  (value) =>
    value === empty || check(value);

const GRANT: Shape = {
  id: text,
  principalKey: text,
  serverId: text,
  tool: text,
  pinText: text,
  scope,
  digest: or(undefined, text),
  args: or(undefined, shaped({ fixed: (value) => isObject(value) && texts(Object.values(value)), names: texts })),
  rules: texts,
  sources: texts,
  createdAt: moment,
  expiresAt: or(null, moment),
  usesLeft: or(null, count),
  used: count,
};

const APPROVAL: Shape = {
  kind: text,
  id: text,
  principal: shaped({ origin: text, topSite: text, cookieStore: text, private: yesNo }),
  place: shaped({ tabId: moment, frameId: moment, documentId: text }),
  agent: text,
  digest: text,
  createdAt: moment,
  expiresAt: moment,
};

/** An answer that waits for its release is never in the table, nor is a server's question. */
const KINDS: Readonly<Record<Exclude<Approval["kind"], "reply" | "question">, Shape>> = {
  connect: {
    act: yesNo,
    servers: list({
      id: text,
      name: text,
      host: text,
      tools: list({ name: text, title: text, description: text, class: text }),
    }),
  },
  call: {
    callId: text,
    serverId: text,
    serverName: text,
    method: text,
    tool: text,
    class: text,
    argumentsText: text,
    bytes: count,
    argumentsDigest: text,
    labels: shaped({ integrity: text, confidentiality: text, sources: texts }),
    sources: list({ name: text, trust: text }),
    origins: list({ name: text, from: list({ server: text, tool: text, at: moment, kinds: texts }), more: count }),
    findings: list({ kind: text, type: text, path: text }),
    pinText: text,
    reasons: texts,
    rules: texts,
    widest: or(undefined, scope),
  },
};

function isWhole(row: unknown, shape: Shape): row is Record<string, unknown> {
  return isObject(row) && Object.entries(shape).every(([name, check]) => check(row[name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
