import * as z from 'zod/mini';
import type { IncidentAnswer, OpenIncidentsAnswer } from '../../outbox/answers/api-incident.ts';
import type { OpenOfSource } from '../../outbox/read/open-summary.ts';
import type { IncidentView } from '../../outbox/read/incidents.ts';
import type { ChangeByHand } from '../../outbox/incidents-by-hand.ts';
import { idAt, isIncidentPosition, type IncidentFilter } from '../../outbox/read/list-incidents.ts';
import { outboxNames } from '../../outbox/outboxes.ts';
import type { Page } from '../../outbox/read/read.ts';
import { INCIDENT_STATES } from '../../outbox/state/states.ts';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import { words, type View } from '../../registry/view.ts';
import type { RequestScope } from '../api/answer.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { conflict, moment, notFound } from '../request/input.ts';
import { pageOr, pageParams, wholeList } from '../request/pages.ts';
import { seenSilenceOf } from '../config/silences.ts';
import { bulkAll, bulkCursor, bulkQuery, messageFilter, unclear, wrongCursor } from './bulk.ts';
import { mergePages } from './merge.ts';

/** The maximum number of receivers that a list shows of one incident. */
const MAX_LISTED = 100;
const MAX_SHOWN = 1_000;

/** The maximum number of steps in which a page looks for its first incident. */
const MAX_STEPS = 10;

const seenIncident: View<IncidentAnswer> = {
  ...words('account', 'source', 'route', 'state', 'started_at', 'acknowledged_at', 'resolved_at', 'heard_at'),
  ...words('lost_at', 'occurrences', 'flapping', 'critical', 'event', 'steps', 'next'),
  id: 'incident',
  key: 'exact',
  title: 'exact',
  summary: 'exact',
  severity: 'exact',
  links: 'payload',
  acknowledged_by: 'quoted',
  resolved_by: 'quoted',
  silence_by: seenSilenceOf,
  receivers: {
    ...words('state', 'waits', 'message', 'notified_at', 'silence', 'items', 'notifications'),
    phone: 'phone',
    inhibited_by: 'incident',
  },
};

/** The maximum number of incidents that one request changes. */
const MAX_CHANGED = 500;

const NOT_IDS = `must be a list of up to ${MAX_CHANGED} ids`;

const MANY = {
  query: bulkQuery,
  body: strictDocument({
    incidents: z.optional(
      z
        .array(z.string({ error: NOT_IDS }), { error: NOT_IDS })
        .check(z.maxLength(MAX_CHANGED, { error: NOT_IDS })),
    ),
    source: messageFilter.source,
    group: z.optional(z.string({ error: 'must be a text' })),
    all: bulkAll('all open incidents, of every account'),
    cursor: bulkCursor,
  }),
};

type ManyScope = Required<Pick<RequestScope, 'env' | 'login'>> & {
  readonly query: { readonly dry_run?: string | undefined };
  readonly body: z.output<typeof MANY.body>;
};

/** The counts of a source that are added up over its accounts. */
const COUNTS = ['open', 'unattended', 'acknowledged', 'silenced', 'inhibited', 'critical'] as const;

