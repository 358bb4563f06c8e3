/**
 * Tells whether an object repeats a member name. Two readers of `{"name":"read","name":"delete"}` may pick different
 * members, so that one thing is judged and another done; such a text is refused. Names count as equal when they are equal
 * after unescaping. Small objects are compared in place and allocate nothing; large ones, and names that are long or
 * escaped, use a set, whose hashing is seeded and therefore not to be flooded.
 *
 * @see RFC 8259 · 4 Objects
 * @see RFC 7493 · 2.3 Object constraints
 */

const MOST_COMPARED = 16;
const LONGEST_COMPARED = 64;

/** The names of every object that is open at one moment of a scan. */
export class OpenNames {
  readonly #text: string;
  /** Pairs of start and end, of all open objects, outermost first. */
  readonly #spans: number[] = [];
  /** Of the objects around the innermost one. */
  readonly #bases: number[] = [];
  readonly #sets: (Set<string> | undefined)[] = [];
  /** Where the innermost object's names begin and end in `#spans`. */
  #base = 0;
  #top = 0;
  /** The innermost object's names, once it is large. */
  #set: Set<string> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  open(): void {
    this.#bases.push(this.#base);
    this.#sets.push(this.#set);
    this.#base = this.#top;
    this.#set = undefined;
  }

  close(): void {
    this.#top = this.#base;
    this.#base = this.#bases.pop() ?? 0;
    this.#set = this.#sets.pop();
  }

  /** Adds the name between two quotes to the innermost object; `false` when that object has it already. */
  add(start: number, end: number, escaped: boolean): boolean {
    const base = this.#base;
    const top = this.#top;
    const length = end - start;
    if (this.#set !== undefined || escaped || length > LONGEST_COMPARED || top - base >= 2 * MOST_COMPARED) {
      return this.#addToSet(nameBetween(this.#text, start, end));
    }
    const spans = this.#spans;
    for (let index = base; index < top; index += 2) {
      const other = spans[index] ?? 0;
      if ((spans[index + 1] ?? 0) - other === length && sameUnits(this.#text, other, start, end)) return false;
    }
    spans[top] = start;
    spans[top + 1] = end;
    this.#top = top + 2;
    return true;
  }

  #addToSet(name: string): boolean {
    let set = this.#set;
    if (set === undefined) {
      set = new Set<string>();
      for (let index = this.#base; index < this.#top; index += 2) {
        set.add(this.#text.slice(this.#spans[index], this.#spans[index + 1]));
      }
      this.#set = set;
    }
    if (set.has(name)) return false;
    set.add(name);
    return true;
  }
}

/** The name that stands between two quotes, unescaped. */
export function nameBetween(text: string, start: number, end: number): string {
  const written = text.slice(start, end);
  return written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
}

function sameUnits(text: string, other: number, start: number, end: number): boolean {
  for (let at = start, against = other; at < end; at += 1, against += 1) {
    if (text.charCodeAt(at) !== text.charCodeAt(against)) return false;
  }
  return true;
}
