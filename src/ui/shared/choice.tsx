/** A few exclusive choices side by side, one of them pressed; each is a button of its own to the keyboard. */
import type { ComponentChild, JSX } from "preact";

interface ChoiceProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  readonly word: (name: Name) => ComponentChild;
  readonly onChoose: (name: Name) => void;
  readonly disabled?: boolean;
}

export function Choice<Name extends string>(props: ChoiceProps<Name>): JSX.Element {
  const { label, names, chosen, word, onChoose, disabled = false } = props;
  return (
    <fieldset class="seg seg-quiet">
      <legend class="vh">{label}</legend>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          disabled={disabled}
          onClick={() => name !== chosen && onChoose(name)}
        >
          {word(name)}
        </button>
      ))}
    </fieldset>
  );
}
