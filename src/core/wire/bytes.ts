/**
 * Text from bytes, strictly: a frame with an invalid sequence has no text, rather than one with replacement characters
 * that nobody sent. A byte-order mark is kept, so that the scan refuses it like any other foreign character.
 *
 * @see RFC 8259 · 8.1 Character encoding
 * @see RFC 3629 · 3 UTF-8 definition
 */

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether the text takes more than so many bytes of UTF-8. Counts only where the length alone does not tell. */
export function exceedsUtf8(text: string, most: number): boolean {
  if (text.length > most) return true;
  if (text.length * 3 <= most) return false;
  return utf8Length(text) > most;
}

/** Bytes the text takes in UTF-8. */
export function utf8Length(text: string): number {
  // Most text is ASCII, and a search for anything else is many times faster than a walk.
  if (!BEYOND_ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair stands for two of its four bytes.
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
