/** A call that waits: who asks, with which tool, why it is asked, every argument in full, and how far a yes reaches. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { CallApproval, GrantScope } from "../../core/consent/approval.ts";
import { Icon } from "../shared/icon.tsx";
import { type JsonMember, jsonMembers, layOut } from "../shared/json-text.ts";
import { Said, Slip } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { t, tn, tx } from "../shared/text.ts";
import { CLASS_ICONS } from "../shared/tool-class.tsx";
import { Argument } from "./argument.tsx";
import { Crossing } from "./crossing.tsx";
import { Frame, type FrameProps } from "./frame.tsx";

interface Props {
  readonly approval: CallApproval;
  /** Canonical text of the tool's approved definition. */
  readonly pinned: string | null;
  readonly frame: FrameProps;
}

const SCOPES: readonly GrantScope[] = ["once", "session", "tool"];

export function CallWindow({ approval, pinned, frame }: Props): JSX.Element {
  const [scope, setScope] = useState<GrantScope>("once");
  const members = useMemo(() => argumentsOf(approval.argumentsText), [approval.argumentsText]);
  const server = <b>{approval.serverName}</b>;
  return (
    <Frame
      {...frame}
      approval={approval}
      title={tx(
        `consent_call_${approval.class}`,
        <Site principal={approval.principal} />,
        <bdi>{approval.serverName}</bdi>,
      )}
      crossing={
        <Crossing
          look="ask"
          principal={approval.principal}
          server={<bdi>{approval.serverName}</bdi>}
          serverNote={<Said text={approval.tool} />}
        />
      }
      parts={Math.max(1, members.length)}
      denyLabel={t("consent_deny")}
      allowLabel={t(`consent_allow_${scope}`)}
      allow={{ answer: "allow", scope }}
    >
      <section class="c-sec">
        <h2>{t("consent_why")}</h2>
        <ul class="why">
          {approval.reasons.map((reason) => (
            <li key={reason}>
              <Icon name="rules" />
              <span>{reason}</span>
            </li>
          ))}
          <li>
            <Icon name={CLASS_ICONS[approval.class]} />
            <span>{tx(`consent_tool_${approval.class}`, <Said text={approval.tool} />, server)}</span>
          </li>
        </ul>
        <AboutTool pinned={pinned} />
      </section>
      <section class="c-sec">
        <h2>
          {t("consent_sent")} <small>{tn("consent_arguments", members.length)}</small>
        </h2>
        <div class="args">
          {members.map((member, part) => (
            <Argument key={`${part} ${member.name}`} member={member} part={part} />
          ))}
          {members.length === 0 && (
            <p class="dim" data-part="0">
              {t("consent_no_arguments")}
            </p>
          )}
        </div>
        <p class="c-exact">{tx("consent_exactly", <span class="mono">{shortDigest(approval.digest)}</span>)}</p>
      </section>
      <section class="c-sec">
        <h2 id="scope">{t("consent_scope")}</h2>
        <div class="grants" role="radiogroup" aria-labelledby="scope">
          {SCOPES.map((choice) => (
            <label key={choice} class="check">
              <input type="radio" name="scope" checked={scope === choice} onChange={() => setScope(choice)} />
              <span>
                {tx(`consent_scope_${choice}`, <Said text={approval.tool} />)}
                {choice !== "once" && <small>{t(`consent_scope_${choice}_more`)}</small>}
              </span>
            </label>
          ))}
        </div>
      </section>
    </Frame>
  );
}

function AboutTool({ pinned }: { readonly pinned: string | null }): JSX.Element | null {
  const description = useMemo(() => descriptionIn(pinned), [pinned]);
  if (description === undefined) return null;
  return (
    <details class="c-about">
      <summary>{t("consent_about")}</summary>
      <Slip text={description} />
    </details>
  );
}

/** The members of the arguments; anything that is no object is one nameless member. */
function argumentsOf(text: string): readonly JsonMember[] {
  return jsonMembers(text) ?? [{ name: "", kind: "group", shown: layOut(text) }];
}

function descriptionIn(pinned: string | null): string | undefined {
  const member = pinned === null ? undefined : jsonMembers(pinned)?.find(({ name }) => name === "description");
  return member?.kind === "text" && member.shown !== "" ? member.shown : undefined;
}

/** Enough of a digest to compare by eye. */
function shortDigest(digest: string): string {
  return digest.slice(0, 12).replace(/(.{4})(?=.)/g, "$1 ");
}
