/** How far a yes reaches: which calls, until when, how often. The narrowest is chosen; what is chosen is said in full. */
import type { JSX } from "preact";
import type { CallApproval, GrantScope, GrantWish } from "../../core/consent/approval.ts";
import { narrower } from "../../core/consent/grants.ts";
import { fixedArguments, patternText } from "../../core/consent/wish.ts";
import type { JsonMember } from "../shared/json-text.ts";
import { Said, Slip } from "../shared/said.tsx";
import { t, tx } from "../shared/text.ts";

export interface Chosen {
  readonly scope: GrantScope;
  readonly wish: GrantWish;
}

const HOUR = 3_600_000;
export const NARROWEST: Chosen = { scope: "once", wish: { values: [], lastsMs: HOUR, uses: null } };

const SCOPES: readonly GrantScope[] = ["once", "session", "values", "tool"];
const LASTING = [
  { words: "consent_lasts_hour", ms: HOUR },
  { words: "consent_lasts_day", ms: 24 * HOUR },
  { words: "consent_lasts_month", ms: 30 * 24 * HOUR },
  { words: "consent_lasts_open", ms: null },
] as const;
const USES = [
  { words: "consent_uses_any", uses: null },
  { words: "consent_uses_1", uses: 1 },
  { words: "consent_uses_10", uses: 10 },
  { words: "consent_uses_100", uses: 100 },
] as const;

interface Props {
  readonly approval: CallApproval;
  readonly members: readonly JsonMember[];
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

export function GrantChoice({ approval, members, chosen, onChoose }: Props): JSX.Element {
  const { scope, wish } = chosen;
  const named = members.filter(({ name }) => name !== "");
  return (
    <>
      <div class="grants" role="radiogroup" aria-labelledby="scope">
        {SCOPES.map((choice) => {
          const off = whyOff(choice, approval, named.length);
          return (
            <div key={choice}>
              <label class="check">
                <input
                  type="radio"
                  name="scope"
                  value={choice}
                  checked={scope === choice}
                  disabled={off !== undefined}
                  onChange={() => onChoose({ scope: choice, wish })}
                />
                <span>
                  {tx(`consent_scope_${choice}`, <Said text={approval.tool} />)}
                  <small>{t(off ?? `consent_scope_${choice}_more`)}</small>
                </span>
              </label>
              {choice === "values" && scope === "values" && (
                <Values
                  approval={approval}
                  names={named.map(({ name }) => name)}
                  ticked={wish.values ?? []}
                  onTick={(values) => onChoose({ scope, wish: { ...wish, values } })}
                />
              )}
            </div>
          );
        })}
      </div>
      {(scope === "values" || scope === "tool") && (
        <Limits wish={wish} onChange={(next) => onChoose({ scope, wish: next })} />
      )}
    </>
  );
}

/** Why a choice is not to be had: what would be kept of it is less than what it says. */
function whyOff(choice: GrantScope, { widest = "tool" }: CallApproval, named: number): string | undefined {
  if (narrower(choice, widest) !== choice) return "consent_scope_ruled";
  return choice === "values" && named === 0 ? "consent_scope_values_none" : undefined;
}

interface ValuesProps {
  readonly approval: CallApproval;
  readonly names: readonly string[];
  readonly ticked: readonly string[];
  readonly onTick: (ticked: readonly string[]) => void;
}

function Values({ approval, names, ticked, onTick }: ValuesProps): JSX.Element {
  return (
    <fieldset class="c-values">
      <legend>{t("consent_values_keep")}</legend>
      {names.map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={ticked.includes(name)}
            onChange={(event) =>
              onTick(names.filter((other) => (other === name ? event.currentTarget.checked : ticked.includes(other))))
            }
          />
          <span>
            <Said text={name} />
          </span>
        </label>
      ))}
      {ticked.length > 0 && (
        <>
          <p class="dim">{t("consent_values_pattern")}</p>
          <Slip text={patternText(fixedArguments(approval.argumentsText, ticked))} />
        </>
      )}
    </fieldset>
  );
}

function Limits({ wish, onChange }: { readonly wish: GrantWish; readonly onChange: (wish: GrantWish) => void }) {
  return (
    <div class="c-limits">
      <label>
        <span>{t("consent_lasts")}</span>
        <select
          class="in in-s"
          value={String(wish.lastsMs)}
          onChange={(event) => onChange({ ...wish, lastsMs: numberOf(event.currentTarget.value) })}
        >
          {LASTING.map(({ words, ms }) => (
            <option key={words} value={String(ms)}>
              {t(words)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t("consent_uses")}</span>
        <select
          class="in in-s"
          value={String(wish.uses)}
          onChange={(event) => onChange({ ...wish, uses: numberOf(event.currentTarget.value) })}
        >
          {USES.map(({ words, uses }) => (
            <option key={words} value={String(uses)}>
              {t(words)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function numberOf(value: string): number | null {
  return value === "null" ? null : Number(value);
}
