/**
 * A long list of dense rows with one stop for the keyboard: arrows, Home, End and Page keys choose a row, Enter or a click
 * opens it. Rows never jump under the pointer; where the newest stand last, the view follows them only while it is at the end.
 */
import type { ComponentChild, JSX, RefObject, TargetedEvent } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { chooseByKey } from "./list-keys.ts";

export interface Column<Row> {
  /** Also the cell's class. */
  readonly name: string;
  readonly head: string;
  /** The head is for screen readers only. */
  readonly quiet?: true;
  readonly numeric?: true;
  readonly title?: (row: Row) => string;
  readonly cell: (row: Row) => ComponentChild;
}

interface GridProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onOpen: (id: string) => void;
  /** Further attributes of a row, all `data-…`. */
  readonly marks: (row: Row) => Readonly<Record<`data-${string}`, string | undefined>>;
  readonly grid: RefObject<HTMLTableElement | null>;
  /** Newest last: stay at the end while there. */
  readonly follow?: true;
}

export function Grid<Row>(props: GridProps<Row>): JSX.Element {
  const { label, rows, columns, idOf, chosen, onChoose, onOpen, marks, grid, follow } = props;
  const prefix = useId();
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const ids = rows.map(idOf);
  const chosenAt = chosen === undefined ? -1 : ids.indexOf(chosen);
  const rowId = (index: number) => `${prefix}-${index}`;

  useLayoutEffect(() => {
    if (follow && atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [rows.length]);
  useLayoutEffect(() => {
    if (chosenAt < 0 || box.current === null) return undefined;
    // Also when the list itself shrinks: details that open must not hide what they are about.
    const show = () => document.getElementById(rowId(chosenAt))?.scrollIntoView({ block: "nearest" });
    show();
    const sizes = new ResizeObserver(show);
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, [chosen]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = chooseByKey(event.key, ids, chosen);
    if (next !== undefined) onChoose(next);
    else if (event.key === "Enter" && chosen !== undefined && chosenAt >= 0) onOpen(chosen);
    else return;
    event.preventDefault();
  };
  const onScroll = (event: TargetedEvent<HTMLDivElement>) => {
    const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
    atEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
  };

  return (
    <div class="list" ref={box} onScroll={onScroll}>
      <table
        class="rows"
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table operated with arrows is a grid (ARIA 1.2).
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={chosenAt < 0 ? undefined : rowId(chosenAt)}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr class="r r-head">
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                {column.quiet ? <span class="vh">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={ids[index]}
              id={rowId(index)}
              class="r"
              aria-selected={index === chosenAt}
              {...marks(row)}
              onClick={() => onOpen(ids[index] ?? "")}
            >
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)} title={column.title?.(row)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf(column: { readonly name: string; readonly numeric?: true }): string {
  return column.numeric ? `num ${column.name}` : column.name;
}
