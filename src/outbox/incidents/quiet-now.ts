import type { Quiet } from '../../config/compiled/alerting.ts';
import { hoursEnd } from '../../config/compiled/hours.ts';
import type { Holding, Subscriber } from './entries.ts';

/** The quiet hours that a receiver has now. */
export interface QuietNow {
  /** The time when the last of them end (ms). */
  readonly until: number;
  readonly as: Holding['as'];
  /** True if resolutions wait for the morning. */
  readonly holdsResolved: boolean;
}

/**
 * The time after quiet hours in which everything that they held back is sent, whatever was published meanwhile (ms).
 */
const OVER_MS = 3_600_000;

/**
 * Returns the current quiet hours. If they held something back, they end as they would have, whatever was published
 * since.
 */
export function quietNow({ held }: Subscriber, quiets: readonly Quiet[], now: number): QuietNow | null {
  if (held?.by !== 'quiet' || held.until === null) return quietIn(quiets, now);
  const { until, as } = held;
  if (until > now)
    return {
      until,
      as,
      holdsResolved: quiets.length === 0 || quiets.some(({ resolved }) => resolved === 'hold'),
    };
  // Items that could not be sent when the quiet hours ended, because the account was paused, are in those of the next
  // night.
  return now - until < OVER_MS ? null : quietIn(quiets, now);
}

/** Returns the current quiet hours; null if there are none now. */
export function quietIn(quiets: readonly Quiet[], now: number): QuietNow | null {
  const running = quiets.flatMap(({ hours, do: as, resolved }) => {
    const until = hoursEnd(hours, now);
    return until === null ? [] : [{ until, as, resolved }];
  });
  if (running.length === 0) return null;
  return {
    until: Math.max(...running.map(({ until }) => until)),
    as: running.some(({ as }) => as === 'digest') ? 'digest' : 'hold',
    holdsResolved: running.some(({ resolved }) => resolved === 'hold'),
  };
}
