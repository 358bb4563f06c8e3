/** Waiting for something that another process does: asks again until it is so, and says what it waited for when it never was. */

export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs: number;
  readonly everyMs?: number;
  /** What there is instead, for the sentence about what never came. */
  readonly instead?: () => Promise<string>;
}

/** The first value that is neither undefined nor false. */
export async function until<T>(ask: () => Promise<T | undefined | false>, options: WaitOptions): Promise<T> {
  const end = Date.now() + options.timeoutMs;
  for (;;) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(await inVain(options));
    await pause(options.everyMs ?? 40);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function inVain({ what, timeoutMs, instead }: WaitOptions): Promise<string> {
  const sentence = `Waited ${timeoutMs} ms for ${what}, in vain.`;
  if (instead === undefined) return sentence;
  return `${sentence} ${await instead().catch((problem: unknown) => String(problem))}`;
}
