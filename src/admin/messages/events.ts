import { Hono } from 'hono/tiny';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { notFound } from '../request/input.ts';
import { answerPage, pageParams } from '../request/pages.ts';
import { eventFilter } from './event-filter.ts';
import { mergePages } from './merge.ts';
import { SearchSum } from './search.ts';
import { findInOutboxes, outboxNames } from '../../outbox/outboxes.ts';
import type { StoredEvent } from '../../outbox/read/views.ts';

/** The query of `GET /events`. */
export const eventsQuery = { ...pageParams, ...eventFilter };

/** `/events`: what was received. */
export const events = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

events.get('/events', (context) =>
  answerPage(context, eventsQuery, async ({ cursor, ...filter }) => {
    const sum = new SearchSum();
    const page = await mergePages({
      outboxes: await outboxNames(context.env),
      limit: filter.limit,
      cursor,
      read: async (account, position) =>
        sum.add(await context.env.OUTBOX.getByName(account).listEvents({ ...filter, cursor: position })),
      time: ({ received_at }) => received_at,
      position: ({ id }) => id,
      isPosition: (text) => text.startsWith('evt_'),
    });
    return page === null || filter.text === undefined ? page : sum.of(page);
  }),
);

events.get('/events/:id', async (context) => {
  const id = context.req.param('id');
  const event = await findInOutboxes<StoredEvent>(context.env, (outbox) => outbox.readEvent(id));
  if (event === null) return notFound(`event \`${id}\``);
  return context.json({
    ...event,
    payload: parseOwnJson<unknown>(event.payload),
    headers: parseOwnJson<unknown>(event.headers),
    query: parseOwnJson<unknown>(event.query),
  });
});
