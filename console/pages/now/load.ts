import { many } from '../../api/many.ts';
import type { SessionInfo } from '../../api/session.ts';
import type {
  AccountStatuses,
  EventSummary,
  ListPage,
  OpenIncidentsAnswer,
  RejectionAnswer,
  Stats,
} from '../../api/types.ts';

export interface MetricSeries {
  readonly metric: string;
  readonly step_seconds: number;
  readonly points: readonly { readonly at: string; readonly value: number }[];
  readonly complete_from: string | null;
}

/** All that the first screen shows; a part that could not be read is null. */
export interface Overview {
  readonly session: SessionInfo | null;
  readonly status: Omit<AccountStatuses, 'next_cursor'> | null;
  readonly stats: Stats | null;
  readonly rejections: ListPage<RejectionAnswer> | null;
  readonly failed: ListPage<EventSummary> | null;
  readonly partly: ListPage<EventSummary> | null;
  readonly incidents: ListPage<OpenIncidentsAnswer> | null;
  readonly events: MetricSeries | null;
  readonly sent: MetricSeries | null;
  readonly lost: MetricSeries | null;
}

export const HOURS = 24;
const HOUR_MS = 3_600_000;

/** Reads the first screen in one request. `now` in ms. */
export function loadOverview(now: number, signal?: AbortSignal): Promise<Overview> {
  const since = new Date(now - HOURS * HOUR_MS).toISOString();
  // Whole hours, so that the bars do not change their height from minute to minute.
  const to = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const span = new URLSearchParams({
    from: new Date(to - HOURS * HOUR_MS).toISOString(),
    to: new Date(to).toISOString(),
    step: '1h',
  }).toString();
  return many<Omit<{ [Name in keyof Overview]: NonNullable<Overview[Name]> }, never>>(
    {
      session: '/session',
      status: '/status',
      stats: '/stats',
      // Spam would fill the page, and needs nobody.
      rejections: '/rejections?limit=100&spam=false',
      failed: `/events?state=failed&limit=20&since=${since}`,
      partly: `/events?state=partly_failed&limit=20&since=${since}`,
      incidents: '/open-incidents',
      events: `/stats/series?metric=events&${span}`,
      sent: `/stats/series?metric=sent&${span}`,
      lost: `/stats/series?metric=failed&${span}`,
    },
    signal,
  );
}

/**
 * The first screen's own answer also says who is signed in, so opening the console takes one request of the API. Only an
 * answer is kept: a question that was refused is asked again by whoever signs in next. Taken once: whoever comes back to
 * the page asks again.
 */
let first: Overview | null = null;

export async function loadFirst(now: number): Promise<Overview> {
  first = await loadOverview(now);
  return first;
}

export function takeFirst(): Overview | null {
  const taken = first;
  first = null;
  return taken;
}
