/** One rule as a form: what happens, where it holds, and what it leaves behind. What has no field is left to the text. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Choice } from "../shared/choice.tsx";
import { t } from "../shared/text.ts";
import { type DraftRule, otherClauses, without, withWords, wordsAt } from "./rule-draft.ts";

interface RuleFieldsProps {
  readonly rule: DraftRule;
  readonly servers: readonly string[];
  readonly tools: readonly string[];
  /** Changes the rule as it is then: two quick changes never undo one another. */
  readonly onChange: (change: (rule: DraftRule) => DraftRule) => void;
}

const VERDICTS = ["allow", "ask", "deny"] as const;
const MODES = ["enforce", "audit", "off"] as const;
const PHASES = ["request", "reply", "event", "list"] as const;

export function RuleFields({ rule, servers, tools, onChange }: RuleFieldsProps): JSX.Element {
  const set = (name: string, value: unknown) =>
    onChange((now) => (value === "" ? without(now, name) : { ...now, [name]: value }));
  const more = otherClauses(rule);
  return (
    <form class="rule-form" aria-label={t("dash_form")} onSubmit={(event) => event.preventDefault()}>
      <Field
        id="form-note"
        label={t("dash_form_note")}
        value={text(rule.note)}
        onInput={(value) => set("note", value)}
      />
      <div class="row wrap">
        <Choice
          label={t("dash_form_verdict")}
          names={VERDICTS}
          chosen={oneOf(VERDICTS, rule.verdict, "ask")}
          word={(verdict) => t(`popup_verdict_${verdict}`)}
          onChoose={(verdict) => set("verdict", verdict)}
        />
        <Choice
          label={t("dash_form_mode")}
          names={MODES}
          chosen={oneOf(MODES, rule.mode, "enforce")}
          word={(mode) => t(`dash_mode_${mode}`)}
          onChoose={(mode) => set("mode", mode)}
        />
      </div>
      {words(["when", "tool"], t("dash_form_tool_hint"), tools)}
      {words(["when", "server"], t("dash_form_any_server"), servers)}
      {words(["when", "origin"], t("dash_form_any_site"))}
      {words(["when", "findings"], t("dash_form_findings_hint"))}
      {words(["do", "redact"], t("dash_form_redact_hint"))}
      <fieldset class="row wrap">
        <legend class="label">{t("dash_form_on")}</legend>
        {PHASES.map((phase) => (
          <label key={phase} class="check">
            <input
              type="checkbox"
              checked={phases(rule).includes(phase)}
              onChange={(event) => {
                const on = event.currentTarget.checked;
                onChange((now) => ({ ...now, on: toggled(phases(now), phase, on) }));
              }}
            />
            <span>{t(`dash_form_on_${phase}`)}</span>
          </label>
        ))}
      </fieldset>
      <div class="row wrap">
        <Field
          id="form-priority"
          label={t("dash_col_priority")}
          type="number"
          value={text(rule.priority)}
          onInput={(value) => set("priority", value === "" ? "" : Number(value))}
        />
        <Field
          id="form-expires"
          label={t("dash_form_expires")}
          type="date"
          value={text(rule.expires)}
          onInput={(value) => set("expires", value)}
        />
      </div>
      {more.length > 0 && <p class="hint">{t("dash_form_more", more.join(", "))}</p>}
    </form>
  );

  function words(path: readonly [string, string], hint: string, known: readonly string[] = []): JSX.Element {
    return (
      <Field
        id={`form-${path[1]}`}
        label={t(`dash_form_${path[1]}`)}
        value={wordsAt(rule, path)}
        hint={hint}
        known={known}
        list
        onInput={(value) => onChange((now) => withWords(now, path, value))}
      />
    );
  }
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly type?: "text" | "number" | "date";
  readonly hint?: string;
  readonly known?: readonly string[];
  /** Words with commas between them. */
  readonly list?: boolean;
  readonly onInput: (value: string) => void;
}

function Field(props: FieldProps): JSX.Element {
  const { id, label, value, type = "text", hint, known = [], list = false, onInput } = props;
  // A list is read as it is typed, and stays as it was typed until its field is left: a comma may come before its next word.
  const [typed, setTyped] = useState<string>();
  const leave = () => setTyped(undefined);
  return (
    <div class="field grow">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="in in-s"
        type={type}
        value={typed ?? value}
        placeholder={hint}
        list={known.length > 0 ? `${id}-known` : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          if (list) setTyped(event.currentTarget.value);
          onInput(event.currentTarget.value);
        }}
        onBlur={leave}
      />
      {known.length > 0 && (
        <datalist id={`${id}-known`}>
          {known.map((word) => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
    </div>
  );
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function phases(rule: DraftRule): readonly string[] {
  return Array.isArray(rule.on) ? rule.on.filter((phase) => typeof phase === "string") : [];
}

function toggled(list: readonly string[], phase: string, on: boolean): readonly string[] {
  return PHASES.filter((one) => (one === phase ? on : list.includes(one)));
}

function oneOf<Name extends string>(names: readonly Name[], value: unknown, usual: Name): Name {
  return names.find((name) => name === value) ?? usual;
}
