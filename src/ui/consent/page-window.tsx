/** A page that a server wants opened: the whole address with its host, what is doubtful about it, and then the way back. */
import type { JSX } from "preact";
import type { QuestionApproval, QuestionAsk } from "../../core/consent/approval.ts";
import { type AddressParts, addressParts } from "../../core/elicit/address-parts.ts";
import { Icon } from "../shared/icon.tsx";
import type { IconName } from "../shared/icon-shapes.ts";
import { Said, spelledOut } from "../shared/said.tsx";
import { Site } from "../shared/site.tsx";
import { t, tx } from "../shared/text.ts";
import { Frame, type FrameProps } from "./frame.tsx";
import { MiddleButton, NOT_NOW, QuestionCrossing, ServerWords } from "./question-parts.tsx";

interface Props {
  readonly approval: QuestionApproval;
  readonly ask: Extract<QuestionAsk, { mode: "url" }>;
  readonly frame: FrameProps;
  /** Opens the page once more. */
  readonly onAgain: () => void;
}

export function PageWindow({ approval, ask, frame, onAgain }: Props): JSX.Element {
  const address = addressParts(ask.url);
  const server = <bdi>{approval.serverName}</bdi>;
  const opened = ask.step === "after";
  const yes = { answer: "allow", scope: "once" } as const;
  return (
    <Frame
      {...frame}
      approval={approval}
      title={tx(opened ? "consent_page_after" : "consent_page_title", server)}
      crossing={<QuestionCrossing approval={approval} />}
      parts={opened ? 1 : 2}
      denyLabel={t(opened ? "consent_page_give_up" : "consent_question_decline")}
      deny={opened ? NOT_NOW : undefined}
      middle={
        opened ? (
          <MiddleButton label={t("consent_page_again")} onPress={onAgain} />
        ) : (
          <MiddleButton label={t("consent_not_now")} onPress={() => frame.answer(NOT_NOW)} />
        )
      }
      allowLabel={t(opened ? "consent_page_done" : "consent_page_open")}
      allow={opened || address.openable ? yes : t("consent_page_never")}
      ending="consent_question_left"
    >
      <section class="c-sec">
        <ServerWords approval={approval} part={0} />
      </section>
      <section class="c-sec">
        <h2>{t("consent_page_address")}</h2>
        <Address address={address} />
        {address.doubts.length > 0 && (
          <ul class="why q-doubts">
            {address.doubts.map((doubt) => (
              <li key={doubt} class={HOT.has(doubt) ? "hot" : "warm"}>
                <Icon name={DOUBT_ICONS[doubt]} />
                <span>
                  {tx(
                    `consent_doubt_${doubt.replace("-", "_")}`,
                    <b>{address.host}</b>,
                    <Said text={address.reads ?? ""} />,
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
        {!opened && <i class="end-mark" data-part="1" />}
      </section>
      {(opened || address.openable) && (
        <section class="c-sec">
          <ul class="why">
            <li>
              <Icon name={opened ? "clock" : "external"} />
              <span>
                {opened
                  ? tx("consent_page_after_more", server)
                  : tx("consent_page_plain", <Site principal={approval.principal} />)}
              </span>
            </li>
          </ul>
        </section>
      )}
    </Frame>
  );
}

/** The host stands out: it says whose page it is; everything else in an address can be made up. */
function Address({ address }: { readonly address: AddressParts }): JSX.Element {
  const { before, host, after } = address;
  return (
    <p class="slip q-address" dir="ltr">
      {spelledOut(before)}
      {host !== "" && <strong>{host}</strong>}
      {spelledOut(after)}
    </p>
  );
}

type Doubt = AddressParts["doubts"][number];

const HOT: ReadonlySet<Doubt> = new Set(["no-page", "plain-http", "letters"]);
const DOUBT_ICONS: Readonly<Record<Doubt, IconName>> = {
  "no-page": "deny",
  "plain-http": "warn",
  letters: "twin",
  "user-name": "warn",
  number: "warn",
};
