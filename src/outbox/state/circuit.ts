import type { AccountPolicy } from '../../config/config.ts';
import type { Outcome } from '../../gateway/outcome.ts';

/** Whether the gateway is worth calling. Plain data: it is kept in the outbox across evictions. */
export interface Circuit {
  /** Failures in a row: calls that the gateway did not answer, or answered with a server error. */
  readonly failures: number;
  /** Null: closed. Else: open, and no call before this time (ms); then one at a time until one succeeds. */
  readonly probeAt: number | null;
}

export const CLOSED: Circuit = { failures: 0, probeAt: null };

const FAILURES: ReadonlySet<Outcome> = new Set(['unreachable', 'uncertain', 'server_error']);

/** A gateway that stays down is probed ever more rarely, since each probe costs rows: up to so many times the wait. */
export const MAX_BACKOFF = 10;

/** A few probes come at the account's own pace: most outages are short. */
export const STEADY_PROBES = 10;

const backoff = (probes: number): number => Math.min(MAX_BACKOFF, 2 ** Math.max(0, probes - STEADY_PROBES));

/** The circuit after a call: failures in a row open it; any other answer proves that the gateway is there. */
export function afterCall(
  circuit: Circuit,
  call: { readonly outcome: Outcome; readonly http_status?: number },
  policy: AccountPolicy['circuit'],
  now: number,
): Circuit {
  // 503 is `busy` to its message, which waits as told, and a server error to the account.
  const failed = FAILURES.has(call.outcome) || call.http_status === 503;
  // Nothing failed and nothing was answered: the call was never made (missing credentials, a message that is none).
  if (!failed) return call.http_status === undefined ? circuit : CLOSED;
  const failures = circuit.failures + 1;
  const opens = circuit.probeAt !== null || failures >= policy.failures;
  return { failures, probeAt: opens ? now + policy.probeMs * backoff(failures - policy.failures) : null };
}
