import { EVENT_STATES } from '../../../src/schema/states.ts';
import { visibleText } from '../../api/client.ts';
import type { EventPage, EventSummary } from '../../api/types.ts';
import { number, stamp } from '../../lib/format.ts';
import { go, useFilters } from '../../lib/router.ts';
import { momentText } from '../../parts/bulk.tsx';
import { concernsEvents } from '../../lib/live.ts';
import { FilterChoice, FilterText, ListPage, SourceFilter } from '../../parts/list.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { eventReason } from '../../texts/relay-texts.ts';
import { t } from '../../texts/texts.ts';
import { Badge, State, Time } from '../../ui/basics.tsx';
import { useMay } from '../../ui/session.tsx';
import { Coded } from '../../ui/text.tsx';

const REPLAY = { kind: 'replay', key: 'r', icon: 'retry', label: t.events.replayButton } as const;

export function Events() {
  const [query, setFilters] = useFilters();
  const text = query['text'] ?? '';
  return (
    <ListPage<EventPage>
      title={t.nav.events}
      path="/events"
      names={['source', 'state', 'type', 'since', 'until', 'text']}
      actions={useMay('operator') ? [REPLAY] : []}
      isOnDemand={text !== ''}
      concerns={concernsEvents}
      words={t.events}
      search={
        <SearchBox
          text={text}
          onText={(text) => setFilters({ text })}
          onPhone={(phone) => go('/search', { number: phone })}
        />
      }
      filters={<EventFilters {...query} />}
      note={(page) => text !== '' && <Searched text={text} page={page} />}
      heights={[60, 36]}
      heads={[
        'events-row',
        [t.events.subject, t.events.type, t.common.source, t.nav.messages, t.events.received],
      ]}
    >
      {(event) => <EventRow event={event} />}
    </ListPage>
  );
}

function Searched({ text, page }: { text: string; page: EventPage | null }) {
  const searched = page?.searched;
  return (
    <p class="note list-note" role="status">
      <strong>{t.events.contains(text)}</strong>{' '}
      {searched !== undefined &&
        (searched.back_to === null ? t.events.lookedAll : t.events.lookedBack(stamp(searched.back_to)))}
    </p>
  );
}

const STATES = EVENT_STATES.map((state) => [state, t.states[state]] as const);

function EventFilters({ since = '', until = '' }: { since?: string; until?: string }) {
  const choices: Record<string, string> = { ...t.events.sinceChoices };
  if (since !== '')
    choices[since] ??= t.events.sinceAt(momentText(since), until === '' ? '' : momentText(until));
  return (
    <>
      <SourceFilter />
      <FilterChoice name="state" label={t.common.state} options={STATES} />
      <FilterText name="type" label={t.events.type} />
      <FilterChoice name="since" label={t.events.since} options={Object.entries(choices)} clears="until" />
    </>
  );
}

const COUNTS = [
  ['sent', 'good'],
  ['failed', 'bad'],
  ['waiting', 'busy'],
] as const;

const EventRow = ({ event }: { event: EventSummary }) => {
  const { source, type, state, duplicates, replay_of, received_at, counts } = event;
  const reason = eventReason(event);
  const name = visibleText(event.subject) ?? type;
  return (
    <div class="events-row">
      <span class="line small events-row-subject">
        <span class="events-row-name cut" dir="auto">
          {name ?? <span class="soft">{t.events.noType}</span>}
        </span>
        {state !== 'routed' && <State of={state} />}
        {replay_of !== undefined && <Badge tone="calm">{t.events.replay}</Badge>}
        {duplicates > 0 && <span class="soft">{t.events.duplicates(number(duplicates))}</span>}
        {reason !== undefined && (
          <span class="events-row-why bad-text cut" title={reason}>
            <Coded text={reason} />
          </span>
        )}
      </span>
      <span class="events-row-type soft cut" dir="auto">
        {name === type ? '' : type}
      </span>
      <span class="events-row-source soft cut">{source}</span>
      <span class="flow small events-row-counts">
        {counts &&
          COUNTS.map(
            ([name, tone]) =>
              counts[name] > 0 && (
                <span key={name} class={tone}>
                  {number(counts[name])} {t.events.counts[name]}
                </span>
              ),
          )}
      </span>
      <Time class="events-row-time" at={received_at} />
    </div>
  );
};
