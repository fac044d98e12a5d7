import * as z from 'zod/mini';
import type { IncidentAnswer, OpenIncidentsAnswer } from '../../answers/api-incident.ts';
import type { IncidentChange } from '../../outbox/state/acceptance.ts';
import { namedBy, nameOf, partsOf, type IncidentParts } from '../../outbox/incidents/entries.ts';
import {
  idAt,
  isIncidentPosition,
  type IncidentFilter,
  type IncidentView,
  type OpenOfSource,
  type PlacedIncident,
} from '../../outbox/read/incidents.ts';
import { askOutboxes, outboxNames, type OutboxStub } from '../../outbox/many-outboxes.ts';
import type { Page } from '../../outbox/read/read.ts';
import { INCIDENT_STATES } from '../../schema/states.ts';
import { byLabel } from '../../counts/counts.ts';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import { words, type View } from '../../registry/view.ts';
import type { RequestScope } from '../api/serve.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import {
  conflict,
  moment,
  notFound,
  pageOr,
  pageParams,
  wholeList,
  bulkAll,
  bulkCursor,
  bulkQuery,
  messageFilter,
  unclear,
  wrongCursor,
} from '../request/input.ts';
import { seenSilenceOf } from '../config/silences.ts';
import { mergePages } from './merge.ts';

/** The maximum number of receivers that a list shows of one incident. */
const MAX_LISTED = 100;
const MAX_SHOWN = 1_000;

/** The maximum number of steps in which a page looks for its first incident. */
const MAX_STEPS = 10;

const seenIncident: View<IncidentAnswer> = {
  ...words('account', 'source', 'route', 'state', 'started_at', 'acknowledged_at', 'resolved_at', 'heard_at'),
  ...words('lost_at', 'occurrences', 'flapping', 'critical', 'event', 'steps', 'next'),
  id: 'id',
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
    inhibited_by: 'id',
  },
};

const MAX_CHANGED = 500;
const NOT_IDS = `must be a list of up to ${MAX_CHANGED} ids`;
const ids = z.array(z.string({ error: NOT_IDS }), { error: NOT_IDS });

const MANY = {
  query: bulkQuery,
  body: strictDocument({
    incidents: z.optional(ids.check(z.maxLength(MAX_CHANGED, { error: NOT_IDS }))),
    source: messageFilter.source,
    group: z.optional(z.string({ error: 'must be a text' })),
    all: bulkAll('all open incidents, of every account'),
    cursor: bulkCursor,
  }),
};

interface ManyScope extends Required<Pick<RequestScope, 'env' | 'login'>> {
  readonly query: { readonly dry_run?: string | undefined };
  readonly body: z.output<typeof MANY.body>;
}

const COUNTS = ['open', 'unattended', 'acknowledged', 'silenced', 'inhibited', 'critical'] as const;

export const incidentRoutes = {
  listIncidents: apiRoute('GET /incidents', 'viewer', {
    view: { items: seenIncident, next_cursor: 'id' },
    query: {
      ...pageParams,
      source: z.optional(z.string()),
      route: z.optional(z.string()),
      state: z.optional(oneOf(INCIDENT_STATES)),
      since: z.optional(moment),
      critical: z.optional(oneOf(['true', 'false'])),
    },
    handle: async ({ env, query: { critical, ...filter } }) => {
      const page = await placesIn(env, { ...filter, critical: critical && critical === 'true' });
      return pageOr(page && (await wholePage(env, page)));
    },
  }),

  summarizeIncidents: apiRoute('GET /open-incidents', 'viewer', {
    view: { items: { ...words('source', 'fired_at', ...COUNTS), worst: seenIncident }, next_cursor: 'words' },
    handle: async ({ env }) => wholeList(await summary(env)),
  }),

  getIncident: apiRoute('GET /incidents/{id}', 'viewer', {
    view: seenIncident,
    handle: async ({ env, params: { id }, login }) =>
      // A viewer could find out whether there is an incident with a guessed key.
      login.role === 'viewer' && namedBy(id) !== null
        ? noIncident()
        : whole(env, (await find(env, [id]))[0]?.name),
  }),

  acknowledgeIncident: apiRoute('POST /incidents/{id}/acknowledge', 'operator', {
    handle: ({ env, params, login }) => changeOne(env, 'acknowledged', params.id, login.actor),
  }),

  resolveIncident: apiRoute('POST /incidents/{id}/resolve', 'operator', {
    handle: ({ env, params, login }) => changeOne(env, 'resolved', params.id, login.actor),
  }),

  acknowledgeIncidents: apiRoute('POST /incidents/acknowledge', 'operator', {
    ...MANY,
    handle: (scope) => changeMany(scope, 'acknowledged'),
  }),

  resolveIncidents: apiRoute('POST /incidents/resolve', 'operator', {
    ...MANY,
    handle: (scope) => changeMany(scope, 'resolved'),
  }),
} satisfies ApiRoutes;

