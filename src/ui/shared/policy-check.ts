/**
 * What there is to say about rules nobody has saved yet: what is odd, what becomes wider, what would have ended otherwise, and
 * what one call would meet. Worked out in the page with the code the worker decides with, from what the worker knows.
 */

import type { Impact, PolicyBasis, PolicyCheck } from "../../bridge/policy-api.ts";
import type { SetLimits } from "../../core/limits.ts";
import { decide } from "../../core/policy/decide.ts";
import { diff } from "../../core/policy/diff.ts";
import { addressProblems, policyOfFile, policyOver, readPolicyFile, serverHere } from "../../core/policy/file.ts";
import type { PolicyState } from "../../core/policy/history.ts";
import { readJsonText } from "../../core/policy/json-text.ts";
import { lint } from "../../core/policy/lint.ts";
import { compileBoth, managedLayer } from "../../core/policy/managed.ts";
import { parseRule } from "../../core/policy/parse.ts";
import type { Annotations, Decision, Facts, PolicyDocument, Rule } from "../../core/policy/policy.ts";
import type { RuleProblem } from "../../core/policy/problem.ts";
import { factsOf } from "../../core/policy/record-facts.ts";
import { impact, type SimulateOptions } from "../../core/policy/simulate.ts";
import { lineOf } from "../../core/policy/text.ts";
import { type TracedRule, trace } from "../../core/policy/trace.ts";
import { typedPolicy } from "../../core/policy/typed.ts";
import type { RecordEntry } from "../../core/recorder/entry.ts";

/** What a file would bring. */
export interface FileCheck extends PolicyCheck {
  readonly servers: readonly { readonly name: string; readonly url: string; readonly known: boolean }[];
  readonly rules: number;
  /** These take the place of all limits that were set. */
  readonly limits?: SetLimits;
}

/** What is wrong with rules that take more to see than the worker has, with pointers into their list. */
export type BeyondParsing = (rules: readonly Rule[]) => readonly RuleProblem[];

export interface Tried {
  readonly decision: Decision;
  readonly rules: readonly TracedRule[];
}

export function checkRule(basis: PolicyBasis, input: unknown): PolicyCheck {
  const { rule, problems } = parseRule(input);
  if (!rule) return { ...NOTHING_TO_SAY, problems };
  const { head, rules } = basis.policy;
  const next = { head, rules: [...rules.filter(({ id }) => id !== rule.id), rule] };
  return checkPolicy(basis, { next, about: rule.id });
}

export function checkText(basis: PolicyBasis, text: string, beyond: BeyondParsing): PolicyCheck {
  const { next, problems, at } = typedPolicy(text, { head: basis.policy.head, servers: basis.servers });
  if (problems.length > 0) return { ...NOTHING_TO_SAY, problems };
  const found = beyond(next.rules).map((problem) => ({ ...problem, path: `${at}${problem.path}` }));
  if (found.length === 0) return checkPolicy(basis, { next, text: { text, at } });
  const lines = linesOf(text);
  return { ...NOTHING_TO_SAY, problems: found.map((one) => (lines ? { ...one, line: lineOf(one.path, lines) } : one)) };
}

/** A whole policy in place of the person's. */
export function checkDocument(basis: PolicyBasis, { rules, default: row, profile }: PolicyDocument): PolicyCheck {
  const head = { default: row, ...(profile === undefined ? {} : { profile }) };
  return checkPolicy(basis, { next: { head, rules } });
}

/** With stand-ins for the servers that are not here yet. */
export function checkFile(basis: PolicyBasis, text: string, beyond: BeyondParsing): FileCheck {
  const file = readPolicyFile(text);
  if ("problems" in file) return { ...NOTHING_TO_SAY, problems: file.problems, servers: [], rules: 0 };
  const found = file.servers.map(({ name, url }) => ({ name, url, here: serverHere(url, basis.servers) }));
  const named = found.map(({ name, here }) => ({ name, id: here?.id ?? `new:${name}` }));
  const servers = found.map(({ name, url, here }) => ({ name, url, known: here !== undefined }));
  const read = policyOfFile(file, named);
  const problems = [
    ...addressProblems(file),
    ...("problems" in read
      ? read.problems
      : beyond(read.policy.rules).map((one) => ({ ...one, path: `/policy/rules${one.path}` }))),
  ];
  if ("problems" in read || problems.length > 0) return { ...NOTHING_TO_SAY, problems, servers, rules: 0 };
  const next = policyOver(basis.policy.rules, read.policy);
  const limits = file.limits === undefined ? {} : { limits: file.limits };
  return { ...checkPolicy(basis, { next, coming: named }), servers, rules: read.policy.rules.length, ...limits };
}

