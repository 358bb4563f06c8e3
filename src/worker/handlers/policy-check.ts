/** What there is to say about rules nobody has saved yet: what is odd, what becomes wider, what would have ended otherwise. */
import type { PolicyCheck } from "../../bridge/policy-api.ts";
import type { Gateway } from "../../core/gateway.ts";
import { diff } from "../../core/policy/diff.ts";
import type { PolicyState } from "../../core/policy/history.ts";
import { readJsonText } from "../../core/policy/json-text.ts";
import { lint } from "../../core/policy/lint.ts";
import type { Annotations } from "../../core/policy/policy.ts";
import type { RuleProblem } from "../../core/policy/problem.ts";
import { impact, type SimulateOptions } from "../../core/policy/simulate.ts";
import { lineOf } from "../../core/policy/text.ts";

/** How many calls a change is tried on. */
const CALLS = 500;
const SHOWN = 50;

export const NOTHING_TO_SAY: PolicyCheck = { problems: [], notes: [], impact: null, differences: [] };

/** A server that comes with the rules and is not registered yet. */
type Coming = readonly { readonly id: string; readonly name: string }[];

export interface Checked {
  readonly next: PolicyState;
  /** Keeps the notes to one rule. */
  readonly about?: string;
  /** Where the rules were written, for the lines of the notes; `at` points to them in it. */
  readonly text?: { readonly text: string; readonly at: string };
  readonly coming?: Coming;
}

export function checkPolicy(gateway: Gateway, checked: Checked): PolicyCheck {
  const { next } = checked;
  const { rules, registry, records } = gateway;
  const before = { default: rules.head().default, rules: rules.rules() };
  const after = { default: next.head.default, rules: next.rules };
  const serverNames = Object.fromEntries(registry.list().map(({ id, name }) => [id, name]));
  const found = impact(
    { before: rules.compiled(), after: rules.compiledWith(next) },
    records.recent(CALLS),
    simulation(gateway),
  );
  return {
    problems: [],
    notes: notesOn(gateway, checked),
    impact: {
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
    },
    differences: diff(before, after, { serverNames }).differences,
  };
}

function notesOn({ registry }: Gateway, { next, about, text, coming = [] }: Checked): readonly RuleProblem[] {
  const servers = [...registry.list(), ...coming];
  const found = lint(
    { default: next.head.default, rules: next.rules },
    {
      servers,
      catalogues: registry.list().flatMap(({ id }) => registry.catalogue(id) ?? []),
      now: Date.now(),
      utcOffsetMinutes: -new Date().getTimezoneOffset(),
    },
  );
  const places = new Map(next.rules.map(({ id }, place) => [id, place]));
  const lines = text && linesOf(text.text);
  return found
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

export function simulation({ registry }: Gateway): SimulateOptions {
  return {
    utcOffsetMinutes: -new Date().getTimezoneOffset(),
    annotationsOf: (serverId, tool) => {
      const definition = registry.catalogue(serverId)?.tools.find(({ name }) => name === tool);
      return definition?.value.annotations as Annotations | undefined;
    },
  };
}