/** Returns the incidents of a list, page by page; null if the cursor is not of it. */
async function placesIn(env: Env, { cursor, ...filter }: IncidentFilter) {
  return mergePages({
    outboxes: await outboxNames(env),
    limit: filter.limit,
    cursor,
    read: async (outbox, position): Promise<Page<Located<PlacedIncident>>> => {
      const list = (at: string | undefined): Promise<Page<PlacedIncident>> =>
        env.OUTBOX.getByName(outbox).listIncidents({ ...filter, cursor: at });
      let next = await list(position);
      // Between the steps of a rare filter, the outbox takes webhooks.
      for (let step = 1; step < MAX_STEPS && next.items.length === 0; step += 1) {
        if (next.next_cursor === null) break;
        next = await list(next.next_cursor);
      }
      return { ...next, items: next.items.map((one) => ({ ...one, outbox })) };
    },
    time: ({ position }) => position,
    position: ({ position }) => position,
    isPosition: isIncidentPosition,
  });
}

async function summary(env: Env): Promise<readonly OpenIncidentsAnswer[]> {
  const found = await askOutboxes<readonly OpenOfSource[]>(env, (outbox) => outbox.summarizeIncidents());
  const bySource = Map.groupBy(found.flat(), ({ source }) => source);
  const sums = [...bySource.values()].flatMap((parts): readonly OpenOfSource[] => {
    const [last] = parts.toSorted((one, other) => ((one.fired_at ?? '') < (other.fired_at ?? '') ? 1 : -1));
    if (last === undefined) return [];
    const counts = byLabel(COUNTS, (key) => parts.reduce((total, part) => total + part[key], 0));
    const [worst = null] = parts
      .flatMap((part) => part.worst ?? [])
      .toSorted((one, other) => (one.position < other.position ? 1 : -1));
    return [{ ...last, ...counts, worst }];
  });
  const worst = sums.flatMap((one) => one.worst ?? []);
  const views = await readAll(env, worst, false);
  return sums
    .map((one) => ({ ...one, worst: one.worst && (views(one.worst)?.shown ?? null) }))
    .toSorted((one, other) => other.critical - one.critical || other.unattended - one.unattended);
}

async function wholePage(env: Env, { items, next_cursor }: Page<Located<PlacedIncident>>) {
  const views = await readAll(env, items, false);
  // If a source has changed its account, its incident is listed only where it is the newest.
  const found = items.map((item) => ({ item, view: views(item) }));
  const shown = found.flatMap(({ item, view }) => (view?.outbox === item.outbox ? [view.shown] : []));
  return { items: shown, next_cursor };
}

async function changeOne(env: Env, change: IncidentChange['change'], id: string, by: string) {
  const name = (await find(env, [id]))[0]?.name ?? null;
  if (name === null) return noIncident();
  const isOpen = await changeIn(env, change, [name], { by, isDryRun: false });
  return isOpen(name) === false ? conflict('The incident is not open.') : whole(env, name);
}

