import { Hono } from 'hono/tiny';
import { loadConfig } from '../../config/load.ts';
import { accept, acceptance } from '../../ingest/accept/accept.ts';
import { routeEvent, silencing } from '../../ingest/routing/match.ts';
import { newEventId, secureRandomBytes } from '../../lib/id.ts';
import { log } from '../../lib/log.ts';
import { problemResponse } from '../../lib/problem.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { conflict, notFound } from '../request/input.ts';
import { findEvent } from '../../outbox/outboxes.ts';
import { restoredEvent } from './stored-event.ts';

/** `POST /events/{id}/replay`: an old event, rendered again with today's configuration, as a new event. */
export const replay = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

replay.post('/events/:id/replay', async (context) => {
  const { env } = context;
  const id = context.req.param('id');
  const stored = await findEvent(env, id);
  if (stored === null) return notFound(`event \`${id}\``);
  if (!stored.stored)
    return conflict(
      `The source ${stored.source} kept no payload of it (\`store: metadata\`), or it was deleted early for want of space: there is nothing to render again.`,
    );
  const now = Date.now();
  const config = await loadConfig(env, now);
  const source = config.sources.get(stored.source);
  if (source === undefined)
    return conflict(
      `The source ${stored.source} is gone from the configuration; publish it to replay its events.`,
    );

  const event = restoredEvent(stored, source, newEventId(now, secureRandomBytes));
  const results = routeEvent(event, silencing(config, now));
  const taken = acceptance(event, results, {
    configVersion: config.version,
    dedupeFailure: null,
    replay: { of: id, by: context.get('actor') },
  });
  // A replayed event was seen before, as a whole and in its parts.
  const accepted = await accept(env, config, source.account, {
    messages: taken.messages.map(withoutKey),
    ...(taken.items && { items: taken.items.map(withoutKey) }),
    event: { ...taken.event, receivedAt: now, dedupe: null, signed: null },
  });
  if (!accepted.ok) return problemResponse(accepted.error.problem);
  log('info', 'event.replayed', { event: accepted.value.event, of: id, by: context.get('actor') });
  const { event: replayId, messages: ids, waiting } = accepted.value;
  const later = waiting !== undefined && { waiting };
  return context.json({ event: replayId, replay_of: id, messages: ids, ...later }, 202);
});

const withoutKey = <One extends { readonly itemKey?: string }>({ itemKey: _itemKey, ...rest }: One) => rest;
