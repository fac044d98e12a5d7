import type { Params } from '../../lib/problem.ts';
import type { AccountPolicy } from '../../config/compiled/config.ts';
import type { Verdict } from '../../gateway/outcome.ts';
import { reasonIn, type Reason } from '../../lib/reason.ts';
import { MAX_FORBIDDEN } from '../state/circuit.ts';
import type { Attempt, MessageRow } from '../state/message.ts';
import type { Meta } from '../state/meta.ts';

/** The numbers are of earlier attempts: without this one. */
export interface TriedMessage {
  /** Those that count against the schedule. */
  readonly tries: number;
  readonly refusals: number;
  readonly onUncertain: 'retry' | 'hold';
  readonly forbidden: number;
  /** Since the first one that was forbidden. */
  readonly areOthersSent: boolean;
}

/** A message's next state. `nextAt` (ms) is set exactly in the states that are tried again. */
export type Decision = {
  readonly tries: number;
  readonly refusals: number;
  readonly reason: Reason | null;
} & (
  | { readonly state: 'queued' | 'retrying'; readonly nextAt: number }
  | { readonly state: 'sent' | 'uncertain' | 'dead'; readonly nextAt: null }
);

/** An attempt that was just recorded, and the account's status before it. */
export interface RecordedAttempt {
  readonly before: Pick<Meta, 'pause' | 'circuit'>;
  readonly row: MessageRow;
  readonly attempt: Attempt;
  readonly decision: Decision;
  /** The time from the webhook to the gateway's answer that it is sent (ms); null if it is not sent. */
  readonly latencyMs: number | null;
}

/** `success: false` is meant seriously; a few attempts rule out a passing fault of the gateway. */
export const MAX_REFUSALS = 3;

/** How many attempts it gets if they continue to end like the last one. */
export function attemptsInAll(
  { tries, refusals }: Pick<TriedMessage, 'tries' | 'refusals'>,
  last: string | undefined,
  { retryMs }: Pick<AccountPolicy, 'retryMs'>,
): number {
  const refused = last === 'refused' ? tries + MAX_REFUSALS - refusals : Infinity;
  // A publish may have shortened the schedule.
  return Math.max(tries + 1, Math.min(retryMs.length + 1, refused));
}

/** Waits vary by this share in both directions, so that messages that failed together are not retried together. */
const JITTER = 0.2;

const FORBIDDEN_WAIT_MS = 30_000;

/** The one place where an attempt's outcome becomes a message's next state. `random` is in [0, 1). */
export function decide(
  message: TriedMessage,
  result: Verdict,
  { retryMs, permanentErrors }: Pick<AccountPolicy, 'retryMs' | 'permanentErrors'>,
  now: number,
  random: number,
): Decision {
  const uncounted = { tries: message.tries, refusals: message.refusals };
  const counted = { ...uncounted, tries: message.tries + 1 };
  if (result.outcome === 'sent') return { ...counted, reason: null, state: 'sent', nextAt: null };
  const reason = reasonIn(result);
  const later = (wait: number): number => Math.round(now + wait * (1 - JITTER + 2 * JITTER * random));
  /** `why`: further values of its reason, which say why it is not tried again. */
  const dead = (counts = counted, why: Params = {}): Decision => ({
    ...counts,
    reason: { ...reason, params: { ...reason.params, ...why } },
    state: 'dead',
    nextAt: null,
  });
  const retry = (counts = counted, retryAfterMs?: number): Decision => {
    const scheduled = retryMs[counts.tries - 1];
    if (scheduled === undefined) return dead(counts, { attempts: String(counts.tries) });
    const nextAt = retryAfterMs === undefined ? later(scheduled) : Math.round(now + retryAfterMs);
    return { ...counts, reason, state: 'retrying', nextAt };
  };

  switch (result.outcome) {
    case 'unauthorized':
      // The account is paused, so the message waits for a person. It is not the message's fault, so it loses no
      // attempt.
      return { ...uncounted, reason, state: 'queued', nextAt: now };
    case 'forbidden': {
      // It does not count against the schedule: the whole account may be forbidden.
      const count = message.forbidden + 1;
      if (count >= MAX_FORBIDDEN && message.areOthersSent)
        return dead(uncounted, { attempts: String(count) });
      const wait = retryMs[Math.min(count, retryMs.length) - 1] ?? FORBIDDEN_WAIT_MS;
      return { ...uncounted, reason, state: 'retrying', nextAt: later(wait) };
    }
    case 'rejected':
      return dead();
    case 'refused': {
      const refused = { ...counted, refusals: counted.refusals + 1 };
      const permanent = permanentErrors.find((pattern) =>
        new RegExp(pattern, 'u').test(result.message ?? ''),
      );
      if (permanent !== undefined) return dead(refused, { permanent });
      if (refused.refusals >= MAX_REFUSALS) return dead(refused, { attempts: String(refused.tries) });
      return retry(refused);
    }
    case 'uncertain':
      return message.onUncertain === 'hold'
        ? { ...counted, reason, state: 'uncertain', nextAt: null }
        : retry();
    case 'busy':
      return retry(counted, result.retry_after_ms);
    case 'redirected':
    case 'server_error':
    case 'unreachable':
      return retry();
  }
}
