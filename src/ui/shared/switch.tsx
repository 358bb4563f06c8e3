/** Something that is on or off, and counts at once. It is named by text beside it, or by a word of its own. */
import type { JSX } from "preact";

interface SwitchProps {
  readonly on: boolean;
  /** Id of the text that names it. */
  readonly labelledBy?: string;
  readonly label?: string;
  readonly describedBy?: string;
  readonly disabled?: boolean;
  readonly onTurn: (on: boolean) => void;
}

export function Switch({ on, labelledBy, label, describedBy, disabled = false, onTurn }: SwitchProps): JSX.Element {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      aria-labelledby={labelledBy}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={() => onTurn(!on)}
    />
  );
}
