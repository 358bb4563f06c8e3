/** A call that waits: who asks, with which tool, why it is asked, every argument in full, and how far a yes reaches. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { CallApproval } from "../../core/consent/approval.ts";
import { wishProblems } from "../../core/consent/wish.ts";
import { Icon } from "../shared/icon.tsx";
import { type JsonMember, jsonMembers, layOut } from "../shared/json-text.ts";
import { Said, Slip } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { t, tn, tx } from "../shared/text.ts";
import { CLASS_ICONS } from "../shared/tool-class.tsx";
import { Argument } from "./argument.tsx";
import { Changes } from "./changes.tsx";
import { Crossing } from "./crossing.tsx";
import { Frame, type FrameProps } from "./frame.tsx";
import { type Chosen, GrantChoice, NARROWEST } from "./grant-choice.tsx";
import { Origins } from "./origins.tsx";
import { Reasons } from "./reasons.tsx";

interface Props {
  readonly approval: CallApproval;
  /** Canonical text of the tool's approved definition. */
  readonly pinned: string | null;
  readonly frame: FrameProps;
}

export function CallWindow({ approval, pinned, frame }: Props): JSX.Element {
  const [chosen, setChosen] = useState<Chosen>(NARROWEST);
  const members = useMemo(() => argumentsOf(approval.argumentsText), [approval.argumentsText]);
  const server = <b>{approval.serverName}</b>;
  const { scope, wish } = chosen;
  const [problem] = useMemo(() => wishProblems(approval, scope, wish), [approval, scope, wish]);
  const limits = scope === "values" ? wish : { lastsMs: wish.lastsMs, uses: wish.uses };
  const given = {
    answer: "allow",
    scope,
    ...(scope === "values" || scope === "tool" ? { grant: limits } : {}),
  } as const;
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
      denyLabel={frame.identical > 1 ? tn("consent_deny_all", frame.identical) : t("consent_deny")}
      allowLabel={
        frame.identical > 1 && scope === "once" ? tn("consent_allow_all", frame.identical) : t(`consent_allow_${scope}`)
      }
      allow={problem === undefined ? given : t(`consent_wish_${problem}`)}
    >
      <section class="c-sec">
        <h2>{t("consent_why")}</h2>
        <Reasons reasons={approval.reasons}>
          <li>
            <Icon name={CLASS_ICONS[approval.class]} />
            <span>{tx(`consent_tool_${approval.class}`, <Said text={approval.tool} />, server)}</span>
          </li>
        </Reasons>
        <AboutTool pinned={pinned} />
      </section>
      <Origins approval={approval} />
      <section class="c-sec">
        <h2>
          {t("consent_sent")} <small>{tn("consent_arguments", countOf(members))}</small>
        </h2>
        <div class="args">
          {members.map((member, part) => (
            <Argument
              key={`${part} ${member.name}`}
              member={member}
              part={part}
              origin={approval.origins.find(({ name }) => name === member.name)}
              anyRead={approval.sources.length > 0 || approval.labels.integrity === "untrusted"}
            />
          ))}
          {members.length === 0 && (
            <p class="dim" data-part="0">
              {t("consent_no_arguments")}
            </p>
          )}
        </div>
        <dl class="c-exact">
          <dt>{t("consent_length")}</dt>
          <dd>{tn("consent_bytes", approval.bytes)}</dd>
          <dt>{t("consent_digest")}</dt>
          <dd class="mono">{spaced(approval.argumentsDigest)}</dd>
        </dl>
      </section>
      <Changes since={approval.since} />
      <section class="c-sec">
        <h2 id="scope">{t("consent_scope")}</h2>
        <GrantChoice approval={approval} members={members} chosen={chosen} onChoose={setChosen} />
      </section>
      <section class="c-sec">
        <h2>{t("consent_deny_what")}</h2>
        <p class="dim">{t(approval.live ? "consent_deny_means" : "consent_deny_late")}</p>
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

/** More than anyone reads one by one are shown as one text; every one of them is in it. */
const MOST_ARGUMENTS = 200;

/** The members of the arguments; anything that is no object is one nameless member. */
function argumentsOf(text: string): readonly JsonMember[] {
  const members = jsonMembers(text);
  if (members && members.length <= MOST_ARGUMENTS) return members;
  return [{ name: "", kind: "group", shown: layOut(text), ...(members && { size: members.length }) }];
}

/** A nameless one stands for as many as are in it. */
function countOf(members: readonly JsonMember[]): number {
  const [first] = members;
  return first?.name === "" && members.length === 1 ? (first.size ?? 1) : members.length;
}

function descriptionIn(pinned: string | null): string | undefined {
  const member = pinned === null ? undefined : jsonMembers(pinned)?.find(({ name }) => name === "description");
  return member?.kind === "text" && member.shown !== "" ? member.shown : undefined;
}

/** In groups, to compare by eye. */
function spaced(digest: string): string {
  return digest.replace(/(.{8})(?=.)/g, "$1 ");
}