/** `/incidents`: open and past incidents. */
export const incidentRoutes = {
  listIncidents: apiRoute({
    method: 'GET',
    path: '/incidents',
    role: 'viewer',
    view: { items: seenIncident, next_cursor: 'cursor' },
    query: {
      ...pageParams,
      source: z.optional(z.string()),
      route: z.optional(z.string()),
      state: z.optional(oneOf(INCIDENT_STATES)),
      since: z.optional(moment),
      critical: z.optional(oneOf(['true', 'false'])),
    },
    handle: async ({ env, query: { critical, ...filter } }) => {
      const page = await positions(env, { ...filter, critical: critical && critical === 'true' });
      return pageOr(page === null ? null : await wholePage(env, await outboxNames(env), page));
    },
  }),

  summarizeIncidents: apiRoute({
    method: 'GET',
    path: '/open-incidents',
    role: 'viewer',
    view: {
      items: {
        ...words('source', 'fired_at', ...COUNTS),
        worst: seenIncident,
      },
      next_cursor: 'words',
    },
    handle: async ({ env }) => wholeList(await summary(env)),
  }),

  getIncident: apiRoute({
    method: 'GET',
    path: '/incidents/{id}',
    role: 'viewer',
    view: seenIncident,
    isIdSealed: true,
    handle: async ({ env, params }) => (await whole(env, params.id)) ?? noIncident(),
  }),

  acknowledgeIncident: apiRoute({
    method: 'POST',
    path: '/incidents/{id}/acknowledge',
    role: 'operator',
    handle: ({ env, params, login }) => changeOne(env, 'acknowledged', params.id, login.actor),
  }),

  resolveIncident: apiRoute({
    method: 'POST',
    path: '/incidents/{id}/resolve',
    role: 'operator',
    handle: ({ env, params, login }) => changeOne(env, 'resolved', params.id, login.actor),
  }),

  acknowledgeIncidents: apiRoute({
    method: 'POST',
    path: '/incidents/acknowledge',
    role: 'operator',
    ...MANY,
    handle: (scope) => changeMany(scope, 'acknowledged'),
  }),

  resolveIncidents: apiRoute({
    method: 'POST',
    path: '/incidents/resolve',
    role: 'operator',
    ...MANY,
    handle: (scope) => changeMany(scope, 'resolved'),
  }),
} satisfies ApiRoutes;

/** Returns the places of the incidents of a list, page by page; null if the cursor is not of it. */
async function positions(
  env: Env,
  { cursor, ...filter }: IncidentFilter,
): Promise<Page<FoundIncident> | null> {
  return mergePages({
    outboxes: await outboxNames(env),
    limit: filter.limit,
    cursor,
    read: async (outbox, position): Promise<Page<FoundIncident>> => {
      const list = (at: string | undefined): Promise<Page<string>> =>
        env.OUTBOX.getByName(outbox).listIncidents({ ...filter, cursor: at });
      let next = await list(position);
      // Between the steps of a rare filter, the outbox takes webhooks.
      for (let step = 1; step < MAX_STEPS && next.items.length === 0; step += 1) {
        if (next.next_cursor === null) break;
        next = await list(next.next_cursor);
      }
      return { ...next, items: next.items.map((at) => ({ outbox, position: at })) };
    },
    time: ({ position }) => position,
    position: ({ position }) => position,
    isPosition: isIncidentPosition,
  });
}

/** The open incidents by source. Those with critical ones come first. */
async function summary(env: Env): Promise<readonly OpenIncidentsAnswer[]> {
  const outboxes = await outboxNames(env);
  const found = await Promise.all(
    outboxes.map(async (name): Promise<readonly OpenOfSource[]> =>
      env.OUTBOX.getByName(name).summarizeIncidents(),
    ),
  );
  const bySource = Map.groupBy(found.flat(), ({ source }) => source);
  const sums = [...bySource.values()].flatMap((parts): readonly OpenOfSource[] => {
    const [last] = parts.toSorted((one, other) => ((one.fired_at ?? '') < (other.fired_at ?? '') ? 1 : -1));
    if (last === undefined) return [];
    const counts: Record<(typeof COUNTS)[number], number> = { ...last };
    for (const key of COUNTS) counts[key] = parts.reduce((total, part) => total + part[key], 0);
    const worst = parts
      .flatMap((part) => part.worst ?? [])
      .toSorted()
      .at(-1);
    return [{ ...last, ...counts, worst: worst === undefined ? null : idAt(worst) }];
  });
  const ids = sums.flatMap(({ worst }) => worst ?? []);
  const read =
    ids.length === 0 ? [] : await readIn(env, outboxes, ids, { limit: MAX_LISTED, isWhole: false });
  const views = Map.groupBy(read, ({ incident }) => incident.id);
  return sums
    .map((one) => ({ ...one, worst: merged(views.get(one.worst ?? '') ?? [])?.shown ?? null }))
    .toSorted((one, other) => other.critical - one.critical || other.unattended - one.unattended);
}

/** The incidents of a page, each with all its receivers. */
async function wholePage(
  env: Env,
  outboxes: readonly string[],
  { items, next_cursor }: Page<FoundIncident>,
): Promise<Page<IncidentAnswer>> {
  if (items.length === 0) return { items: [], next_cursor };
  const ids = [...new Set(items.map(({ position }) => idAt(position)))];
  const read = await readIn(env, outboxes, ids, { limit: MAX_LISTED, isWhole: false });
  const views = Map.groupBy(read, ({ incident }) => incident.id);
  // If a source has changed its account, its incident is listed only where it is the newest.
  const shown = items.flatMap(({ outbox, position }) => {
    const one = merged(views.get(idAt(position)) ?? []);
    return one?.outbox === outbox ? [one.shown] : [];
  });
  return { items: shown, next_cursor };
}

