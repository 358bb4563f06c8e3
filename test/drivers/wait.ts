/** Waiting for something that another process does: asks again until it is so, and says what it waited for when it never was. */

export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs: number;
  readonly everyMs?: number;
}

/** The first value that is neither undefined nor false. */
export async function until<T>(ask: () => Promise<T | undefined | false>, options: WaitOptions): Promise<T> {
  const end = Date.now() + options.timeoutMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`Waited ${options.timeoutMs} ms for ${options.what}, in vain.`);
    await pause(options.everyMs ?? 40);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
