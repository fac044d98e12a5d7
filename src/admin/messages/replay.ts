import { Hono } from 'hono/tiny';
import { loadConfig } from '../../config/load.ts';
import { newEventId, secureRandomBytes } from '../../lib/id.ts';
import { ok } from '../../lib/result.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { check, notFound, readJson } from '../request/input.ts';
import { findInOutboxes } from '../../outbox/outboxes.ts';
import type { StoredEvent } from '../../outbox/read/views.ts';
import { replaySchema } from './replay-choice.ts';
import { replayEvent } from './replay-event.ts';

/** `POST /events/{id}/replay`: an old event, or a part of it, rendered again with today's configuration, as a new event. */
export const replay = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

replay.post('/events/:id/replay', async (context) => {
  const { env } = context;
  const id = context.req.param('id');
  const { raw } = context.req;
  const body = raw.body === null || raw.headers.get('content-length') === '0' ? ok({}) : await readJson(raw);
  if (!body.ok) return body.error;
  const choice = check(replaySchema, body.value);
  if (!choice.ok) return choice.error;
  const stored = await findInOutboxes<StoredEvent>(env, (outbox) => outbox.readEvent(id));
  if (stored === null) return notFound(`event \`${id}\``);
  const now = Date.now();
  const config = await loadConfig(env, now);
  const newId = newEventId(now, secureRandomBytes);
  const done = await replayEvent({ env, config, by: context.get('actor'), now }, stored, choice.value, newId);
  if (!done.ok) return done.error.answer;
  const { event, messages, waiting } = done.value;
  return context.json({ event, replay_of: id, messages, ...(waiting !== undefined && { waiting }) }, 202);
});
