import type { ByHandAnswer } from '../../registry/api-silence.ts';
import type { SilencePreview } from '../../registry/api-silence-look.ts';
import { BY_HAND, compileSilence, compileWhen } from '../../config/compile-silences.ts';
import { lazyConfig } from '../../config/lazy-config.ts';
import { loadConfig } from '../../config/load.ts';
import { readSet, registry } from '../../config/registry-client.ts';
import { EMPTY_SET } from '../../config/schema.ts';
import { secretValueErrors } from '../../config/secret-values.ts';
import { stateOf } from '../../config/silenced.ts';
import { byHandSchema, expression, type ByHandDocument } from '../../config/alerting-schema.ts';
import { log } from '../../lib/log.ts';
import type { FieldError } from '../../lib/problem.ts';
import { MAX_BY_HAND, type SilenceByHand } from '../../registry/silences.ts';
import { strictDocument } from '../../schema/parts.ts';
import { apiRoute, withHeaders, type ApiRoutes } from '../api/route.ts';
import { check, conflict, invalid, notFound } from '../request/input.ts';
import { wholeList } from '../request/pages.ts';
import { announce } from '../../outbox/announce.ts';
import { outboxNames } from '../../outbox/outboxes.ts';
import { etag, publish, publishQuery, type PublishAnswer, type Publisher } from './publish.ts';

/**
 * The list of all silences, and routes to add and end silences by hand. `documents.ts` reads and writes single
 * documents.
 */
export const silenceRoutes = {
  listSilences: apiRoute({
    method: 'GET',
    path: '/silences',
    role: 'viewer',
    view: 'words',
    handle: async ({ env }) => {
      const now = Date.now();
      const [current, byHand] = await Promise.all([readSet(env), registry(env).silences(now)]);
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
      return withHeaders(wholeList<unknown>(all), etag(current?.version ?? 0));
    },
  }),

  addSilence: apiRoute({
    method: 'POST',
    path: '/silences',
    role: 'operator',
    body: byHandSchema,
    status: 201,
    handle: async ({ env, body, login }) => {
      const now = Date.now();
      const errors = errorsOf(body, env, now);
      if (errors.length > 0) return invalid('The request is not valid.', errors);
      const before = await inForce(env);
      const added = await registry(env).addSilence(body, login.actor, now);
      if (added === null)
        return conflict(`There are already ${MAX_BY_HAND} silences added by hand; end one first.`);
      await announce(env, before, added.published);
      log('info', 'silence.added', { silence: added.part.id, by: login.actor });
      return { ...shown(added.part, now), ...(await lookAtSilence(env, body.when)) };
    },
  }),

  previewSilence: apiRoute({
    method: 'POST',
    path: '/silences/preview',
    role: 'operator',
    body: strictDocument({ when: expression }),
    handle: async ({ env, body: { when } }) => {
      const compiled = compileWhen(when);
      return compiled.ok
        ? await lookAtSilence(env, when)
        : invalid('The request is not valid.', [{ path: 'when', message: compiled.error }]);
    },
  }),

  deleteSilence: apiRoute({
    method: 'DELETE',
    path: '/silences/{id}',
    role: 'operator',
    query: publishQuery,
    handle: async (call): Promise<PublishAnswer | ByHandAnswer | Response> => {
      const { id } = call.params;
      if (!id.startsWith(BY_HAND))
        return publish(call, { kind: 'delete', collection: 'silences', name: id }, call.query);
      // A silence that was added by hand is not a document, so there is no dry run for ending it.
      const query = check(strictDocument({}), call.query);
      return query.ok ? end(call, id) : query.error;
    },
  }),
} satisfies ApiRoutes;

async function end({ env, login }: Publisher, id: string): Promise<ByHandAnswer | Response> {
  const now = Date.now();
  const before = await inForce(env);
  const ended = await registry(env).endSilence(id, now);
  if (ended === null) return notFound(`silence \`${id}\``);
  if (ended === 'over') return conflict('The silence has ended.');
  await announce(env, before, ended.published);
  log('info', 'silence.ended', { silence: id, by: login.actor });
  return shown(ended.part, now);
}

/**
 * The configuration before a change; afterwards a new isolate would read what was just published. Null if it cannot be
 * read.
 */
const inForce = (env: Env) => loadConfig(env, Date.now()).catch(() => null);

function errorsOf(document: ByHandDocument, env: Env, now: number): readonly FieldError[] {
  const errors: FieldError[] = [];
  compileSilence('', document, (path, message) => errors.push({ path: path.slice(1), message }));
  if (Date.parse(document.until) <= now) errors.push({ path: 'until', message: 'must be in the future' });
  const held = secretValueErrors({ ...EMPTY_SET, silences: { new: document } }, env);
  return held.length > 0 ? held.map(({ message }) => ({ path: '', message })) : errors;
}

function shown(
  { document: { from: begin, ...document }, ...rest }: SilenceByHand,
  now: number,
): ByHandAnswer {
  const from = begin === undefined ? null : Date.parse(begin);
  const state = stateOf({ from, until: Date.parse(rest.ended_at ?? document.until), every: null }, now);
  return { origin: 'hand', state, ...rest, ...document, ...(begin !== undefined && { from: begin }) };
}

/** Counts the open incidents that a condition matches in all accounts, and warns of unknown fields. */
async function lookAtSilence(env: Env, when: string): Promise<SilencePreview> {
  const names = await outboxNames(env);
  const found = await Promise.all(names.map((name) => env.OUTBOX.getByName(name).lookAtSilence(when)));
  const looks = found.filter((one) => one !== null);
  const sum = (key: 'open' | 'matches'): number => looks.reduce((total, one) => total + one[key], 0);
  const looked = looks.filter(({ fields }) => fields.looked > 0).map(({ fields }) => fields.unknown);
  const [first = [], ...rest] = looked;
  const unknown = first.filter((path) => rest.every((paths) => paths.includes(path)));
  return {
    open: sum('open'),
    matches: sum('matches'),
    warnings: unknown.map((path) => `no recent event has \`${path}\`: check its name`),
  };
}
