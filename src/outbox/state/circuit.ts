import type { AccountPolicy } from '../../config/config.ts';
import type { Outcome } from '../../gateway/outcome.ts';

/**
 * The state of the circuit, which decides whether the gateway is called. Plain data, kept in the outbox across
 * evictions.
 */
export interface Circuit {
  /** The number of calls in a row that the gateway did not answer, or answered with a server error. */
  readonly failures: number;
  /**
   * Null if it is closed. Otherwise it is open: no call before this time (ms), then one at a time until one succeeds.
   */
  readonly probeAt: number | null;
  /** The last of these failures (`at` in ms); absent: there is none, or it was not kept. */
  readonly last?: { readonly at: number; readonly detail: string } | undefined;
}

export const CLOSED: Circuit = { failures: 0, probeAt: null };

const FAILURES: ReadonlySet<Outcome> = new Set(['unreachable', 'uncertain', 'server_error']);

/**
 * A gateway that stays down is probed more and more rarely, since each probe costs rows. The wait grows to at most this
 * many times `probe`.
 */
export const MAX_BACKOFF = 10;

/** The first probes keep the account's own interval: most outages are short. */
export const STEADY_PROBES = 10;

const backoff = (probes: number): number => Math.min(MAX_BACKOFF, 2 ** Math.max(0, probes - STEADY_PROBES));

/** The circuit after a call: failures in a row open it; any other answer closes it, since the gateway works. */
export function afterCall(
  circuit: Circuit,
  call: { readonly outcome: Outcome; readonly http_status?: number; readonly detail: string },
  policy: AccountPolicy['circuit'],
  now: number,
): Circuit {
  // For its message, a 503 is `busy`: the message waits as long as the gateway says. For the account, it is a server
  // error.
  const failed = FAILURES.has(call.outcome) || call.http_status === 503;
  // Neither a failure nor an answer: the call was never made (missing credentials, or not a valid call).
  if (!failed) return call.http_status === undefined ? circuit : CLOSED;
  const failures = circuit.failures + 1;
  const opens = circuit.probeAt !== null || failures >= policy.failures;
  return {
    failures,
    probeAt: opens ? now + policy.probeMs * backoff(failures - policy.failures) : null,
    last: { at: now, detail: call.detail },
  };
}
