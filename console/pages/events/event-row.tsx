import type { EventSummary } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { seenText } from '../../lib/hidden.ts';
import { said } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { Badge, State, Time, type Tone } from '../../ui/basics.tsx';
import { Said } from '../../ui/said.tsx';

export const EventHeads = () => (
  <div class="events-row">
    <span>{t.events.subject}</span>
    <span>{t.events.type}</span>
    <span>{t.events.source}</span>
    <span>{t.nav.messages}</span>
    <span class="events-row-time">{t.events.received}</span>
  </div>
);

/** An event in the list: columns, or on a phone two lines. */
export const EventRow = ({ event }: { event: EventSummary }) => {
  const { source, type, state, duplicates, replay_of, received_at, counts } = event;
  const reason = seenText(event.reason);
  const subject = seenText(event.subject);
  const name = subject ?? type;
  return (
    <div class="events-row">
      <span class="events-row-subject">
        <span class="events-row-name cut" dir="auto">
          {name ?? <span class="soft">{t.events.noType}</span>}
        </span>
        {state !== 'routed' && <State of={state} />}
        {replay_of !== undefined && <Badge tone="calm">{t.events.replay}</Badge>}
        {duplicates > 0 && <span class="soft">{t.events.duplicates(number(duplicates))}</span>}
        {reason !== undefined && (
          <span class="events-row-why bad-text cut" title={said(reason)}>
            <Said text={reason} />
          </span>
        )}
      </span>
      <span class="events-row-type soft cut" dir="auto">
        {name === type ? '' : type}
      </span>
      <span class="events-row-source soft cut">{source}</span>
      <span class="events-row-counts">
        {counts !== undefined && (
          <>
            <Count value={counts.sent} tone="good" label={t.events.counts.sent} />
            <Count value={counts.failed} tone="bad" label={t.events.counts.failed} />
            <Count value={counts.waiting} tone="busy" label={t.events.counts.waiting} />
          </>
        )}
      </span>
      <span class="events-row-time">
        <Time at={received_at} />
      </span>
    </div>
  );
};

const Count = ({ value, tone, label }: { value: number; tone: Tone; label: string }) =>
  value === 0 ? null : (
    <span class={tone}>
      {number(value)} {label}
    </span>
  );
