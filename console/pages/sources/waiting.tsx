import type { VNode } from 'preact';
import { get, visibleText } from '../../api/client.ts';
import type { EventSummary, Frame, ListPage, RejectionAnswer } from '../../api/types.ts';
import { number } from '../../lib/format.ts';
import { useNews } from '../../lib/live.ts';
import { useLoad } from '../../lib/load.ts';
import { addressOf } from '../../lib/router.ts';
import { t } from '../../texts/texts.ts';
import { Panel, Pending, State, Time } from '../../ui/basics.tsx';
import { Live } from '../../ui/live.tsx';
import { reasonText, remedyOf } from '../rejections/words.ts';
import { Coded, RelayText } from '../../ui/text.tsx';

const SHOWN = 5;

/** The list keeps 200, of all sources: one page. */
const readLast = async (id: string, signal: AbortSignal) => {
  const [events, rejections] = await Promise.all([
    get<ListPage<EventSummary>>('/events', { source: id, limit: SHOWN }, signal),
    get<ListPage<RejectionAnswer>>('/rejections', { source: id, limit: 200 }, signal),
  ]);
  return { events: events.items, rejections: rejections.items };
};

/** The latest webhooks of a source, live: waits for the first one, and shows why one was refused. */
export function Arrivals({ id }: { id: string }) {
  const last = useLoad(`arrivals ${id}`, (signal) => readLast(id, signal));
  // Once it is known what had come: the first webhook is not missed in between.
  const isAbout = ({ source, type }: Frame): boolean => source === id && type !== 'message';
  const live = useNews(last.value !== null, isAbout, last.again);
  if (last.value === null)
    return (
      <Panel title={t.events.received}>
        <Pending of={last} />
      </Panel>
    );
  const { events, rejections } = last.value;
  return (
    <Panel title={events.length === 0 ? t.sources.waiting : t.events.received} aside={<Live state={live} />}>
      <div aria-live="polite">
        <Verdict events={events} rejections={rejections} />
      </div>
      <Latest
        title={t.sources.lastEvents}
        all={t.sources.allEvents}
        href={addressOf('/events', { source: id })}
      >
        {events.map(({ id: event, subject, type, state, received_at, reason }) => (
          <li class="line" key={event}>
            <a href={addressOf(`/events/${event}`)}>{visibleText(subject) ?? type ?? event}</a>
            <State of={state} />
            {reason !== undefined && <RelayText as="span" class="soft cut" text={reason} />}
            <Time class="end soft small" at={received_at} relative />
          </li>
        ))}
      </Latest>
      <Latest
        title={t.sources.lastRejections}
        all={t.sources.allRejections}
        href={addressOf('/rejections', { source: id })}
      >
        {rejections.slice(0, SHOWN).map(({ n, at, code, detail, times = 1 }) => (
          <li class="line" key={n}>
            <a href={addressOf(`/rejections/${n}`)}>{reasonText(code)}</a>
            {times > 1 && t.rejections.times(number(times))}
            <RelayText as="span" class="soft cut" text={detail} />
            <Time class="end soft small" at={at} relative />
          </li>
        ))}
      </Latest>
    </Panel>
  );
}

/** Says in a sentence how far the source is. */
function Verdict({ events: [event], rejections: [rejection] }: Awaited<ReturnType<typeof readLast>>) {
  if (event === undefined && rejection === undefined)
    return (
      <p class="line soft">
        <span class="sources-pulse" aria-hidden="true" />
        {t.sources.waitingText}
      </p>
    );
  if (rejection !== undefined && (event === undefined || rejection.at > event.received_at)) {
    const remedy = remedyOf(rejection);
    return (
      <div class="box stack sources-verdict bad">
        <p>
          <strong>{t.sources.wasRefused(reasonText(rejection.code))}</strong>{' '}
          <RelayText text={rejection.detail} />
        </p>
        {remedy !== undefined && <Coded as="p" text={remedy} />}
        <p class="line soft">
          <span class="sources-pulse" aria-hidden="true" />
          {t.sources.waitingNext}
        </p>
      </div>
    );
  }
  return event === undefined ? null : (
    <div class="box stack sources-verdict good">
      <p>
        <strong>{t.sources.works}</strong>{' '}
        <a href={addressOf(`/events/${event.id}`)}>{t.sources.openEvent}</a>
      </p>
    </div>
  );
}

interface LatestProps {
  readonly title: string;
  readonly all: string;
  readonly href: string;
  readonly children: readonly VNode[];
}

const Latest = ({ title, all, href, children }: LatestProps) =>
  children.length === 0 ? null : (
    <>
      <h3 class="line sources-sub">
        {title} <a href={href}>{all}</a>
      </h3>
      <ul class="lines sources-lines">{children}</ul>
    </>
  );
