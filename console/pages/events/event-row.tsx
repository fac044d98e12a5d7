import type { EventSummary } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { seenText } from '../../lib/hidden.ts';
import { t } from '../../texts/texts.ts';
import { Badge, State, Time } from '../../ui/basics.tsx';

/** An event in the list: columns, or on a phone two lines. */
export const EventRow = ({ event }: { event: EventSummary }) => {
  const { source, type, state, duplicates, replay_of, received_at } = event;
  const reason = seenText(event.reason);
  const subject = seenText(event.subject);
  const note = subject ?? (reason === undefined ? seenText(event.dedupe_key) : undefined);
  return (
    <div class="events-row">
      <span class="events-row-state">
        <State of={state} />
      </span>
      <span class="events-row-type cut" dir="auto">
        {type ?? <span class="soft">{t.events.noType}</span>}
      </span>
      <span class="events-row-source cut">{source}</span>
      <span class="events-row-why cut">
        {replay_of !== undefined && <Badge tone="calm">{t.events.replay}</Badge>}
        {duplicates > 0 && <span class="soft">{t.events.duplicates(number(duplicates))}</span>}
        {note !== undefined && (
          <span class={subject === undefined ? 'events-row-key soft cut' : 'cut'} dir="auto">
            {note}
          </span>
        )}
        {reason !== undefined && (
          <span class="bad-text cut" title={reason}>
            {reason}
          </span>
        )}
      </span>
      <span class="events-row-time">
        <Time at={received_at} />
      </span>
    </div>
  );
};
