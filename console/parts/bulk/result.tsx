import { number } from '../../lib/format.ts';
import { addressOf } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import type { BulkSum } from './steps.ts';

const REASONS: Readonly<Record<string, string>> = t.bulk.skipReasons;

/** The skipped entries with their reasons, and the first created ones. */
export function BulkResult({ sum: { skipped, events, done } }: { sum: BulkSum }) {
  const reasons = Object.entries(skipped);
  return (
    <>
      {reasons.length > 0 && (
        <div>
          <h3>{t.bulk.skipped}</h3>
          <ul class="bulk-list">
            {reasons.map(([reason, count]) => (
              <li key={reason}>
                {number(count)} {REASONS[reason] ?? reason}
              </li>
            ))}
          </ul>
        </div>
      )}
      {events.length > 0 && (
        <div>
          <h3>{t.bulk.made}</h3>
          <ul class="bulk-list">
            {events.map((id) => (
              <li key={id}>
                <a href={addressOf(`/events/${id}`)}>
                  <code>{id}</code>
                </a>
              </li>
            ))}
          </ul>
          {done > events.length && <p class="soft">{t.bulk.andMore(number(done - events.length))}</p>}
        </div>
      )}
    </>
  );
}
