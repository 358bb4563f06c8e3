/**
 * Native-messaging framing: four bytes of length in the machine's own order, then so many bytes of JSON. A length over the
 * limit ends the port before anything of that size is kept, because after it nothing can be found again; bytes are put
 * together once, when the last of a message is there.
 *
 * @see https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging · Native messaging protocol
 */
import { endianness } from "node:os";
import { MAX_TO_BROWSER_BYTES, MAX_TO_HOST_BYTES } from "../../bridge/native.ts";

export interface MessageReader {
  /** Takes bytes as they come; calls back for each whole message in order. @throws FramingFault */
  push(bytes: Buffer): void;
  /** Whether bytes of an unfinished message are held. */
  readonly partial: boolean;
}

/** The other side does not speak the protocol; the port cannot go on. */
export class FramingFault extends Error {}

export function createMessageReader(message: (value: unknown) => void, limit = MAX_TO_HOST_BYTES): MessageReader {
  let held: Buffer[] = [];
  let have = 0;
  let need = -1;
  return {
    push(bytes) {
      held.push(bytes);
      have += bytes.length;
      for (;;) {
        if (need < 0) {
          if (have < HEADER) return;
          need = lengthOf(cut(HEADER));
          if (need === 0) throw new FramingFault("A message of no bytes arrived.");
          if (need > limit) throw new FramingFault(`A message of ${need} bytes was announced; the limit is ${limit}.`);
        }
        if (have < need) return;
        const body = cut(need);
        need = -1;
        message(parsed(body));
      }
    },
    get partial() {
      return have > 0 || need >= 0;
    },
  };

  function cut(length: number): Buffer {
    const first = held[0];
    have -= length;
    if (first && first.length >= length) {
      if (first.length === length) held.shift();
      else held[0] = first.subarray(length);
      return first.subarray(0, length);
    }
    const all = Buffer.concat(held);
    held = all.length === length ? [] : [all.subarray(length)];
    return all.subarray(0, length);
  }
}

/** Header and body in one buffer. @throws FramingFault over the browsers' limit, which would end the port. */
export function encodeMessage(value: unknown): Buffer {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  if (length > MAX_TO_BROWSER_BYTES)
    throw new FramingFault(`A message of ${length} bytes is too long for the browser.`);
  const bytes = Buffer.allocUnsafe(HEADER + length);
  if (LITTLE) bytes.writeUInt32LE(length, 0);
  else bytes.writeUInt32BE(length, 0);
  bytes.write(text, HEADER);
  return bytes;
}

const HEADER = 4;
const LITTLE = endianness() === "LE";

function lengthOf(header: Buffer): number {
  return LITTLE ? header.readUInt32LE(0) : header.readUInt32BE(0);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new FramingFault("A message that is not JSON arrived.");
  }
}
