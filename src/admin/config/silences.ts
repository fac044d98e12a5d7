import { Hono } from 'hono/tiny';
import type { Context } from 'hono';
import { BY_HAND, compileSilence } from '../../config/compile-silences.ts';
import { lazyConfig } from '../../config/lazy-config.ts';
import { loadConfig } from '../../config/load.ts';
import { readSet, registry } from '../../config/registry-client.ts';
import { EMPTY_SET } from '../../config/schema.ts';
import { secretValueErrors } from '../../config/secret-values.ts';
import { stateOf } from '../../config/silenced.ts';
import { byHandSchema, type ByHandDocument } from '../../config/alerting-schema.ts';
import { log } from '../../lib/log.ts';
import { problemResponse, type FieldError } from '../../lib/problem.ts';
import { MAX_BY_HAND, type SilenceByHand } from '../../registry/silences.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { check, checkQuery, invalid, notFound, readJson } from '../request/input.ts';
import { REFUSALS } from '../request/refusals.ts';
import { announce } from './announce.ts';
import { etag, publish } from './publish.ts';

type AdminContext = Context<{ Bindings: Env; Variables: AdminVariables }>;

/** `/silences`: the list of all, and those that are added and ended by hand. How one document is read and written is in `documents.ts`. */
export const silences = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

silences.get('/silences', async (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const now = Date.now();
  const [current, byHand] = await Promise.all([readSet(context.env), registry(context.env).silences(now)]);
  const documents = current?.set.silences ?? {};
  const compiled = lazyConfig({ ...EMPTY_SET, silences: documents }, 0).silences;
  const items = Object.entries(documents).map(([id, document]) => {
    const silence = compiled.find((one) => one.id === id);
    return {
      id,
      origin: 'document',
      state: silence === undefined ? 'pending' : stateOf(silence, now),
      ...(typeof document === 'object' && document),
    };
  });
  const all = [...byHand.map((one) => shown(one, now)), ...items];
  return context.json({ items: all, next_cursor: null }, 200, etag(current?.version ?? 0));
});

silences.post('/silences', async (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const body = await readJson(context.req.raw);
  if (!body.ok) return body.error;
  const document = check(byHandSchema, body.value);
  if (!document.ok) return document.error;
  const now = Date.now();
  const errors = errorsOf(document.value, context.env, now);
  if (errors.length > 0) return invalid('The request is not valid.', errors);
  const before = await inForce(context.env);
  const by = context.get('actor');
  const added = await registry(context.env).addSilence(document.value, by, now);
  if (added === null)
    return problemResponse({
      ...REFUSALS.conflict,
      detail: `There are ${MAX_BY_HAND} silences by hand; end one first.`,
    });
  await announce(context.env, before, added.published);
  log('info', 'silence.added', { silence: added.silence.id, by });
  return context.json(shown(added.silence, now), 201);
});

silences.delete('/silences/:id', async (context) => {
  const id = context.req.param('id');
  if (!id.startsWith(BY_HAND)) return publish(context, { kind: 'delete', collection: 'silences', name: id });
  const query = checkQuery({}, context);
  return query.ok ? end(context, id) : query.error;
});

async function end(context: AdminContext, id: string): Promise<Response> {
  const now = Date.now();
  const before = await inForce(context.env);
  const ended = await registry(context.env).endSilence(id, now);
  if (ended === null) return notFound(`silence \`${id}\``);
  if (ended === 'over') return problemResponse({ ...REFUSALS.conflict, detail: 'The silence is over.' });
  await announce(context.env, before, ended.published);
  log('info', 'silence.ended', { silence: id, by: context.get('actor') });
  return context.json(shown(ended.silence, now));
}

/** Before a change: a new isolate would read what was just published. Null: it cannot be read. */
const inForce = (env: Env) => loadConfig(env, Date.now()).catch(() => null);

function errorsOf(document: ByHandDocument, env: Env, now: number): readonly FieldError[] {
  const errors: FieldError[] = [];
  compileSilence('', document, (path, message) => errors.push({ path: path.slice(1), message }));
  if (Date.parse(document.until) <= now) errors.push({ path: 'until', message: 'must be in the future' });
  const held = secretValueErrors({ ...EMPTY_SET, silences: { new: document } }, env);
  return held.length > 0 ? held.map(({ message }) => ({ path: '', message })) : errors;
}

function shown({ document, ...rest }: SilenceByHand, now: number): Record<string, unknown> {
  const from = document.from === undefined ? null : Date.parse(document.from);
  const state = stateOf({ from, until: Date.parse(rest.ended_at ?? document.until), every: null }, now);
  return { origin: 'hand', state, ...rest, ...document };
}
