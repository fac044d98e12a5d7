import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import type { BulkStep } from '../../outbox/operate/operate.ts';
import type { Operated } from '../../outbox/operations.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { check, conflict, moment, notFound, readJson } from '../request/input.ts';
import { callsFor } from '../../outbox/many-outboxes.ts';
import { findInOutboxes, outboxNames } from '../../outbox/outboxes.ts';
import { RETRYABLE_STATES } from '../../outbox/state/states.ts';

/** Operations on messages: retry, cancel, and retry of many. */
export const operate = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

operate.post('/messages/:id/retry', (context) => {
  const id = context.req.param('id');
  return operated(context.env, id, (outbox) => outbox.retry(id, context.get('actor')));
});

operate.post('/messages/:id/cancel', (context) => {
  const id = context.req.param('id');
  return operated(context.env, id, (outbox) => outbox.cancel(id, context.get('actor')));
});

/** Which messages a bulk retry includes. */
export const bulkSchema = strictDocument({
  state: oneOf(RETRYABLE_STATES),
  source: z.optional(z.string({ error: 'must be the id of a source' })),
  since: z.optional(moment),
});

/** Calls of a thousand messages an outbox in one request, so that it ends; `more` says whether to ask again. */
const MAX_CALLS = 20;

operate.post('/messages/retry', async (context) => {
  const body = await readJson(context.req.raw);
  if (!body.ok) return body.error;
  const filter = check(bulkSchema, body.value);
  if (!filter.ok) return filter.error;
  const by = context.get('actor');
  const { env } = context;
  let retried = 0;
  let open = (await outboxNames(env)).map((name) => ({ name, after: 0 }));
  for (let calls = 0; open.length > 0 && calls < MAX_CALLS; calls += callsFor(open.length)) {
    const steps: readonly BulkStep[] = await Promise.all(
      open.map(({ name, after }) => env.OUTBOX.getByName(name).retryAll(filter.value, by, after)),
    );
    retried += steps.reduce((sum, step) => sum + step.retried, 0);
    open = open.flatMap(({ name }, index) => {
      const next = steps[index]?.next ?? null;
      return next === null ? [] : [{ name, after: next }];
    });
  }
  return context.json({ retried, more: open.length > 0 });
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
