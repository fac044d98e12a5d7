/**
 * Runs `work` with a signal that aborts after `ms` with a `TimeoutError`. Not `AbortSignal.timeout`, which keeps its
 * timer when the work is done: at a thousand calls a second with 15 s each, the platform's 10,000 timers are used up.
 */
export async function withTimeout<Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, ms);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
