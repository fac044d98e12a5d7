import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import type { IncidentView } from '../../outbox/read/incidents.ts';
import { idAt, isIncidentPosition } from '../../outbox/read/list-incidents.ts';
import { findInOutboxes, outboxNames } from '../../outbox/outboxes.ts';
import type { Page } from '../../outbox/read/read.ts';
import { INCIDENT_STATES } from '../../outbox/state/states.ts';
import { oneOf } from '../../schema/parts.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { conflict, moment, notFound } from '../request/input.ts';
import { answerPage, pageParams } from '../request/pages.ts';
import { mergePages } from './merge.ts';

/** The query of `GET /incidents`. */
export const incidentsQuery = {
  ...pageParams,
  source: z.optional(z.string()),
  route: z.optional(z.string()),
  state: z.optional(oneOf(INCIDENT_STATES)),
  since: z.optional(moment),
};

/** How many receivers of one incident an outbox lists, and shows. */
const MAX_LISTED = 100;
const MAX_SHOWN = 1_000;

/** `/incidents`: what is open, and what was. */
export const incidents = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

incidents.get('/incidents', (context) =>
  answerPage(context, incidentsQuery, async ({ cursor, ...filter }) => {
    const { env } = context;
    const outboxes = await outboxNames(env);
    const page = await mergePages({
      outboxes,
      limit: filter.limit,
      cursor,
      read: async (outbox, position): Promise<Page<Found>> => {
        const { items, next_cursor } = await env.OUTBOX.getByName(outbox).listIncidents({
          ...filter,
          cursor: position,
        });
        return { items: items.map((at) => ({ outbox, position: at })), next_cursor };
      },
      time: ({ position }) => position,
      position: ({ position }) => position,
      isPosition: isIncidentPosition,
    });
    if (page === null || page.items.length === 0) return page;
    const ids = [...new Set(page.items.map(({ position }) => idAt(position)))];
    const read = await readIn(env, outboxes, ids, { limit: MAX_LISTED, isWhole: false });
    const views = Map.groupBy(read, ({ incident }) => incident.id);
    // A source may have changed its account: its incident is listed where it is the newest.
    const items = page.items.flatMap(({ outbox, position }) => {
      const one = merged(views.get(idAt(position)) ?? []);
      return one?.outbox === outbox ? [one.shown] : [];
    });
    return { items, next_cursor: page.next_cursor };
  }),
);

incidents.get('/incidents/:id', async (context) => {
  // Of the address as it is by now, and not as it was routed: a viewer has other ids.
  const id = new URL(context.req.url).pathname.split('/').at(-1) ?? '';
  return (await shown(context.env, id)) ?? noIncident();
});

incidents.post('/incidents/:id/acknowledge', ({ env, get, req }) =>
  change(env, req.param('id'), (outbox, id) => outbox.acknowledgeIncident(id, get('actor'))),
);

incidents.post('/incidents/:id/resolve', ({ env, get, req }) =>
  change(env, req.param('id'), (outbox, id) => outbox.resolveIncident(id, get('actor'))),
);

type Outbox = Parameters<Parameters<typeof findInOutboxes>[1]>[0];

/** Changes an incident in each outbox that has it, and shows it then. `by`: false where it is not open, null where it is not known. */
async function change(
  env: Env,
  id: string,
  by: (outbox: Outbox, id: string) => Promise<boolean | null>,
): Promise<Response> {
  let isChanged = false;
  const found = await findInOutboxes(env, async (outbox) => {
    const changed = await by(outbox, id);
    isChanged ||= changed === true;
    return changed;
  });
  if (found !== null && !isChanged) return conflict('The incident is not open.');
  return (await shown(env, id)) ?? noIncident();
}

/** Where an outbox has an incident in its list. */
interface Found {
  readonly outbox: string;
  readonly position: string;
}

/** An incident of one receiver, and its outbox. */
type Read = IncidentView & { readonly outbox: string };

/** Incidents of all their receivers, from all accounts. */
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

/** One incident of several receivers, as the one shows it for whom it is the newest. Null: there are none. */
function merged(views: readonly Read[]) {
  const [first, ...rest] = views;
  if (first === undefined) return null;
  const newest = rest.reduce((best, one) => (one.position > best.position ? one : best), first);
  return {
    outbox: newest.outbox,
    shown: { ...newest.incident, receivers: views.map(({ receiver }) => receiver) },
  };
}

/** Repeats no id: a viewer's was opened on the way in. */
const noIncident = (): Response => notFound('such incident');

/** The whole incident; null: there is none. */
async function shown(env: Env, id: string): Promise<Response | null> {
  const read = await readIn(env, await outboxNames(env), [id], { limit: MAX_SHOWN, isWhole: true });
  const one = merged(read);
  return one === null ? null : Response.json(one.shown);
}
