/** What a server asks of a site's agent, where the person decides whether it is passed on: shown whole, in its own words. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { CallApproval } from "../../core/consent/approval.ts";
import { itemsAt } from "../../core/wire/splice.ts";
import { Icon } from "../shared/icon.tsx";
import { type JsonMember, jsonMembers, layOut } from "../shared/json-text.ts";
import { Said } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { t, tx } from "../shared/text.ts";
import { Argument } from "./argument.tsx";
import { AsksCrossing } from "./asks-crossing.tsx";
import { Frame, type FrameProps } from "./frame.tsx";
import { Reasons } from "./reasons.tsx";

interface Props {
  readonly approval: CallApproval;
  readonly frame: FrameProps;
}

export function BackWindow({ approval, frame }: Props): JSX.Element {
  const { argumentsText, method, serverName, principal, agent } = approval;
  const members = useMemo(() => membersOf(argumentsText), [argumentsText]);
  const kind = KINDS.get(method) ?? "other";
  const server = <bdi>{serverName}</bdi>;
  const site = <Site principal={principal} />;
  return (
    <Frame
      {...frame}
      approval={approval}
      title={tx(`consent_back_${kind}`, server, site)}
      crossing={
        <AsksCrossing
          server={serverName}
          during={t("consent_back_server")}
          asked={site}
          note={agent === "" ? t("consent_back_agent") : <Said text={agent} />}
        />
      }
      parts={Math.max(1, members.length)}
      denyLabel={t("consent_deny")}
      allowLabel={t("consent_back_pass")}
      allow={{ answer: "allow", scope: "once" }}
    >
      <section class="c-sec">
        <h2>{t("consent_why")}</h2>
        <Reasons reasons={approval.reasons}>
          <li>
            <Icon name="outside" />
            <span>{tx(`consent_back_${kind}_more`, server, site)}</span>
          </li>
        </Reasons>
      </section>
      <section class="c-sec">
        <h2>
          {t("consent_back_sent")} <small>{t("consent_back_verbatim")}</small>
        </h2>
        <div class="args">
          {members.map((member, part) => (
            <Argument key={`${part} ${member.name}`} member={member} part={part} origin={undefined} anyRead={false} />
          ))}
          {members.length === 0 && (
            <p class="dim" data-part="0">
              {t("consent_back_nothing")}
            </p>
          )}
        </div>
      </section>
      <section class="c-sec">
        <h2>{t("consent_deny_what")}</h2>
        <p class="dim">{tx("consent_back_deny", server)}</p>
      </section>
    </Frame>
  );
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
  ["roots/list", "roots"],
]);

/** Each message of its own; a text stands as it will be read, anything else as it will be sent. */
function membersOf(text: string): readonly JsonMember[] {
  const all = jsonMembers(text);
  if (!all) return [{ name: "", kind: "group", shown: layOut(text) }];
  const messages = itemsAt(text, ["messages"]);
  return all.flatMap((member) =>
    member.name === "messages" && messages ? messages.map((message) => messageOf(message)) : [member],
  );
}

function messageOf(text: string): JsonMember {
  const members = jsonMembers(text);
  const role = members?.find(({ name }) => name === "role");
  const content = members?.find(({ name }) => name === "content");
  const parts = content?.kind === "group" ? jsonMembers(content.shown) : undefined;
  const only = parts?.find(({ name }) => name === "text");
  const plain =
    parts?.length === 2 &&
    members?.length === 2 &&
    parts.some(({ name, shown }) => name === "type" && shown === "text");
  const name = role?.kind === "text" ? role.shown : "";
  if (plain && only?.kind === "text") return { ...only, name };
  return { name, kind: "group", shown: layOut(text), ...(members && { size: members.length }) };
}
