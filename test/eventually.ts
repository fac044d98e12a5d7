/** The real ones: a test may fake the clock, and still waits for what really happens. */
const { setTimeout } = globalThis;
const realNow = performance.now.bind(performance);

export interface Patience {
  /** The limit for what never comes, in ms; no machine is so slow. */
  readonly withinMs?: number;
  /** The time between two looks, in ms: longer where a look is work for the relay. */
  readonly eachMs?: number;
}

/**
 * Returns the value of `look` once it no longer throws, or throws its last error. For work that goes on after an answer,
 * which does not wait for it.
 */
export async function eventually<T>(look: () => T | Promise<T>, patience?: Patience): Promise<T> {
  const tried = async (): Promise<{ readonly found: T } | { readonly thrown: unknown }> => {
    try {
      return { found: await look() };
    } catch (thrown) {
      return { thrown };
    }
  };
  const last = await lookUntil(tried, (one) => 'found' in one, patience);
  if ('found' in last) return last.found;
  throw last.thrown;
}

/** Returns the value of `look` once `isThere` holds for it, or its last value. Throws as soon as `look` throws. */
export async function lookUntil<T>(
  look: () => T | Promise<T>,
  isThere: (found: T) => boolean,
  { withinMs = 30_000, eachMs = 10 }: Patience = {},
): Promise<T> {
  for (const deadline = realNow() + withinMs; ;) {
    const found = await look();
    if (isThere(found) || realNow() >= deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, eachMs));
  }
}

/** A turn of the event loop: all that waits for neither time nor I/O has run then. */
export const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
