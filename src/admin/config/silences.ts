import type { ByHandAnswer, ListedSilence } from '../../answers/api-registry.ts';
import * as z from 'zod/mini';
import { BY_HAND, compileSilence, stateOf, unknownIn } from '../../config/compiled/silences.ts';
import { loadConfig, readSet, registry } from '../../config/load.ts';
import { EMPTY_SET } from '../../config/documents/schema.ts';
import { secretValueErrors } from '../../config/secrets/named-secrets.ts';
import {
  byHandSchema,
  isOfSomething,
  silenced,
  silenceSchema,
  type ByHandDocument,
  type SilenceDocument,
  type SilenceOf,
} from '../../config/documents/alerting-schema.ts';
import { log } from '../../lib/log.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import type { Page } from '../../outbox/read/read.ts';
import type { SilenceByHand } from '../../registry/overlay.ts';
import { words, type View } from '../../registry/view.ts';
import { strictDocument } from '../../schema/parts.ts';
import type { Answered } from '../../schema/api-parts.ts';
import { apiRoute, WithHeaders, type ApiRoutes } from '../api/route.ts';
import { check, conflict, invalid, notFound, wholeList } from '../request/input.ts';
import { announce, askOutboxes } from '../../outbox/many-outboxes.ts';
import { etag, publish, publishQuery } from './config.ts';
import type { PublishAnswer } from './api-config.ts';

export const seenSilenceOf: View<Answered<SilenceOf>> = {
  ...words('source', 'type', 'route'),
  group: 'exact',
  keys: 'exact',
};

const seenSilence = {
  ...words('id', 'origin', 'state', 'when', 'from', 'until', 'reason'),
  of: seenSilenceOf,
};

const seenList: View<Page<ListedSilence>> = {
  items: (one) =>
    one.origin === 'hand'
      ? { ...seenSilence, ...words('by', 'created_at', 'ended_at') }
      : { ...seenSilence, every: 'words' },
  next_cursor: 'words',
};

/** A document as answers have it: it came as JSON, which has no key without a value. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- for the reason above
const asAnswer = <Document extends object>(document: Document) => document as Answered<Document>;

/** `config.ts` reads and writes single documents. */
export const silenceRoutes = {
  listSilences: apiRoute('GET /silences', 'viewer', {
    view: seenList,
    handle: async ({ env }) => {
      const now = Date.now();
      const [current, byHand] = await Promise.all([readSet(env), registry(env).silences(now)]);
      const documents = current?.set.silences ?? {};
      const items = Object.entries(documents).map(([id, document]): ListedSilence => {
        const { data } = z.safeParse(silenceSchema, document);
        const silence = data === undefined ? null : compileSilence(id, data, () => undefined);
        const state = silence === null ? 'pending' : stateOf(silence, now);
        return { id, origin: 'document', state, ...asAnswer(data ?? {}) };
      });
      const all = [...byHand.map((one) => shown(one, now)), ...items];
      return new WithHeaders(wholeList(all), etag(current?.version ?? 0));
    },
  }),

  addSilence: apiRoute('POST /silences', 'operator', {
    body: byHandSchema,
    status: 201,
    handle: async ({ env, body, login }) => {
      const now = Date.now();
      const errors = errorsOf(body, env, now);
      if (errors.length > 0) return invalid(errors);
      const added = await registry(env).addSilence(body, login.actor, now);
      const full = 'There are too many silences added by hand, or too many keys in them: end one first.';
      if (added === null) return conflict(full);
      await announce(env, added.published);
      log('info', 'silence.added', { silence: added.part.id, by: login.actor });
      return { ...shown(added.part, now), ...(await lookAtSilence(env, body)) };
    },
  }),

  previewSilence: apiRoute('POST /silences/preview', 'operator', {
    body: strictDocument(silenced).check(isOfSomething),
    handle: async ({ env, body }) => {
      const errors = compileErrors(body);
      return errors.length > 0 ? invalid(errors) : lookAtSilence(env, body);
    },
  }),

  deleteSilence: apiRoute('DELETE /silences/{id}', 'operator', {
    query: publishQuery,
    handle: async (call): Promise<PublishAnswer | ByHandAnswer | Response> => {
      const { env, login, params } = call;
      const { id } = params;
      if (!id.startsWith(BY_HAND))
        return publish(call, { kind: 'delete', collection: 'silences', name: id }, call.query);
      // A silence that was added by hand is not a document, so there is no dry run for ending it.
      const query = check(strictDocument({}), call.query);
      if (!query.ok) return query.error;
      const now = Date.now();
      const ended = await registry(env).endSilence(id, now);
      if (ended === null) return notFound(`silence \`${id}\``);
      if (ended === 'over') return conflict('The silence has ended.');
      await announce(env, ended.published);
      log('info', 'silence.ended', { silence: id, by: login.actor });
      return shown(ended.part, now);
    },
  }),
} satisfies ApiRoutes;

function errorsOf(document: ByHandDocument, env: Env, now: number): readonly FieldError[] {
  const errors = compileErrors(document);
  if (Date.parse(document.until) <= now)
    errors.push(fieldError('until', 'out-of-range', 'must be in the future'));
  const held = secretValueErrors({ ...EMPTY_SET, silences: { new: document } }, env);
  return held.length > 0 ? held.map(({ message }) => fieldError('', 'malformed', message)) : errors;
}

function compileErrors(document: SilenceDocument): FieldError[] {
  const errors: FieldError[] = [];
  compileSilence('', document, (path, ...fault) => errors.push(fieldError(path.slice(1), ...fault)));
  return errors;
}

function shown({ document, ...rest }: SilenceByHand, now: number): ByHandAnswer {
  const from = document.from === undefined ? null : Date.parse(document.from);
  const state = stateOf({ from, until: Date.parse(rest.ended_at ?? document.until), every: null }, now);
  return { origin: 'hand', state, ...rest, ...asAnswer(document) };
}

async function lookAtSilence(env: Env, { of, when }: Pick<SilenceDocument, 'of' | 'when'>) {
  const { sources } = await loadConfig(env, Date.now());
  const unread: string[] = [];
  // A silence that was added is in force whoever answers: an error would have a person add it again.
  const found = await askOutboxes(env, (outbox, account) =>
    outbox.lookAtSilence({ of, when }).catch(() => (unread.push(account), null)),
  );
  const looks = found.filter((one) => one !== null);
  const sum = (key: 'open' | 'matches'): number => looks.reduce((total, one) => total + one[key], 0);
  const [first = [], ...rest] = looks.flatMap(({ fields }) => (fields.looked > 0 ? [fields.unknown] : []));
  const unknown = first.filter((path) => rest.every((paths) => paths.includes(path)));
  const lacks = of === undefined ? null : unknownIn(of, sources);
  return {
    open: sum('open'),
    matches: sum('matches'),
    warnings: [
      ...(lacks === null ? [] : [lacks[1]]),
      ...unknown.map((path) => `no recent event has \`${path}\`: check its name`),
      ...unread.map((account) => `the account \`${account}\` does not answer: its incidents are not counted`),
    ],
  };
}
