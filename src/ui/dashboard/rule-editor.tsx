/**
 * The rules as form and text side by side, both over one draft. Nothing is stored until Save, and then at once or not at
 * all; meanwhile what is wrong, odd or wider stands beneath, line by line, with what it would have done to past calls.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { PolicyCheck } from "../../bridge/policy-api.ts";
import type { ControlClient } from "../../platform/door.ts";
import { useAct } from "../shared/act.ts";
import { Icon } from "../shared/icon.tsx";
import { usePolicyDesk } from "../shared/policy-desk.ts";
import { RuleCheck, useCheck } from "../shared/rule-check.tsx";
import { t, tn } from "../shared/text.ts";
import { LinedText, type LinedTextHandle } from "./lined-text.tsx";
import { Problem } from "./problem.tsx";
import { type DraftRule, lineOfRule, readDraft, writeDraft } from "./rule-draft.ts";
import { RuleFields } from "./rule-fields.tsx";
import { RuleImpact } from "./rule-impact.tsx";
import { RuleTester } from "./rule-tester.tsx";

interface RuleEditorProps {
  readonly client: ControlClient;
  /** As stored now. */
  readonly text: string;
  /** The id of the rule that was asked for; empty for none. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly servers: readonly { readonly id: string; readonly name: string; readonly tools: readonly string[] }[];
  readonly onChanged: () => void;
}

export function RuleEditor({ client, text, chosen, onChoose, servers, onChanged }: RuleEditorProps): JSX.Element {
  const act = useAct(onChanged);
  const desk = usePolicyDesk(client);
  const base = useSignal(text);
  const typed = useSignal(text);
  const saved = useSignal(false);
  const field = useRef<LinedTextHandle>(null);
  const changed = typed.value !== base.value;
  const stale = changed && text !== base.value;
  const rules = readDraft(typed.value);
  const check = useCheck(typed.value, () => desk.checkText(typed.peek()));
  const bad = check?.problems ?? [];

  useEffect(() => {
    if (typed.peek() !== base.peek()) return;
    base.value = text;
    typed.value = text;
  }, [text]);
  useEffect(() => {
    const rule = rules?.find(({ id }) => id === chosen);
    const line = rule && lineOfRule(typed.peek(), rule);
    if (line !== undefined) field.current?.goTo(line);
  }, [chosen]);

  const type = (value: string) => {
    typed.value = value;
    saved.value = false;
  };
  const edit = (place: number, change: (rule: DraftRule) => DraftRule | undefined) => {
    const rule = readDraft(typed.peek())?.[place];
    if (rule) type(writeDraft(typed.peek(), place, change(rule)));
  };
  const add = (rule: DraftRule) => type(writeDraft(typed.peek(), readDraft(typed.peek())?.length ?? 0, rule));
  const save = () =>
    act.run(async () => {
      const sent = typed.peek();
      // What is shown may be of the text before the last key; the worker does not know every shared suffix.
      const { problems: seen } = await desk.checkText(sent);
      const { problems } = seen.length > 0 ? { problems: seen } : await client.call("rules.write", { text: sent });
      if (problems.length > 0) throw new Error(tn("dash_problems", problems.length));
      base.value = sent;
      saved.value = true;
    });
  const revert = () => {
    base.value = text;
    typed.value = text;
  };

  return (
    <>
      <section class="editor" aria-labelledby="rules-as-text">
        <header class="editor-head">
          <h2 id="rules-as-text">{t("dash_rules_text")}</h2>
          <span class="hint grow">{t("dash_rules_text_note")}</span>
        </header>
        <div class="editor-cols">
          <Form rules={rules} chosen={chosen} servers={servers} onEdit={edit} onAdd={add} onChoose={onChoose} />
          <LinedText
            label={t("dash_rules_text")}
            value={typed.value}
            bad={bad.flatMap(({ line }) => (line === undefined ? [] : [line]))}
            handle={field}
            onInput={type}
            onSave={save}
          />
        </div>
        <div class="editor-check">
          <RuleCheck check={changed ? check : onlyNotes(check)} onGo={(line) => field.current?.goTo(line)} />
        </div>
        <Problem act={act} />
        <footer class="editor-foot">
          <span class="grow" role="status">
            {bad.length > 0 && <span class="bad">{tn("dash_problems", bad.length)}</span>}
            {stale && bad.length === 0 && <span class="warn">{t("dash_rules_stale")}</span>}
            {saved.value && !changed && <span class="dim">{t("dash_rules_saved")}</span>}
          </span>
          <button type="button" class="btn" disabled={!changed || act.busy} onClick={revert}>
            {t("dash_revert")}
          </button>
          <button
            type="button"
            class="btn btn-main"
            data-act="save"
            disabled={!changed || act.busy || bad.length > 0}
            onClick={save}
          >
            {t("dash_save")}
          </button>
        </footer>
      </section>
      <div class="cols cols-11">
        <RuleImpact impact={check?.impact ?? null} changed={changed} />
        <RuleTester client={client} desk={desk} text={changed ? typed.value : undefined} servers={servers} />
      </div>
    </>
  );
}

/** Of rules that are as they are stored there is nothing to compare. */
function onlyNotes(check: PolicyCheck | undefined): PolicyCheck | undefined {
  return check && { ...check, impact: null, differences: [] };
}

