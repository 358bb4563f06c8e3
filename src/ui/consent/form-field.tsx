/** One field of a server's form: its words on paper, its box in ours, what is wrong with what stands in it. */
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import type { AnswerFault } from "../../core/elicit/answer.ts";
import type { SecretKind } from "../../core/elicit/flagged.ts";
import type { FormField, ManyField, NumberField, OneField, TextField } from "../../core/elicit/form.ts";
import { Icon } from "../shared/icon.tsx";
import { hiddenCount, reveal } from "../shared/reveal.ts";
import { Said, Slip, spelledOut } from "../shared/said.tsx";
import { formatNumber, t, tx } from "../shared/text.ts";
import { localMoment, NO, sentMoment, YES } from "./form-values.ts";
import { UnseenNote } from "./unseen-note.tsx";

export interface FieldProps {
  readonly field: FormField;
  readonly box: string | readonly string[];
  readonly fault: AnswerFault | undefined;
  readonly onChange: (box: string | readonly string[]) => void;
  /** What it asks for that a server may not ask for in a form. */
  readonly secret: SecretKind | undefined;
  readonly confirmed: boolean;
  readonly onConfirm: (confirmed: boolean) => void;
  readonly serverName: string;
  /** Its place among the parts that must have been seen. */
  readonly part: number;
}

export function FormFieldView(props: FieldProps): JSX.Element {
  const { field, box, fault, secret, confirmed, part } = props;
  const [left, setLeft] = useState(false);
  const id = useId();
  const about = `${id}-about`;
  const shown = fault !== undefined && (left || (fault !== "missing" && box !== "")) ? fault : undefined;
  const grouped = field.kind === "many" || field.kind === "yes-no";
  const Group = grouped ? "fieldset" : "div";
  const Label = grouped ? "legend" : "label";
  const open = secret === undefined || confirmed;
  return (
    <div class="q-field" onFocusOut={() => setLeft(true)}>
      {secret !== undefined && <Flag {...props} secret={secret} />}
      {open && (
        <Group class="field">
          <Label class="label" {...(grouped ? {} : { for: id })}>
            <Said text={field.title === "" ? field.name : field.title} />{" "}
            <span class="faint">{t(field.required ? "consent_form_required" : "consent_form_optional")}</span>
          </Label>
          <Box {...props} id={id} about={about} bad={shown !== undefined} />
          <div id={about} class="q-about">
            {field.description !== "" && (
              <p>
                <Said text={field.description} />
              </p>
            )}
            <Limits field={field} />
            <Unseen box={box} />
            {shown !== undefined && (
              <p class="hint hint-bad">
                <Icon name="warn" />
                <span>{t(`consent_fault_${shown}`)}</span>
              </p>
            )}
          </div>
        </Group>
      )}
      <i class="end-mark" data-part={part} />
    </div>
  );
}

/** Why the field is left out, and the deliberate way to answer it all the same. */
function Flag({ field, secret, confirmed, onConfirm, serverName }: FieldProps & { readonly secret: SecretKind }) {
  const name = <Said text={field.title === "" ? field.name : field.title} />;
  return (
    <div class="banner" data-v={confirmed ? "ask" : "deny"}>
      <Icon name="key" />
      <div>
        <b>{tx(confirmed ? "consent_secret_kept" : "consent_secret_left_out", name)}</b>
        <p>
          {t(`consent_secret_${secret}`)} {t("consent_secret_rule")}
        </p>
        <label class="check">
          <input type="checkbox" checked={confirmed} onChange={(event) => onConfirm(event.currentTarget.checked)} />
          <span>{tx("consent_secret_confirm", <bdi>{serverName}</bdi>)}</span>
        </label>
      </div>
    </div>
  );
}

interface BoxProps extends FieldProps {
  readonly id: string;
  readonly about: string;
  readonly bad: boolean;
}

function Box(props: BoxProps): JSX.Element {
  const { field } = props;
  switch (field.kind) {
    case "text":
      return <TextBox {...props} field={field} />;
    case "number":
      return <NumberBox {...props} />;
    case "yes-no":
      return <YesNoBox {...props} />;
    case "one":
      return <OneBox {...props} field={field} />;
    case "many":
      return <ManyBox {...props} field={field} />;
  }
}

/** A text of more than one line, or one that may be long, gets the room for it. */
const LONG = 200;

function TextBox({ field, box, onChange, secret, ...props }: BoxProps & { readonly field: TextField }): JSX.Element {
  const value = String(box);
  const common = { ...namesOf(props), class: "in", autocomplete: "off", spellcheck: false } as const;
  if (field.format === "date-time") {
    return (
      <>
        <input
          {...common}
          type="datetime-local"
          step="1"
          value={localMoment(value)}
          onInput={(event) => onChange(sentMoment(event.currentTarget.value))}
        />
        {value !== "" && <p class="hint">{tx("consent_form_sent_as", <Said text={value} />)}</p>}
      </>
    );
  }
  if (secret === undefined && field.format === undefined && (value.includes("\n") || (field.maxLength ?? 0) > LONG)) {
    return <textarea {...common} rows={3} value={value} onInput={(event) => onChange(event.currentTarget.value)} />;
  }
  const onInput = (event: { readonly currentTarget: HTMLInputElement }): void => onChange(event.currentTarget.value);
  if (secret !== undefined) return <input {...common} type="password" value={value} onInput={onInput} />;
  if (field.format === "date") return <input {...common} type="date" value={value} onInput={onInput} />;
  const inputMode = field.format === "email" ? "email" : field.format === "uri" ? "url" : "text";
  return <input {...common} type="text" inputMode={inputMode} value={value} onInput={onInput} />;
}

