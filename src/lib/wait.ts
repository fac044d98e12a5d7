/** Calls an object, and again if the call fails, since most faults pass. Only for calls that may be made twice. */
export async function retryOnce<T>(call: () => Promise<T>): Promise<T> {
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
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const timer = setTimeout(resolve, ms);
    const cancel = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Runs `work` with a signal that aborts after `ms` with a `TimeoutError`. */
export type WithTimeout = <Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value>;

/** Not `AbortSignal.timeout`, whose timer outlives the work: many calls would use up the platform's 10,000. */
export const withTimeout: WithTimeout = (ms, work) => sharedTimeouts()(ms, work);

/**
 * Returns the value of `answer` if it comes within `ms`, else throws an error with `message`. For a call that another
 * request began: if that request is cancelled, the answer never comes.
 */
export const inTime = <Value>(ms: number, answer: Promise<Value>, message: string): Promise<Value> =>
  withTimeout(ms, (signal) => {
    const late = aborted(signal).then((): never => {
      throw new Error(message);
    });
    return Promise.race([answer, late]);
  });

/**
 * For an object that makes many calls: they share one timer, and without calls there is none, so that it keeps no
 * object awake. Timers and signals belong to an object, so two objects never share one of these.
 */
export function sharedTimeouts(): WithTimeout {
  const due = new Map<AbortController, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = Infinity;

  /** Stays set when its work ends: under load, other calls wait by then. */
  const arm = (at: number): void => {
    if (at >= timerAt) return;
    // The platform may refuse the new timer. The old one then stays.
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

/** Wakes one waiter. If `notify` is called while nobody waits, the next wait ends at once, so no call is missed. */
export class Signal {
  #isNotified = false;
  #wake: (() => void) | null = null;

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  /** Resolves at the next `notify`, or at once if it was called since the last wait, or when `timeout` does. */
  async wait(timeout: Promise<void> | null): Promise<void> {
    const notified = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (!this.#isNotified) await (timeout === null ? notified : Promise.race([notified, timeout]));
    this.#wake = null;
    this.#isNotified = false;
  }
}
