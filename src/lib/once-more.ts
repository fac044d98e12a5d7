/** Calls an object, and again if the call fails, since most faults pass. Only for calls that may be made twice. */
export async function onceMore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (isOverloaded(thrown)) throw thrown;
    return call();
  }
}

/** True if an object is overloaded. It must not be called again. */
export const isOverloaded = (thrown: unknown): boolean =>
  thrown instanceof Error && Reflect.get(thrown, 'overloaded') === true;

/**
 * Resolves after `ms`, or as soon as the signal aborts. Not `scheduler.wait`, which keeps its timer when its signal
 * aborts: the platform allows 10,000 timers, and then every further wait fails at once.
 */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    const cancel = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', cancel, { once: true });
  });
}
