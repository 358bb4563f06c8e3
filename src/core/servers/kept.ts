/**
 * A value that is made once and kept: everyone who asks while it is being made waits for the same making, a failure is not
 * kept, and whoever finds the value spoilt forgets exactly the one they had, not a newer one.
 */

export interface Kept<T extends object> {
  /** At once, where there is one. */
  current(): T | undefined;
  get(): Promise<T>;
  forget(value: T | undefined): void;
}

export interface KeptOptions<T extends object> {
  readonly make: () => Promise<T>;
  readonly fresh: (value: T) => boolean;
}

export function createKept<T extends object>({ make, fresh }: KeptOptions<T>): Kept<T> {
  let value: T | undefined;
  let making: Promise<T> | undefined;

  return { current, get: async () => current() ?? (await join()), forget };

  function current(): T | undefined {
    if (value !== undefined && !fresh(value)) value = undefined;
    return value;
  }

  function join(): Promise<T> {
    making ??= make()
      .then((made) => {
        value = made;
        return made;
      })
      .finally(() => {
        making = undefined;
      });
    return making;
  }

  function forget(spoilt: T | undefined): void {
    if (value === spoilt) value = undefined;
  }
}
