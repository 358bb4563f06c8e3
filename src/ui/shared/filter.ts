/**
 * The one filter language of the lists: words that must occur, `field:word` for one field, and a minus for "everything
 * but". Pure text in, predicate out, so that a list never runs what somebody typed as a pattern.
 */

/** What a row offers to the filter: a field's name to its text. */
export type FilterRow = Readonly<Record<string, string>>;

export interface FilterTerm {
  readonly field: string | null;
  readonly text: string;
  readonly negated: boolean;
}

export function parseFilter(input: string, fields: readonly string[]): readonly FilterTerm[] {
  return input
    .split(/\s+/)
    .filter((word) => word !== "" && word !== "-")
    .map((word) => readTerm(word, fields));
}

export function fits(row: FilterRow, terms: readonly FilterTerm[]): boolean {
  return terms.every((term) => occurs(row, term) !== term.negated);
}

function readTerm(word: string, fields: readonly string[]): FilterTerm {
  const negated = word.startsWith("-");
  const rest = (negated ? word.slice(1) : word).toLowerCase();
  const colon = rest.indexOf(":");
  const field = colon > 0 ? rest.slice(0, colon) : "";
  // An unknown field is no field: `https://…` typed whole still finds its site.
  if (!fields.includes(field)) return { field: null, text: rest, negated };
  return { field, text: rest.slice(colon + 1), negated };
}

function occurs(row: FilterRow, term: FilterTerm): boolean {
  if (term.field !== null) return (row[term.field] ?? "").toLowerCase().includes(term.text);
  return Object.values(row).some((value) => value.toLowerCase().includes(term.text));
}
