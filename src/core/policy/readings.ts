/**
 * The texts a lenient reader may take a text for: as it is, and with percent escapes undone up to three times, each also in
 * compatibility form, where full-width and other look-alike characters become plain ones.
 *
 * @see Unicode Standard Annex #15 · NFKC
 */

const ROUNDS = 3;

export function decodings(text: string): readonly string[] {
  const found = new Set<string>([text, text.normalize("NFKC")]);
  // A full-width percent sign begins an escape too, once it is a plain one.
  for (const start of [...found]) {
    let at = start;
    for (let round = 0; round < ROUNDS && at.includes("%"); round++) {
      const next = unescaped(at);
      if (next === at) break;
      found.add(next).add(next.normalize("NFKC"));
      at = next;
    }
  }
  return [...found];
}

/** Escapes that are no UTF-8 stay as they are; overlong forms of `.` and `/` are read as some old decoders do. */
function unescaped(text: string): string {
  return text
    .replace(/%c0%ae/gi, ".")
    .replace(/%c0%af|%c1%9c/gi, "/")
    .replace(/%u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run.replace(/%([0-7][0-9a-f])/gi, (_, digits: string) =>
          String.fromCharCode(Number.parseInt(digits, 16)),
        );
      }
    });
}
