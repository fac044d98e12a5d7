import type { EventDetail } from '../../api/types.ts';
import { clock, number, phoneText } from '../../lib/format.ts';
import { addressOf } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Badge, Panel, useNow, type Tone } from '../../ui/basics.tsx';

type Item = NonNullable<EventDetail['items']>[number];

const TONES: Partial<Readonly<Record<Item['outcome'], Tone>>> = { notified: 'good', waiting: 'busy' };

/** The items of an event and their outcomes, each for each receiver. */
export function Items({ items }: { items: readonly Item[] }) {
  const now = useNow(30_000);
  return (
    <Panel title={t.events.items}>
      <ul class="events-items">
        {items.map((item) => (
          <li key={`${item.route}/${item.index}/${item.phone ?? ''}`}>
            <span>{t.events.item(number(item.index))}</span>
            <Badge tone={TONES[item.outcome] ?? 'calm'}>{t.events.outcomes[item.outcome]}</Badge>
            {item.waits !== undefined && <span class="soft">{waitText(item.waits, now)}</span>}
            <span class="grow">{item.phone !== undefined && phoneText(item.phone)}</span>
            {item.message !== undefined && (
              <a href={addressOf(`/messages/${item.message}`)}>{t.messages.open}</a>
            )}
            {item.key !== undefined && <span class="soft events-item-key">{item.key}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function waitText({ for: what, until }: NonNullable<Item['waits']>, now: number): string {
  const text = t.events.itemWaits[what];
  return until === undefined ? text : `${text}, ${t.events.notBefore(clock(until, now))}`;
}
