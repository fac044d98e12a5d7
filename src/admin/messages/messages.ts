import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { oneOf } from '../../schema/parts.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { notFound, readJson } from '../request/input.ts';
import { answerPage, pageParams } from '../request/pages.ts';
import { mergePages } from './merge.ts';
import { outboxNames, findInOutboxes } from '../../outbox/outboxes.ts';
import { sendNow } from './send-now.ts';
import { MESSAGE_STATES } from '../../outbox/state/states.ts';

/** The query of `GET /messages`. */
export const messagesQuery = {
  ...pageParams,
  state: z.optional(oneOf(MESSAGE_STATES)),
  source: z.optional(z.string()),
  event: z.optional(z.string()),
  phone: z.optional(z.string()),
};

/** `/messages`: what was sent, is being sent, or could not be. */
export const messages = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

messages.get('/messages', (context) =>
  answerPage(context, messagesQuery, async ({ cursor, ...filter }) =>
    mergePages({
      outboxes: await outboxNames(context.env),
      limit: filter.limit,
      cursor,
      read: (account, position) =>
        context.env.OUTBOX.getByName(account).listMessages({ ...filter, cursor: position }),
      time: ({ created_at }) => created_at,
      position: ({ id }) => id,
      isPosition: (text) => text.startsWith('msg_'),
    }),
  ),
);

messages.get('/messages/:id', async (context) => {
  const id = context.req.param('id');
  const message = await findInOutboxes(context.env, (outbox) => outbox.readMessage(id));
  return message === null ? notFound(`message \`${id}\``) : context.json(message);
});

messages.post('/messages', async (context) => {
  const body = await readJson(context.req.raw);
  return body.ok ? sendNow(context.env, body.value) : body.error;
});
