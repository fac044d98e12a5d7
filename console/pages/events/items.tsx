import type { EventDetail } from '../../api/types.ts';
import { clock, number } from '../../lib/format.ts';
import { addressOf } from '../../lib/router.ts';
import { usePeople } from '../../parts/people.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Panel, useNow, type Tone } from '../../ui/basics.tsx';
import type { TripWait } from './trip-steps.ts';

type Item = NonNullable<EventDetail['items']>[number];

const OUTCOME_TONES: Partial<Readonly<Record<Item['outcome'], Tone>>> = { notified: 'good', waiting: 'busy' };

export function Items({ items }: { items: readonly Item[] }) {
  const now = useNow(30_000);
  const { nameOf } = usePeople();
  // A route without `each` has one item, which is the event itself.
  const hasItems = items.some(({ index }) => index > 1);
  return (
    <Panel title={hasItems ? t.events.items : t.incidents.receivers}>
      <ul class="lines events-items">
        {items.map((item) => (
          <li class="flow" key={`${item.route}/${item.index}/${item.phone ?? ''}`}>
            {hasItems && <span>{t.events.item(number(item.index))}</span>}
            <Badge tone={OUTCOME_TONES[item.outcome] ?? 'calm'}>{t.events.outcomes[item.outcome]}</Badge>
            {item.waits !== undefined && <span class="soft">{waitText(item.waits, now)}</span>}
            {item.message === undefined ? (
              item.phone !== undefined && nameOf(item.phone)
            ) : (
              <a href={addressOf(`/messages/${item.message}`)}>
                {item.phone === undefined ? t.messages.open : nameOf(item.phone)}
              </a>
            )}
            {item.key !== undefined && <span class="soft small events-item-key">{item.key}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The reason why an item waits, and until when. */
export function waitText({ for: what, until }: TripWait, now: number): string {
  const text = t.events.itemWaits[what];
  return until === undefined ? text : `${text}, ${t.events.notBefore(clock(until, now))}`;
}