interface FormProps {
  readonly rules: readonly DraftRule[] | undefined;
  readonly chosen: string;
  readonly servers: RuleEditorProps["servers"];
  readonly onEdit: (place: number, change: (rule: DraftRule) => DraftRule | undefined) => void;
  readonly onAdd: (rule: DraftRule) => void;
  readonly onChoose: (id: string) => void;
}

function Form({ rules, chosen, servers, onEdit, onAdd, onChoose }: FormProps): JSX.Element {
  if (!rules) return <p class="hint editor-form">{t("dash_form_not_json")}</p>;
  const place = Math.max(
    0,
    rules.findIndex(({ id }) => id === chosen),
  );
  const rule = rules[place];
  const add = () => {
    const id = `rule-${crypto.randomUUID().slice(0, 8)}`;
    onAdd({ id, verdict: "ask", priority: 50, on: ["request"], when: {}, mode: "enforce" });
    onChoose(id);
  };
  return (
    <div class="editor-form">
      <div class="row">
        {rule && (
          <select
            class="in in-s grow"
            aria-label={t("dash_form_rule")}
            value={String(rule.id)}
            onChange={(event) => onChoose(event.currentTarget.value)}
          >
            {rules.map((one, at) => (
              <option key={at} value={String(one.id)}>
                {String(one.note ?? one.id)}
              </option>
            ))}
          </select>
        )}
        <button type="button" class="btn btn-s" data-act="add" onClick={add}>
          <Icon name="plus" />
          {t("dash_form_add")}
        </button>
      </div>
      {rule && (
        <>
          <RuleFields
            rule={rule}
            servers={servers.map(({ name }) => name)}
            tools={servers.flatMap(({ tools }) => tools)}
            onChange={(change) => onEdit(place, change)}
          />
          <div class="row">
            <Share rule={rule} />
            <span class="grow" />
            <button type="button" class="btn btn-s btn-danger" onClick={() => onEdit(place, () => undefined)}>
              <Icon name="trash" />
              {t("dash_form_remove")}
            </button>
          </div>
        </>
      )}
    </div>
  );
}

/** The rule as text, for somebody else. */
function Share({ rule }: { readonly rule: DraftRule }): JSX.Element {
  const copied = useSignal("");
  const text = JSON.stringify(rule, null, 2);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    copied.value = text;
  };
  return (
    <button type="button" class="btn btn-s" onClick={() => void copy()}>
      <Icon name="copy" />
      <span role="status">{t(copied.value === text ? "dash_form_copied" : "dash_form_copy")}</span>
    </button>
  );
}
