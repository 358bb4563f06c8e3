/** One command for a terminal, whole, and a button that copies it. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Icon } from "./icon.tsx";
import { t } from "./text.ts";

export function Command({ text }: { readonly text: string }): JSX.Element {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    copied.value = true;
  };
  return (
    <div class="cmd">
      <code>{text}</code>
      <button type="button" class="btn btn-s" onClick={() => void copy()}>
        <Icon name={copied.value ? "allow" : "copy"} />
        <span role="status">{t(copied.value ? "shared_copied" : "shared_copy")}</span>
      </button>
    </div>
  );
}
