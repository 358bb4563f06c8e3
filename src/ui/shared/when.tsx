/** A moment: relative in the text, exact on hover and for machines. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { exact, relative } from "./time.ts";

export function When({ at }: { readonly at: number }): JSX.Element {
  const now = useNow(10_000);
  return (
    <time class="nowrap" dateTime={new Date(at).toISOString()} title={exact(at)}>
      {relative(at, now)}
    </time>
  );
}

/** The time, renewed every `every` milliseconds while shown. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return Math.max(now, Date.now());
}
