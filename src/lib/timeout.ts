/** Runs `work` with a signal that aborts after `ms` with a `TimeoutError`. */
export type WithTimeout = <Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>;

/**
 * Not `AbortSignal.timeout`, which keeps its timer when the work is done: at a thousand calls a second with 15 s each,
 * the platform's 10,000 timers are used up.
 */
export const withTimeout: WithTimeout = (ms, work) => sharedTimeouts()(ms, work);

/**
 * Returns the value of `answer` if it comes within `ms`; else an error with `message`. For work that another request
 * began: if that one is cancelled, its answer never comes.
 */
export const inTime = <Value>(ms: number, answer: Promise<Value>, message: string): Promise<Value> =>
  withTimeout(ms, (signal) => {
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error(message)));
    });
    return Promise.race([answer, late]);
  });

/**
 * {@link withTimeout} for an object that makes many calls: one timer for all that are under way, and none when there are none, so
 * that it keeps no object awake. Timers and signals belong to an object, so two never share one of these.
 */
export function sharedTimeouts(): WithTimeout {
  const due = new Map<AbortController, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = Infinity;

  /** The timer is not set again when the work that it was set for ends: under load others wait by then. */
  const arm = (at: number): void => {
    if (at >= timerAt) return;
    // The platform may refuse a timer; the one that is set then remains.
    const next = setTimeout(abortDue, at - performance.now());
    clearTimeout(timer);
    timer = next;
    timerAt = at;
  };
  const abortDue = (): void => {
    const passed = timerAt;
    timerAt = Infinity;
    for (const [controller, at] of due) {
      if (at > passed) continue;
      due.delete(controller);
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    }
    if (due.size > 0) arm(Math.min(...due.values()));
  };
  return async (ms, work) => {
    const controller = new AbortController();
    const at = performance.now() + ms;
    arm(at);
    due.set(controller, at);
    try {
      return await work(controller.signal);
    } finally {
      due.delete(controller);
      if (due.size === 0) {
        clearTimeout(timer);
        timerAt = Infinity;
      }
    }
  };
}