/** Changes an incident, and returns it. */
async function changeOne(
  env: Env,
  change: ChangeByHand,
  id: string,
  by: string,
): Promise<IncidentAnswer | Response> {
  const [isOpen = null] = await changeIn(env, change, { ids: [id], by, isDryRun: false });
  return isOpen === false ? conflict('The incident is not open.') : ((await whole(env, id)) ?? noIncident());
}

/** Changes those that are named, or a step of those that the filters match. */
async function changeMany(
  { env, query, body: { incidents, all, cursor, ...filter }, login }: ManyScope,
  change: ChangeByHand,
) {
  const problem = unclear({ incidents, ...filter }, all, 'incidents, source or group');
  if (problem !== null) return problem;
  // Whoever has one already goes on having it.
  const state = change === 'acknowledged' ? 'open' : 'unresolved';
  const page =
    incidents === undefined ? await positions(env, { ...filter, state, cursor, limit: MAX_CHANGED }) : null;
  if (incidents === undefined && page === null) return wrongCursor();
  const ids = [...new Set(incidents ?? page?.items.map(({ position }) => idAt(position)))];
  const isDryRun = query.dry_run === 'true';
  const done = await changeIn(env, change, { ids, by: login.actor, isDryRun });
  const left = ids.flatMap((incident, at) =>
    done[at] === true ? [] : [{ incident, why: done[at] === false ? 'not_open' : 'unknown' } as const],
  );
  return { changed: ids.length - left.length, left, next_cursor: page?.next_cursor ?? null };
}

/** Changes incidents in each outbox that has them. False for one that is not open, and null for one that is unknown. */
async function changeIn(
  env: Env,
  change: ChangeByHand,
  of: { readonly ids: readonly string[]; readonly by: string; readonly isDryRun: boolean },
): Promise<readonly (boolean | null)[]> {
  const names = await outboxNames(env);
  const answers: readonly (readonly (boolean | null)[])[] = await Promise.all(
    names.map((name) => env.OUTBOX.getByName(name).changeIncidents(change, of)),
  );
  const isAny = (at: number, is: boolean): boolean => answers.some((answer) => answer[at] === is);
  return of.ids.map((_, at) => isAny(at, true) || (isAny(at, false) ? false : null));
}

/** The position of an incident in an outbox's list. */
interface FoundIncident {
  readonly outbox: string;
  readonly position: string;
}

/** An incident of one receiver, and its outbox. */
type Read = IncidentView & { readonly outbox: string };

/** Reads incidents from all accounts, one for each receiver. */
async function readIn(
  env: Env,
  outboxes: readonly string[],
  ids: readonly string[],
  options: { readonly limit: number; readonly isWhole: boolean },
): Promise<readonly Read[]> {
  const read = outboxes.map(async (outbox) => {
    const views: readonly IncidentView[] = await env.OUTBOX.getByName(outbox).readIncidents(ids, options);
    return views.map((one) => ({ ...one, outbox }));
  });
  return (await Promise.all(read)).flat();
}

/**
 * Merges an incident's views into one with all receivers. The view with the highest position gives the rest. Null if
 * there are no views.
 */
function merged(views: readonly Read[]): { readonly outbox: string; readonly shown: IncidentAnswer } | null {
  const [first, ...rest] = views;
  if (first === undefined) return null;
  const newest = rest.reduce((best, one) => (one.position > best.position ? one : best), first);
  return {
    outbox: newest.outbox,
    shown: { ...newest.incident, receivers: views.map(({ receiver }) => receiver) },
  };
}

/** Does not repeat the id, since a viewer's id was unsealed on the way in. */
const noIncident = (): Response => notFound('such incident');

/** The whole incident; null if there is none. */
async function whole(env: Env, id: string): Promise<IncidentAnswer | null> {
  const read = await readIn(env, await outboxNames(env), [id], { limit: MAX_SHOWN, isWhole: true });
  return merged(read)?.shown ?? null;
}
