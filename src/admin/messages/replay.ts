import { loadConfig } from '../../config/load.ts';
import { newEventId, secureRandomBytes } from '../../lib/id.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound } from '../request/input.ts';
import { replaySchema } from './replay-choice.ts';
import { replayEvent } from './replay-event.ts';
import { replaysOf } from './replays-of.ts';
import { wholeEvent } from './whole-event.ts';

/** Renders an old event, or a part of it, with today's configuration, as a new event. */
export const replayRoutes = {
  replayEvent: apiRoute({
    method: 'POST',
    path: '/events/{id}/replay',
    role: 'operator',
    body: replaySchema,
    isBodyOptional: true,
    status: 202,
    handle: async ({ env, params: { id }, body, login }) => {
      const stored = await wholeEvent(env, id);
      if (stored === null) return notFound(`event \`${id}\``);
      const now = Date.now();
      const config = await loadConfig(env, now);
      const newId = newEventId(now, secureRandomBytes);
      const replays = (await replaysOf(env, body, [id])).get(id) ?? [];
      const done = await replayEvent({ env, config, by: login.actor, now }, stored, body, newId, replays);
      if (!done.ok) return done.error.answer;
      const { event, messages, waiting } = done.value;
      return { event, replay_of: id, messages, ...(waiting !== undefined && { waiting }) };
    },
  }),
} satisfies ApiRoutes;
