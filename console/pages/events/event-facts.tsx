import type { EventDetail } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { addressOf } from '../../lib/router.ts';
import { seenText } from '../../lib/hidden.ts';
import { byWhom } from '../../texts/said.ts';
import { t } from '../../texts/texts.ts';
import { Copy, Facts, Panel, State, Time } from '../../ui/basics.tsx';
import { Said } from '../../ui/said.tsx';

/** The facts of an event besides its content. */
export const EventFacts = ({ event }: { event: EventDetail }) => {
  const dedupeKey = seenText(event.dedupe_key);
  const subject = seenText(event.subject);
  return (
    <Panel id="facts">
      {event.reason !== undefined && (
        <p class="events-reason">
          <Said text={seenText(event.reason) ?? t.common.hidden} />
        </p>
      )}
      <Facts
        facts={[
          [t.events.state, <State of={event.state} />],
          [
            t.events.source,
            <a href={addressOf(`/sources/${encodeURIComponent(event.source)}`)}>{event.source}</a>,
          ],
          [t.events.subject, subject !== undefined && <span dir="auto">{subject}</span>],
          [t.events.type, event.type === null && <span class="soft">{t.events.noType}</span>],
          [t.sources.locale, event.locale],
          [
            t.events.received,
            <>
              <Time at={event.received_at} />{' '}
              <span class="soft">
                (<Time at={event.received_at} relative />)
              </span>
            </>,
          ],
          [t.events.duplicatesLabel, event.duplicates > 0 && number(event.duplicates)],
          [t.events.version, t.events.versionOf(number(event.config_version))],
          [t.events.id, <Copy text={event.id} />],
          [t.events.dedupeKey, dedupeKey !== undefined && <Copy text={dedupeKey} />],
          [
            t.events.replayOf,
            event.replay_of !== undefined && (
              <a href={addressOf(`/events/${event.replay_of}`)}>
                <code>{event.replay_of}</code>
              </a>
            ),
          ],
          [t.events.replayedBy, event.replayed_by !== undefined && byWhom(event.replayed_by)],
        ]}
      />
    </Panel>
  );
};
