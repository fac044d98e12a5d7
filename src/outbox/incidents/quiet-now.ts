import type { Quiet } from '../../config/config.ts';
import { hoursEnd } from '../../config/hours.ts';
import type { QuietNow } from './plan.ts';

/** The quiet hours that a receiver has now: until the last of them ends, and what becomes of what is held back. */
export function quietNow(quiets: readonly Quiet[], now: number): QuietNow | null {
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
