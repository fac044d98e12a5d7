import { Hono } from 'hono/tiny';
import { unknownName } from '../../config/unknown-name.ts';
import { loadConfig } from '../../config/load.ts';
import { accept, acceptance } from '../../ingest/accept/accept.ts';
import { routeEvent, silencing } from '../../ingest/routing/match.ts';
import { newEventId, secureRandomBytes } from '../../lib/id.ts';
import { log } from '../../lib/log.ts';
import { problemResponse } from '../../lib/problem.ts';
import { ok } from '../../lib/result.ts';
import { shownKey } from '../../schema/parts.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { check, conflict, invalid, notFound, readJson } from '../request/input.ts';
import { findEvent } from '../../outbox/outboxes.ts';
import { failedOnly, replaySchema } from './replay-choice.ts';
import { restoredEvent } from './stored-event.ts';

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
  const { routes, only } = choice.value;
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
  const names = source.routes.map(({ name }) => name);
  const errors = (routes ?? []).flatMap((name, at) =>
    names.includes(name)
      ? []
      : [{ path: `routes[${at}]`, message: unknownName('route', shownKey(name), names) }],
  );
  if (errors.length > 0) return invalid('The request is not valid.', errors);
  if (only !== undefined && stored.messages_left_out !== undefined)
    return conflict('Its messages are too large together to say which of them failed.');
  const all = routeEvent(event, silencing(config, now)).filter(
    ({ route }) => routes?.includes(route) ?? true,
  );
  const results = only === undefined ? all : failedOnly(stored, all);
  const isNothing = results.every(({ messages, items = [] }) => messages.length + items.length === 0);
  if (only !== undefined && isNothing)
    return conflict('Nothing of it failed that would be sent today: nothing was replayed.');
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
