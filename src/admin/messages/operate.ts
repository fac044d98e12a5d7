import { Hono } from 'hono/tiny';
import type { Operated } from '../../outbox/operations.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { conflict, notFound } from '../request/input.ts';
import { findInOutboxes } from '../../outbox/outboxes.ts';

/** Retry and cancel of one message. */
export const operate = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

operate.post('/messages/:id/retry', (context) => {
  const id = context.req.param('id');
  return operated(context.env, id, (outbox) => outbox.retry(id, context.get('actor')));
});

operate.post('/messages/:id/cancel', (context) => {
  const id = context.req.param('id');
  return operated(context.env, id, (outbox) => outbox.cancel(id, context.get('actor')));
});

type OutboxStub = ReturnType<Env['OUTBOX']['getByName']>;

/** Does it in the message's object, and shows the message as it is then. */
async function operated(
  env: Env,
  id: string,
  action: (outbox: OutboxStub) => Promise<Operated | null>,
): Promise<Response> {
  const done = await findInOutboxes(env, async (outbox) => {
    const result = await action(outbox);
    return result === null ? null : { ...result, message: await outbox.readMessage(id) };
  });
  if (done === null) return notFound(`message \`${id}\``);
  if (done.refusal === null) return Response.json(done.message);
  return conflict(`The message ${done.refusal}.`);
}
