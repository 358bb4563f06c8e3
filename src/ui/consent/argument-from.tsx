/** Where the value of one argument stood before, as far as it was recognised; else that it may be from anywhere. */
import type { JSX } from "preact";
import type { ArgumentOrigin } from "../../core/consent/approval.ts";
import { Icon } from "../shared/icon.tsx";
import { Said } from "../shared/said.tsx";
import { t, tn, tx } from "../shared/text.ts";
import { When } from "../shared/when.tsx";

interface Props {
  readonly origin: ArgumentOrigin | undefined;
  readonly anyRead: boolean;
}

export function ArgumentFrom({ origin, anyRead }: Props): JSX.Element | null {
  if (!origin) {
    if (!anyRead) return null;
    return (
      <p class="note calm">
        <Icon name="unknown" />
        <span>{t("consent_from_nowhere")}</span>
      </p>
    );
  }
  return (
    <>
      {origin.from.map((one) => (
        <p key={`${one.server} ${one.tool}`} class={one.trust === "untrusted" ? "note warm" : "note calm"}>
          <Icon name={one.trust === "untrusted" ? "outside" : "server"} />
          <span>{sentence(one)}</span>
        </p>
      ))}
      {origin.more > 0 && (
        <p class="note calm">
          <Icon name="plus" />
          <span>{tn("consent_from_more", origin.more)}</span>
        </p>
      )}
    </>
  );
}

function sentence({ server, trust, tool, at, kinds: [kind = "phrase"], whole }: ArgumentOrigin["from"][number]) {
  const who = server === "" ? t("consent_from_gone") : <b>{server}</b>;
  const about = [who, <Said key="tool" text={tool} />, <When key="at" at={at} />];
  const words = trust === "untrusted" ? "_untrusted" : "";
  return whole
    ? tx(`consent_from_whole${words}`, ...about)
    : tx(`consent_from_part${words}`, t(`consent_from_${kind}`), ...about);
}