async function changeMany(
  { env, query, body: { incidents, all, cursor, ...filter }, login }: ManyScope,
  change: IncidentChange['change'],
) {
  const problem = unclear({ incidents, ...filter }, all, 'incidents, source or group');
  if (problem !== null) return problem;
  // Whoever has one already goes on having it.
  const state = change === 'acknowledged' ? 'open' : 'unresolved';
  const page =
    incidents === undefined ? await placesIn(env, { ...filter, state, cursor, limit: MAX_CHANGED }) : null;
  if (incidents === undefined && page === null) return wrongCursor();
  const listed = page?.items.map((name) => [nameOf(name), { id: idAt(name.position), name }] as const);
  const named = listed ? [...new Map(listed).values()] : await find(env, [...new Set(incidents)]);
  const names = named.flatMap(({ name }) => name ?? []);
  const isOpen = await changeIn(env, change, names, { by: login.actor, isDryRun: query.dry_run === 'true' });
  const left = named.flatMap(({ id, name }) => {
    const was = name && isOpen(name);
    return was === true ? [] : [{ incident: id, why: was === false ? 'not_open' : 'unknown' } as const];
  });
  return { changed: named.length - left.length, left, next_cursor: page?.next_cursor ?? null };
}

/** Returns for each incident whether it was open; null if it is unknown. */
async function changeIn(
  env: Env,
  change: IncidentChange['change'],
  incidents: readonly IncidentParts[],
  of: { readonly by: string; readonly isDryRun: boolean },
): Promise<(incident: IncidentParts) => boolean | null> {
  const names = incidents.map(partsOf);
  const answers = await askOutboxes<readonly (boolean | null)[]>(env, (outbox) =>
    outbox.changeIncidents(change, { ...of, names }),
  );
  const isOpen = new Map<string, boolean>();
  for (const answer of answers)
    for (const [at, name] of names.map(nameOf).entries())
      if (typeof answer[at] === 'boolean') isOpen.set(name, answer[at] || isOpen.get(name) === true);
  return (incident) => isOpen.get(nameOf(incident)) ?? null;
}

async function find(env: Env, ids: readonly string[]) {
  type Found = readonly (IncidentParts | null)[];
  const answers = await askOutboxes<Found>(env, (outbox) => outbox.findIncidents(ids));
  return ids.map((id, at) => {
    const name = namedBy(id) ?? answers.flatMap((answer) => answer[at] ?? [])[0] ?? null;
    return { id, name };
  });
}

type Located<Found> = Found & { readonly outbox: string };

/** Returns what gives each incident with all receivers, and the rest by the newest view; null if it is unknown. */
async function readAll(env: Env, incidents: readonly IncidentParts[], isWhole: boolean) {
  const options = { limit: isWhole ? MAX_SHOWN : MAX_LISTED, isWhole };
  // Two outboxes may list the same.
  const names = [...new Map(incidents.map((one) => [nameOf(one), partsOf(one)])).values()];
  const read = async (stub: OutboxStub, outbox: string): Promise<readonly Located<IncidentView>[]> => {
    const views: readonly IncidentView[] = await stub.readIncidents(names, options);
    return views.map((one) => ({ ...one, outbox }));
  };
  const found = names.length === 0 ? [] : await askOutboxes(env, read);
  const views = Map.groupBy(found.flat(), ({ incident }) => nameOf(incident));
  return (incident: IncidentParts) => {
    const [first, ...rest] = views.get(nameOf(incident)) ?? [];
    if (first === undefined) return null;
    const receivers = [first, ...rest].map(({ receiver }) => receiver);
    const newest = rest.reduce((best, one) => (one.position > best.position ? one : best), first);
    return { outbox: newest.outbox, shown: { ...newest.incident, receivers } };
  };
}

const noIncident = (): Response => notFound('such incident');

async function whole(env: Env, name: IncidentParts | null = null): Promise<IncidentAnswer | Response> {
  const views = await readAll(env, name === null ? [] : [name], true);
  return (name && views(name)?.shown) ?? noIncident();
}
