import * as z from 'zod/mini';
import { oneOf } from '../../schema/parts.ts';
import { words, type View } from '../../registry/view.ts';
import type { MessageView } from '../../outbox/answers/api-message.ts';
import { outboxNames, findInOutboxes } from '../../outbox/outboxes.ts';
import { MESSAGE_STATES } from '../../outbox/state/states.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound } from '../request/input.ts';
import { pageOr, pageParams } from '../request/pages.ts';
import { mergePages } from './merge.ts';
import { messageSchema, sendNow } from './send-now.ts';
import { takenFor } from './whole-event.ts';

export const seenMessage: View<MessageView> = {
  ...words('id', 'event', 'source', 'route', 'account', 'kind', 'state', 'code', 'actions', 'fallback'),
  ...words('fallback_account', 'fallback_of', 'fallback_of_account'),
  ...words('escaped_at', 'next_attempt_at', 'created_at', 'sent_at', 'config_version'),
  phone: 'phone',
  params: 'exact',
  reason: 'quoted',
  reason_params: 'quoted',
  attempts: {
    ...words('n', 'at', 'duration_ms', 'outcome', 'http_status'),
    response: 'quoted',
    detail: 'quoted',
  },
  about: { ...words('form', 'why', 'new', 'resolved', 'firing', 'summarized', 'since'), incidents: 'id' },
  waits: { ...words('for', 'until', 'per_hour', 'per_day', 'attempt', 'of'), detail: 'quoted' },
};

/** `/messages`: messages in every state. */
export const messageRoutes = {
  listMessages: apiRoute({
    method: 'GET',
    path: '/messages',
    role: 'viewer',
    view: { items: seenMessage, next_cursor: 'id' },
    query: {
      ...pageParams,
      state: z.optional(oneOf(MESSAGE_STATES)),
      source: z.optional(z.string()),
      event: z.optional(z.string()),
      phone: z.optional(z.string()),
    },
    guesses: ['phone'],
    handle: async ({ env, query: { cursor, ...filter } }) => {
      const { event } = filter;
      const taken = event === undefined ? null : await takenFor(env, event);
      return pageOr(
        await mergePages<MessageView>({
          outboxes: await outboxNames(env),
          limit: filter.limit,
          cursor,
          read: (account, position) =>
            env.OUTBOX.getByName(account).listMessages({
              ...filter,
              cursor: position,
              taken: taken?.get(account),
            }),
          time: ({ created_at }) => created_at,
          position: ({ id }) => id,
          isPosition: (text) => text.startsWith('msg_'),
        }),
      );
    },
  }),

  sendMessage: apiRoute({
    method: 'POST',
    path: '/messages',
    role: 'operator',
    body: messageSchema,
    status: 202,
    handle: ({ env, body }) => sendNow(env, body),
  }),

  getMessage: apiRoute({
    method: 'GET',
    path: '/messages/{id}',
    role: 'viewer',
    view: seenMessage,
    handle: async ({ env, params: { id } }) => {
      const message = await findInOutboxes<MessageView>(env, (outbox) => outbox.readMessage(id));
      return message ?? notFound(`message \`${id}\``);
    },
  }),
} satisfies ApiRoutes;
