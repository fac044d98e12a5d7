import type { Operated } from '../../outbox/operations.ts';
import { findInOutboxes, type OutboxStub } from '../../outbox/outboxes.ts';
import type { MessageView } from '../../outbox/answers/api-message.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { conflict, notFound } from '../request/input.ts';

/** Retry and cancel of one message. */
export const operateRoutes = {
  retryMessage: apiRoute({
    method: 'POST',
    path: '/messages/{id}/retry',
    role: 'operator',
    handle: ({ env, params: { id }, login }) => operated(env, id, (outbox) => outbox.retry(id, login.actor)),
  }),

  cancelMessage: apiRoute({
    method: 'POST',
    path: '/messages/{id}/cancel',
    role: 'operator',
    handle: ({ env, params: { id }, login }) => operated(env, id, (outbox) => outbox.cancel(id, login.actor)),
  }),
} satisfies ApiRoutes;

interface Done extends Operated {
  readonly message: MessageView | null;
}

/** Calls the outbox of the message, and returns the message afterwards. */
async function operated(
  env: Env,
  id: string,
  action: (outbox: OutboxStub) => Promise<Operated | null>,
): Promise<MessageView | Response> {
  const done = await findInOutboxes(env, async (outbox): Promise<Done | null> => {
    const result = await action(outbox);
    return result === null ? null : { ...result, message: await outbox.readMessage(id) };
  });
  if (done?.message === undefined || done.message === null) return notFound(`message \`${id}\``);
  return done.refusal === null ? done.message : conflict(`The message ${done.refusal}.`);
}
