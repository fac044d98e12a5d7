import { getEach, withQuery } from '../../api/client.ts';
import type {
  AccountStatuses,
  EventSummary,
  ListPage,
  OpenIncidentsAnswer,
  RejectionAnswer,
  Series,
  Stats,
} from '../../api/types.ts';
import { HOURS, lastDay } from '../../parts/sparklines.ts';

interface Parts {
  readonly status: Omit<AccountStatuses, 'next_cursor'>;
  readonly rejections: ListPage<RejectionAnswer>;
  readonly failed: ListPage<EventSummary>;
  readonly partly: ListPage<EventSummary>;
  readonly incidents: ListPage<OpenIncidentsAnswer>;
  readonly stats: Stats;
  readonly events: Series;
  readonly sent: Series;
  readonly lost: Series;
}

type Figure = 'stats' | 'events' | 'sent' | 'lost';

/** All that the first screen shows; a part that could not be read is null. */
export type Overview = { readonly [Name in keyof Parts]: Parts[Name] | null };

/** What may need somebody now. `now` in ms. */
export function loadUrgent(now: number, signal: AbortSignal) {
  const since = new Date(now - HOURS * 3_600_000).toISOString();
  const urgent = {
    status: '/status',
    // Spam would fill the page, and needs nobody.
    rejections: '/rejections?limit=100&spam=false',
    failed: `/events?state=failed&limit=20&since=${since}`,
    partly: `/events?state=partly_failed&limit=20&since=${since}`,
    incidents: '/open-incidents',
  };
  return getEach<Omit<Parts, Figure>>(urgent, signal);
}

/** `now` in ms. */
export function loadFigures(now: number, signal: AbortSignal) {
  const series = (metric: string): string => withQuery('/stats/series', { metric, ...lastDay(now) });
  const figures = {
    stats: '/stats',
    events: series('events'),
    sent: series('sent'),
    lost: series('failed'),
  };
  return getEach<Pick<Parts, Figure>>(figures, signal);
}
