/** A server's form: its own words, the fields, what it may not ask for, and an answer that goes to the server alone. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { QuestionApproval, QuestionAsk } from "../../core/consent/approval.ts";
import { type AnswerProblem, answerProblems } from "../../core/elicit/answer.ts";
import { ABOVE, unconfirmed } from "../../core/elicit/flagged.ts";
import { Icon } from "../shared/icon.tsx";
import { Site } from "../shared/site.tsx";
import { t, tn, tx } from "../shared/text.ts";
import { FormFieldView } from "./form-field.tsx";
import { type Boxes, contentOf, initialBoxes } from "./form-values.ts";
import { Frame, type FrameProps, type Given } from "./frame.tsx";
import { MiddleButton, NOT_NOW, QuestionCrossing, ServerWords } from "./question-parts.tsx";

interface Props {
  readonly approval: QuestionApproval;
  readonly ask: Extract<QuestionAsk, { mode: "form" }>;
  readonly frame: FrameProps;
  /** What the worker found at fault with the answer that was sent; it holds until that field is changed. */
  readonly refused: readonly AnswerProblem[];
}

export function FormWindow({ approval, ask, frame, refused }: Props): JSX.Element {
  const { fields, secrets } = ask;
  const { serverName, principal } = approval;
  const [boxes, setBoxes] = useState<Boxes>(() => initialBoxes(fields));
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const server = <bdi>{serverName}</bdi>;
  const content = useMemo(() => contentOf(fields, boxes, { secrets, confirmed }), [fields, boxes, secrets, confirmed]);
  const [mended, setMended] = useState<readonly string[]>([]);
  useEffect(() => setMended([]), [refused]);
  const faults = useMemo(() => {
    const standing = refused.filter(({ name }) => !mended.includes(name));
    return new Map([...standing, ...answerProblems(fields, content)].map(({ name, fault }) => [name, fault]));
  }, [fields, content, refused, mended]);
  const confirm = (name: string, on: boolean): void =>
    setConfirmed(on ? [...confirmed, name] : confirmed.filter((other) => other !== name));
  const given: Given = { answer: "allow", scope: "once", reply: { content, confirmed } };
  const flagged = unconfirmed(secrets, [...faults.keys(), ...Object.keys(content)], confirmed);
  const above = Object.hasOwn(secrets, ABOVE) ? secrets[ABOVE] : undefined;
  return (
    <Frame
      {...frame}
      approval={approval}
      title={tx("consent_form_title", server)}
      crossing={<QuestionCrossing approval={approval} />}
      parts={fields.length + 1}
      denyLabel={t("consent_question_decline")}
      middle={<MiddleButton label={t("consent_not_now")} onPress={() => frame.answer(NOT_NOW)} />}
      allowLabel={t("consent_form_send")}
      allow={
        flagged.length > 0
          ? t("consent_form_flagged")
          : faults.size > 0
            ? tn("consent_form_faulty", faults.size)
            : given
      }
      closing={tx("consent_form_unseen", <Site principal={principal} />)}
      ending="consent_question_left"
    >
      <section class="c-sec">
        <ServerWords approval={approval} part={0} />
        {above !== undefined && (
          <div class="banner q-above" data-v={confirmed.includes(ABOVE) ? "ask" : "deny"}>
            <Icon name="key" />
            <div>
              <b>{t(`consent_secret_${above}`)}</b>
              <p>{t("consent_secret_rule")}</p>
              <label class="check">
                <input
                  type="checkbox"
                  checked={confirmed.includes(ABOVE)}
                  onChange={(event) => confirm(ABOVE, event.currentTarget.checked)}
                />
                <span>{t("consent_secret_read")}</span>
              </label>
            </div>
          </div>
        )}
      </section>
      <section class="c-sec">
        <h2>
          {t("consent_form_answer")} <small>{tx("consent_form_only", server)}</small>
        </h2>
        <div class="q-fields">
          {fields.map((field, at) => (
            <FormFieldView
              key={field.name}
              field={field}
              box={boxes[field.name] ?? ""}
              fault={faults.get(field.name)}
              onChange={(box) => {
                setBoxes({ ...boxes, [field.name]: box });
                setMended([...mended, field.name]);
              }}
              secret={field.name !== ABOVE && Object.hasOwn(secrets, field.name) ? secrets[field.name] : undefined}
              confirmed={confirmed.includes(field.name)}
              onConfirm={(on) => confirm(field.name, on)}
              serverName={serverName}
              part={at + 1}
            />
          ))}
          {fields.length === 0 && <p class="dim">{t("consent_form_nothing")}</p>}
        </div>
      </section>
    </Frame>
  );
}
