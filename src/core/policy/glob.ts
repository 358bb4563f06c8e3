/**
 * Names with `*`, for tools and methods. `*` stands for any run of characters; everything else is itself. Matched part by
 * part without a regular expression, so that no name a server invents can make matching slow.
 */

export function isLiteral(glob: string): boolean {
  return !glob.includes("*");
}

/** What every match of the glob begins with. */
export function literalStart(glob: string): string {
  const star = glob.indexOf("*");
  return star < 0 ? glob : glob.slice(0, star);
}

export function globTest(glob: string): (name: string) => boolean {
  const parts = glob.split("*");
  const first = parts[0] ?? "";
  if (parts.length === 1) return (name) => name === first;
  const last = parts[parts.length - 1] ?? "";
  const middle = parts.slice(1, -1).filter((part) => part !== "");
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    const end = name.length - last.length;
    let at = first.length;
    for (const part of middle) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    // The parts may not overlap: `ab*ba` is at least four characters long.
    return at <= end;
  };
}
