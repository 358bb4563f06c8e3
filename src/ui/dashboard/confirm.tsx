/** Asks once more before something is gone. Keeping is focused and at the start; nothing happens by Enter alone. */
import type { ComponentChild, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../shared/text.ts";

interface ConfirmProps {
  readonly title: ComponentChild;
  readonly act: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly children: ComponentChild;
}

export function Confirm({ title, act, onConfirm, onCancel, children }: ConfirmProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby={id} onCancel={onCancel}>
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      <footer class="dialog-acts">
        <button type="button" class="btn" onClick={onCancel}>
          {t("dash_keep")}
        </button>
        <button type="button" class="btn btn-danger" onClick={onConfirm}>
          {act}
        </button>
      </footer>
    </dialog>
  );
}
