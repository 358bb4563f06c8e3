/**
 * Where a page checks and tries rules: it asks the worker once for what that needs, and again after news. The checking itself
 * is loaded only when somebody edits rules, so that a page opens as quickly without it.
 */
import { useEffect, useMemo } from "preact/hooks";
import type { MadeUpCall, PolicyBasis, PolicyCheck, TriedCall } from "../../bridge/policy-api.ts";
import type { PolicyDocument } from "../../core/policy/policy.ts";
import type { ControlClient } from "../../platform/door.ts";
import type { FileCheck, Tried } from "./policy-check.ts";

export interface PolicyDesk {
  checkRule(rule: unknown): Promise<PolicyCheck>;
  checkText(text: string): Promise<PolicyCheck>;
  checkDocument(document: PolicyDocument): Promise<PolicyCheck>;
  checkFile(text: string): Promise<FileCheck>;
  /** Rejects with a sentence where it cannot be tried. `text`: rules that are not saved yet. */
  tryCall(call: TriedCall, text: string | undefined): Promise<Tried>;
  /** What the worker said is no longer so. */
  forget(): void;
}

/** For components: one desk, which forgets as soon as the worker tells of news. */
export function usePolicyDesk(client: ControlClient): PolicyDesk {
  const desk = useMemo(() => createPolicyDesk((method, params) => client.call(method, params)), [client]);
  useEffect(() => client.onNews(() => desk.forget()), [client, desk]);
  return desk;
}

/** How long what the worker said is good for, in milliseconds; typing asks for it again and again. */
const FRESH_MS = 2_000;

export function createPolicyDesk(ask: ControlClient["call"]): PolicyDesk {
  let known: { readonly at: number; readonly basis: Promise<PolicyBasis> } | undefined;
  const fresh = (): Promise<PolicyBasis> => {
    const now = Date.now();
    if (known && now - known.at < FRESH_MS) return known.basis;
    const basis = ask("policy.read", null);
    known = { at: now, basis };
    basis.catch(() => {
      known = undefined;
    });
    return basis;
  };
  const checking = async () => ({ checks: await import("./policy-check.ts"), basis: await fresh() });
  const madeUp = async (call: MadeUpCall) => {
    const answer = await ask("facts.read", call);
    if ("problem" in answer) throw new Error(answer.problem);
    return answer.facts;
  };
  return {
    async checkRule(rule) {
      const { checks, basis } = await checking();
      return checks.checkRule(basis, rule);
    },
    async checkText(text) {
      const [{ checks, basis }, { sharedWildcards }] = await Promise.all([checking(), import("./public-suffix.ts")]);
      return checks.checkText(basis, text, sharedWildcards);
    },
    async checkDocument(document) {
      const { checks, basis } = await checking();
      return checks.checkDocument(basis, document);
    },
    async checkFile(text) {
      const [{ checks, basis }, { sharedWildcards }] = await Promise.all([checking(), import("./public-suffix.ts")]);
      return checks.checkFile(basis, text, sharedWildcards);
    },
    async tryCall(call, text) {
      const { checks, basis } = await checking();
      const facts = "seq" in call ? checks.recordFacts(basis, await recordOf(ask, call.seq)) : await madeUp(call);
      const tried = checks.tryFacts(basis, facts, text);
      if (typeof tried === "string") throw new Error(tried);
      return tried;
    },
    forget() {
      known = undefined;
    },
  };
}

async function recordOf(ask: ControlClient["call"], seq: number) {
  const { entries } = await ask("records.page", { before: seq + 1, limit: 1 });
  const [entry] = entries;
  if (entry?.seq !== seq) throw new Error("This record is no longer kept. Choose another call.");
  return entry;
}