/** Rules beside one call, those in force or those of a text that is not saved: a sentence where it cannot be tried. */
export function tryFacts(basis: PolicyBasis, facts: Facts, text: string | undefined): Tried | string {
  const { head } = basis.policy;
  const typed = text === undefined ? undefined : typedPolicy(text, { head, servers: basis.servers });
  if (typed && typed.problems.length > 0) return "The rules have problems. Solve them first, then try them.";
  const tried = typed?.next ?? basis.policy;
  const managed = managedLayer(basis.managed);
  return {
    decision: decide(compileBoth(tried, basis.managed), facts),
    rules: trace({ rules: tried.rules, managed, serverNames: serverNames(basis) }, facts),
  };
}

export function recordFacts(basis: PolicyBasis, entry: RecordEntry): Facts {
  return factsOf(entry, "request", simulation(basis));
}

const SHOWN = 50;
const NOTHING_TO_SAY: PolicyCheck = { problems: [], notes: [], impact: null, differences: [] };

interface Checked {
  readonly next: PolicyState;
  /** Keeps the notes to one rule. */
  readonly about?: string;
  /** Where the rules were written, for the lines of the notes; `at` points to them in it. */
  readonly text?: { readonly text: string; readonly at: string };
  /** Servers that come with the rules and are not registered yet. */
  readonly coming?: readonly { readonly id: string; readonly name: string }[];
}

function checkPolicy(basis: PolicyBasis, checked: Checked): PolicyCheck {
  const { policy } = basis;
  const { next } = checked;
  const before = { default: policy.head.default, rules: policy.rules };
  const after = { default: next.head.default, rules: next.rules };
  return {
    problems: [],
    notes: notesOn(basis, checked),
    impact: impactOf(basis, next),
    differences: diff(before, after, { serverNames: { ...serverNames(basis), ...names(checked.coming ?? []) } })
      .differences,
  };
}

function impactOf(basis: PolicyBasis, next: PolicyState): Impact {
  const before = compileBoth(basis.policy, basis.managed);
  const found = impact({ before, after: compileBoth(next, basis.managed) }, basis.calls, simulation(basis));
  return {
    of: found.calls,
    count: found.changed.length,
    changed: found.changed.slice(0, SHOWN).map(({ record, before: was, after: is }) => ({
      seq: record.seq,
      at: record.at,
      origin: record.principal.origin,
      serverName: record.serverName,
      method: record.method,
      ...(record.tool === undefined ? {} : { tool: record.tool }),
      before: was.verdict,
      after: is.verdict,
      why: is.reasons[0]?.sentence ?? "",
    })),
  };
}

function notesOn(basis: PolicyBasis, { next, about, text, coming = [] }: Checked): readonly RuleProblem[] {
  const live = {
    servers: [...basis.servers, ...coming],
    catalogues: basis.catalogues,
    now: Date.now(),
    utcOffsetMinutes: offset(),
  };
  const places = new Map(next.rules.map(({ id }, place) => [id, place]));
  const lines = text && linesOf(text.text);
  return lint({ default: next.head.default, rules: next.rules }, live)
    .filter(({ rule }) => about === undefined || rule === about)
    .map(({ rule, path, message, remedy }) => {
      const whole = `${text?.at ?? ""}/${places.get(rule) ?? 0}${path}`;
      return { path: lines ? whole : path, message, remedy, ...(lines ? { line: lineOf(whole, lines) } : {}) };
    });
}

function linesOf(text: string): ReadonlyMap<string, number> | undefined {
  const read = readJsonText(text);
  return "lines" in read ? read.lines : undefined;
}

function simulation({ catalogues }: PolicyBasis): SimulateOptions {
  return {
    utcOffsetMinutes: offset(),
    annotationsOf: (serverId, tool) => {
      const tools = catalogues.find((catalogue) => catalogue.serverId === serverId)?.tools;
      return tools?.find(({ name }) => name === tool)?.value.annotations as Annotations | undefined;
    },
  };
}

function serverNames({ servers }: PolicyBasis): Readonly<Record<string, string>> {
  return names(servers);
}

function names(servers: readonly { readonly id: string; readonly name: string }[]): Readonly<Record<string, string>> {
  return Object.fromEntries(servers.map(({ id, name }) => [id, name]));
}

function offset(): number {
  return -new Date().getTimezoneOffset();
}
