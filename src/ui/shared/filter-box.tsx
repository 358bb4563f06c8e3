/** The filter box of a list. Esc empties it, and only then leaves it. */
import type { JSX, RefObject } from "preact";
import { Icon } from "./icon.tsx";
import { t } from "./text.ts";

interface FilterBoxProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly box?: RefObject<HTMLInputElement | null>;
  /** Esc in an empty box. */
  readonly onLeave?: () => void;
}

export function FilterBox({ label, hint, value, onInput, box, onLeave }: FilterBoxProps): JSX.Element {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault();
    if (value !== "") onInput("");
    else onLeave?.();
  };
  return (
    <div class="finput">
      <Icon name="filter" />
      <input
        {...(box === undefined ? {} : { ref: box })}
        type="search"
        aria-label={label}
        placeholder={hint}
        spellcheck={false}
        autocomplete="off"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {value !== "" && (
        <button type="button" class="btn btn-i btn-s" aria-label={t("record_clear_filter")} onClick={() => onInput("")}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
