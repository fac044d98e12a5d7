import * as z from 'zod/mini';
import { registry } from '../config/registry-client.ts';
import { oneOf } from '../schema/parts.ts';
import { problemResponse } from '../lib/problem.ts';
import { FRAME_TYPES } from '../outbox/tail/frame.ts';
import { writeWatcher } from '../registry/tail-hub.ts';
import { apiRoute, type ApiRoutes } from './api/route.ts';
import { sightOf } from './auth/role.ts';
import { REFUSALS } from './request/refusals.ts';

/** Longer than any source's name. It is kept with the socket. */
const MAX_SOURCE = 64;

/** The tail. */
export const tailRoutes = {
  tail: apiRoute({
    method: 'GET',
    path: '/tail',
    role: 'viewer',
    // The code that sends frames decides which part of each a viewer gets.
    view: 'empty',
    query: {
      source: z.optional(z.string().check(z.maxLength(MAX_SOURCE, { error: 'must be the id of a source' }))),
      /** The type of frames. */
      type: z.optional(oneOf(FRAME_TYPES)),
    },
    handle: async ({ env, request, query, login }) => {
      if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
        return problemResponse(REFUSALS['upgrade-required']);
      const { source = null, type = null } = query;
      const { expiresAt: until, session, role } = login;
      const sight = role === 'viewer' ? sightOf(env) : null;
      const watcher = writeWatcher({ source, type, until, session, sight });
      const joined = await registry(env).fetch(`https://registry/?${watcher}`, {
        headers: { upgrade: 'websocket' },
      });
      if (joined.webSocket === null) return problemResponse(REFUSALS['too-many-watchers']);
      // A new response, since the headers of another object's answer cannot be changed.
      return new Response(null, { status: 101, webSocket: joined.webSocket });
    },
  }),
} satisfies ApiRoutes;
