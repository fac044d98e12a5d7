import { getEach } from '../../api/client.ts';
import type {
  AccountStatuses,
  EventSummary,
  ListPage,
  OpenIncidentsAnswer,
  RejectionAnswer,
  Series,
  Stats,
} from '../../api/types.ts';

/** What may need somebody now. */
interface Urgent {
  readonly status: Omit<AccountStatuses, 'next_cursor'>;
  readonly rejections: ListPage<RejectionAnswer>;
  readonly failed: ListPage<EventSummary>;
  readonly partly: ListPage<EventSummary>;
  readonly incidents: ListPage<OpenIncidentsAnswer>;
}

interface Figures {
  readonly stats: Stats;
  readonly events: Series;
  readonly sent: Series;
  readonly lost: Series;
}

/** All that the first screen shows; a part that could not be read is null. */
export type Overview = { readonly [Name in keyof (Urgent & Figures)]: (Urgent & Figures)[Name] | null };

export const HOURS = 24;
const HOUR_MS = 3_600_000;

/** `now` in ms. */
export function loadUrgent(now: number, signal: AbortSignal) {
  const since = new Date(now - HOURS * HOUR_MS).toISOString();
  const urgent = {
    status: '/status',
    // Spam would fill the page, and needs nobody.
    rejections: '/rejections?limit=100&spam=false',
    failed: `/events?state=failed&limit=20&since=${since}`,
    partly: `/events?state=partly_failed&limit=20&since=${since}`,
    incidents: '/open-incidents',
  };
  return getEach<Urgent>(urgent, signal);
}

/** `now` in ms. */
export function loadFigures(now: number, signal: AbortSignal) {
  // Whole hours, so that the bars do not change their height from minute to minute.
  const to = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const span = new URLSearchParams({
    from: new Date(to - HOURS * HOUR_MS).toISOString(),
    to: new Date(to).toISOString(),
    step: '1h',
  }).toString();
  const figures = {
    stats: '/stats',
    events: `/stats/series?metric=events&${span}`,
    sent: `/stats/series?metric=sent&${span}`,
    lost: `/stats/series?metric=failed&${span}`,
  };
  return getEach<Figures>(figures, signal);
}
