/** An answer that is held: whose it is, why it is held, what came back, and that the call is not made again whatever is said. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ReplyApproval } from "../../core/consent/approval.ts";
import { Icon } from "../shared/icon.tsx";
import { characters, type JsonMember, jsonMembers, layOut } from "../shared/json-text.ts";
import { Said } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { t, tn, tx } from "../shared/text.ts";
import { Argument } from "./argument.tsx";
import { Crossing } from "./crossing.tsx";
import { Frame, type FrameProps } from "./frame.tsx";
import { Reasons } from "./reasons.tsx";

interface Props {
  readonly approval: ReplyApproval;
  readonly frame: FrameProps;
}

export function ReplyWindow({ approval, frame }: Props): JSX.Element {
  const { principal, serverName, resultText, cut, direction, findings } = approval;
  const members = useMemo(() => jsonMembers(resultText) ?? [asText(layOut(resultText))], [resultText]);
  const site = <Site principal={principal} />;
  const server = <bdi>{serverName}</bdi>;
  const [from, to] = direction === "out" ? [server, site] : [site, server];
  return (
    <Frame
      {...frame}
      approval={approval}
      title={tx("consent_reply_title", from)}
      crossing={
        <Crossing
          look="ask"
          towards={direction === "out" ? "site" : "server"}
          principal={principal}
          server={server}
          serverNote={<Said text={approval.tool} />}
        />
      }
      parts={Math.max(1, members.length)}
      denyLabel={t("consent_reply_hold")}
      allowLabel={t("consent_reply_release")}
      allow={{ answer: "allow", scope: "once" }}
    >
      <section class="c-sec">
        <h2>{t("consent_why")}</h2>
        <Reasons reasons={approval.reasons}>
          <li>
            <Icon name="info" />
            <span>{tx("consent_reply_made", <Said text={approval.tool} />, <b>{to}</b>)}</span>
          </li>
          {findings.some(({ kind }) => kind === "secret") && (
            <li class="hot">
              <Icon name="key" />
              <span>{t("consent_reply_secret")}</span>
            </li>
          )}
        </Reasons>
      </section>
      <section class="c-sec">
        <h2>
          {t("consent_reply_answer")} <small>{t(cut ? "consent_reply_cut" : "consent_reply_whole")}</small>
        </h2>
        <div class="args">
          {members.map((member, part) => (
            <Argument key={`${part} ${member.name}`} member={member} part={part} origin={undefined} anyRead={false} />
          ))}
          {members.length === 0 && (
            <p class="dim" data-part="0">
              {"{}"}
            </p>
          )}
        </div>
        <dl class="c-exact">
          <dt>{t("consent_length")}</dt>
          <dd>{tn("consent_bytes", approval.bytes)}</dd>
        </dl>
      </section>
      <section class="c-sec">
        <h2>{t("consent_reply_hold_what")}</h2>
        <p class="dim">{t("consent_reply_hold_means")}</p>
      </section>
    </Frame>
  );
}

/** What is no object, or was cut, is read as one text. */
function asText(shown: string): JsonMember {
  return { name: "", kind: "text", shown, size: characters(shown) };
}
