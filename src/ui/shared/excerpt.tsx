/** What was sent or answered, as the record keeps it: secrets masked, long texts cut, the whole proven by its hash. */
import type { JSX } from "preact";
import type { Excerpt as Kept } from "../../core/recorder/entry.ts";
import { JsonView } from "./json-view.tsx";
import { formatNumber, t, tn } from "./text.ts";

export function Excerpt({ excerpt }: { readonly excerpt: Kept }): JSX.Element {
  const secrets = excerpt.findings.filter((finding) => finding.kind === "secret").length;
  const hidden = excerpt.findings.length - secrets;
  return (
    <div class="excerpt">
      <div class="meta">
        <span>{tn("record_bytes", excerpt.bytes)}</span>
        {excerpt.cut && <span>{t("record_cut", formatNumber(excerpt.text.length))}</span>}
        {secrets > 0 && <span>{tn("record_secrets", secrets)}</span>}
        {hidden > 0 && <span>{tn("record_hidden", hidden)}</span>}
      </div>
      <JsonView text={excerpt.text} />
      <p class="hint">
        {t("record_digest")} <span class="hash">{excerpt.digest}</span>
      </p>
    </div>
  );
}
