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