function NumberBox({ box, onChange, ...props }: BoxProps): JSX.Element {
  return (
    <input
      {...namesOf(props)}
      class="in q-number"
      autocomplete="off"
      inputMode="decimal"
      value={String(box)}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function YesNoBox({ field, box, onChange, id, about }: BoxProps): JSX.Element {
  const choices = field.required ? [YES, NO] : [YES, NO, ""];
  return (
    <div class="q-choices" aria-describedby={about}>
      {choices.map((choice) => (
        <label key={choice} class="check">
          <input type="radio" name={id} checked={box === choice} onChange={() => onChange(choice)} />
          <span>{t(`consent_form_${choice === "" ? "no_answer" : choice}`)}</span>
        </label>
      ))}
    </div>
  );
}

function OneBox({ field, box, onChange, ...props }: BoxProps & { readonly field: OneField }): JSX.Element {
  const chosen = field.options.find(({ value }) => value === box);
  return (
    <>
      <select
        {...namesOf(props)}
        class="in in-said"
        value={String(box)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="">{t("consent_form_choose")}</option>
        {field.options.map(({ value, title }) => (
          <option key={value} value={value}>
            {spelledOut(title)}
          </option>
        ))}
      </select>
      {chosen && chosen.title !== chosen.value && (
        <p class="hint">{tx("consent_form_sent_as", <Said text={chosen.value} />)}</p>
      )}
    </>
  );
}

function ManyBox({ field, box, onChange, about }: BoxProps & { readonly field: ManyField }): JSX.Element {
  const ticked = typeof box === "string" ? [] : box;
  return (
    <div class="q-choices" aria-describedby={about}>
      {field.options.map(({ value, title }) => (
        <label key={value} class="check">
          <input
            type="checkbox"
            checked={ticked.includes(value)}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              const kept = field.options.map((option) => option.value);
              onChange(kept.filter((other) => (other === value ? on : ticked.includes(other))));
            }}
          />
          <span>
            <Said text={title} />
            {title !== value && <small>{tx("consent_form_sent_as", <Said text={value} />)}</small>}
          </span>
        </label>
      ))}
    </div>
  );
}

function namesOf({ id, about, bad, field }: Pick<BoxProps, "id" | "about" | "bad"> & { readonly field?: FormField }) {
  return {
    id,
    "aria-describedby": about,
    "aria-invalid": bad,
    ...(field?.required ? { "aria-required": true } : {}),
  };
}

function Limits({ field }: { readonly field: FormField }): JSX.Element | null {
  const words = limitWords(field);
  return words.length === 0 ? null : <p class="hint">{words.join(" ")}</p>;
}

function limitWords(field: FormField): string[] {
  if (field.kind === "number") return numberWords(field);
  if (field.kind === "many") return rangeWords("choices", field.minItems, field.maxItems);
  if (field.kind !== "text") return [];
  const { format, minLength, maxLength } = field;
  const about = format === "email" || format === "uri" ? [t(`consent_limit_${format}`)] : [];
  return [...about, ...rangeWords("letters", minLength, maxLength)];
}

function numberWords({ whole, minimum, maximum, above, below, step }: NumberField): string[] {
  return [
    t(whole ? "consent_limit_whole" : "consent_limit_number"),
    ...rangeWords("range", minimum, maximum),
    ...(above === undefined ? [] : [t("consent_limit_above", formatNumber(above))]),
    ...(below === undefined ? [] : [t("consent_limit_below", formatNumber(below))]),
    ...(step === undefined ? [] : [t("consent_limit_step", formatNumber(step))]),
  ];
}

/** Between two ends, or from or up to one. */
function rangeWords(
  what: "choices" | "letters" | "range",
  low: number | undefined,
  high: number | undefined,
): string[] {
  if (low !== undefined && high !== undefined)
    return [t(`consent_limit_${what}_both`, formatNumber(low), formatNumber(high))];
  if (low !== undefined && low !== 0) return [t(`consent_limit_${what}_from`, formatNumber(low))];
  return high === undefined ? [] : [t(`consent_limit_${what}_to`, formatNumber(high))];
}

/** A text that came with the form may hold what a box does not show. */
function Unseen({ box }: { readonly box: string | readonly string[] }): JSX.Element | null {
  if (typeof box !== "string") return null;
  const pieces = reveal(box);
  if (hiddenCount(pieces) === 0) return null;
  return (
    <>
      <UnseenNote pieces={pieces} />
      <Slip text={box} pieces={pieces} />
    </>
  );
}
