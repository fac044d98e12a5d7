import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { registry } from '../config/registry-client.ts';
import { oneOf } from '../schema/parts.ts';
import { problemResponse } from '../lib/problem.ts';
import { FRAME_TYPES } from '../outbox/tail/frame.ts';
import { writeWatcher } from '../registry/tail-hub.ts';
import type { AdminVariables } from './auth/auth.ts';
import { sightOf } from './auth/viewer-sees.ts';
import { checkQuery } from './request/input.ts';
import { REFUSALS } from './request/refusals.ts';

/** Longer than any source's name; it is kept with the socket. */
const MAX_SOURCE = 64;

/** What a client of the tail may ask for. */
export const tailQuery = {
  source: z.optional(z.string().check(z.maxLength(MAX_SOURCE, { error: 'must be the id of a source' }))),
  /** The type of frames. */
  type: z.optional(oneOf(FRAME_TYPES)),
};

/** `GET /tail`: what happens, while it happens, over a WebSocket. */
export const tail = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

tail.get('/tail', async (context) => {
  const query = checkQuery(tailQuery, context);
  if (!query.ok) return query.error;
  if (context.req.header('upgrade')?.toLowerCase() !== 'websocket')
    return problemResponse(REFUSALS['upgrade-required']);
  const { source = null, type = null } = query.value;
  const { expiresAt: until, session, role } = context.var;
  const sight = role === 'viewer' ? sightOf(context.env) : null;
  const watcher = writeWatcher({ source, type, until, session, sight });
  const joined = await registry(context.env).fetch(`https://registry/?${watcher}`, {
    headers: { upgrade: 'websocket' },
  });
  if (joined.webSocket === null) return problemResponse(REFUSALS['too-many-watchers']);
  // Created again: the headers of an answer from another object cannot be changed.
  return new Response(null, { status: 101, webSocket: joined.webSocket });
});
