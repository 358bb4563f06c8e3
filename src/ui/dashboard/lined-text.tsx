/** A text field with line numbers. Tab leaves it, as everywhere; Ctrl S saves. */
import type { JSX, RefObject } from "preact";
import { useImperativeHandle, useRef } from "preact/hooks";

export interface LinedTextHandle {
  /** Selects a line and brings it into view. */
  goTo(line: number): void;
}

interface LinedTextProps {
  readonly label: string;
  readonly value: string;
  /** Lines with a problem. */
  readonly bad: readonly number[];
  readonly handle: RefObject<LinedTextHandle | null>;
  readonly onInput: (value: string) => void;
  readonly onSave: () => void;
}

export function LinedText({ label, value, bad, handle, onInput, onSave }: LinedTextProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = value.split("\n");

  useImperativeHandle(
    handle,
    () => ({
      goTo(line) {
        const field = area.current;
        if (!field) return;
        const before = field.value.split("\n").slice(0, line - 1);
        const start = before.reduce((sum, one) => sum + one.length + 1, 0);
        const end = field.value.indexOf("\n", start);
        field.focus({ preventScroll: true });
        field.setSelectionRange(start, end < 0 ? field.value.length : end);
        const height = field.scrollHeight / Math.max(1, lines.length);
        box.current?.scrollTo({ top: Math.max(0, (line - 4) * height) });
        box.current?.scrollIntoView({ block: "nearest" });
      },
    }),
    [value],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSave();
  };
  return (
    <div class="lined" ref={box}>
      <ol class="lined-no" aria-hidden="true">
        {lines.map((_, index) => (
          <li key={index} {...(bad.includes(index + 1) ? { "data-bad": "" } : {})}>
            {index + 1}
          </li>
        ))}
      </ol>
      <textarea
        class="lined-text"
        ref={area}
        aria-label={label}
        aria-invalid={bad.length > 0}
        rows={lines.length}
        value={value}
        spellcheck={false}
        autocomplete="off"
        wrap="off"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
