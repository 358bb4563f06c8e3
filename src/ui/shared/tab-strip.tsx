/** Tabs: one stop, arrows inside, one panel with the id `tab-panel` below. */
import type { JSX } from "preact";

interface TabStripProps<Name extends string> {
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  readonly word: (name: Name) => string;
  readonly onChoose: (name: Name) => void;
}

export function TabStrip<Name extends string>(props: TabStripProps<Name>): JSX.Element {
  const { label, names, chosen, word, onChoose } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const mirrored = document.dir === "rtl" ? -step : step;
    const next = names[(names.indexOf(chosen) + mirrored + names.length) % names.length];
    if (next === undefined) return;
    onChoose(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === chosen}
          aria-controls="tab-panel"
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {word(name)}
        </button>
      ))}
    </div>
  );
}
