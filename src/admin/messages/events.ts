import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { oneOf } from '../../schema/parts.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { moment, notFound } from '../request/input.ts';
import { answerPage, pageParams } from '../request/pages.ts';
import { mergePages } from './merge.ts';
import { findEvent, outboxNames } from '../../outbox/outboxes.ts';
import { EVENT_STATES } from '../../outbox/state/states.ts';

/** The query of `GET /events`. */
export const eventsQuery = {
  ...pageParams,
  source: z.optional(z.string()),
  state: z.optional(oneOf(EVENT_STATES)),
  type: z.optional(z.string()),
  since: z.optional(moment),
};

/** `/events`: what was received. */
export const events = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

events.get('/events', (context) =>
  answerPage(context, eventsQuery, async ({ cursor, ...filter }) =>
    mergePages({
      outboxes: await outboxNames(context.env),
      limit: filter.limit,
      cursor,
      read: (account, position) =>
        context.env.OUTBOX.getByName(account).listEvents({ ...filter, cursor: position }),
      time: ({ received_at }) => received_at,
      position: ({ id }) => id,
      isPosition: (text) => text.startsWith('evt_'),
    }),
  ),
);

events.get('/events/:id', async (context) => {
  const id = context.req.param('id');
  const event = await findEvent(context.env, id);
  if (event === null) return notFound(`event \`${id}\``);
  const { is_home: _, ...view } = event;
  return context.json({
    ...view,
    payload: parseOwnJson<unknown>(view.payload),
    headers: parseOwnJson<unknown>(view.headers),
    query: parseOwnJson<unknown>(view.query),
  });
});
