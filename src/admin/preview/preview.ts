import * as z from 'zod/mini';
import type { Source } from '../../config/compiled/config.ts';
import { notText, recordOf, shownKey, strictDocument, wholeNumber } from '../../schema/parts.ts';
import { type Arrival, type VerifiedRequest, subjectOf, identify } from '../../ingest/request/event.ts';
import { parseBody } from '../../ingest/parse/parse.ts';
import { previewedForm } from '../../ingest/form/fields.ts';
import { asVerified } from '../../ingest/request/verify.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Sample } from '../../config/documents/provider-file.ts';
import { findParts, samplesOf } from '../config/providers.ts';
import { compileConfig } from '../../config/compile/compile.ts';
import { loadConfig, readSet, readSetInUse } from '../../config/load.ts';
import { listedOverride } from '../../config/compiled/rotation.ts';
import { EMPTY_SET, type ConfigSet } from '../../config/documents/schema.ts';
import { secretValueErrors } from '../../config/secrets/named-secrets.ts';
import type { RouteResult } from '../../ingest/routing/result.ts';
import { routeEvent } from '../../ingest/routing/match.ts';
import { secureRandomBytes } from '../../lib/id.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { invalid, notFound } from '../request/input.ts';
import { routeView } from './route.ts';
import { MAX_WARNINGS, previewWarnings, type PreviewSubject } from './warnings.ts';
import type { ComparedEvent, Comparison, PreviewWarning, MessageChange } from './api-preview.ts';
import { pairsOf, type Pair, type PairedMessage } from './pairs.ts';
import { locatedEvents, type LocatedEvent } from '../messages/events.ts';
import { restoredEvent } from '../messages/replay.ts';
import type { StoredEvent } from '../../outbox/read/events.ts';
import type { MessageView } from '../../answers/api-message.ts';
import { withShownLinks } from '../../render/links.ts';

const text = z.string({ error: notText });
const textByName = z._default(recordOf(text, 'must map name to text'), {});
const documents = z.optional(recordOf(z.unknown(), 'must map name to document'));

const previewSchema = strictDocument(() => ({
  payload: z.optional(z.unknown()),
  body: z.optional(text),
  headers: textByName,
  query: textByName,
  sample: z.optional(text),
  samples: z.optional(z.literal(true, { error: 'must be true or absent' })),
  last: z.optional(wholeNumber(1, 50)),
  draft: z.optional(z.unknown()),
  drafts: z.optional(
    strictDocument({ providers: documents, sources: documents, templates: documents, recipients: documents }),
  ),
}));

export type PreviewInput = z.output<typeof previewSchema>;

const SUBJECTS = ['payload', 'body', 'sample', 'samples', 'last'] as const;

const conflict = (path: string, message: string) => fieldError(path, 'conflict', message);

function inputError(input: PreviewInput): FieldError | null {
  const given = SUBJECTS.filter((name) => input[name] !== undefined);
  if (given.length !== 1)
    return conflict('', 'give exactly one of `payload`, `body`, `sample`, `samples` and `last`');
  if (input.draft !== undefined && input.drafts?.sources !== undefined)
    return conflict('draft', 'must not be combined with `drafts.sources`: give only one of them');
  const ofRequest = Object.keys({ ...input.headers, ...input.query }).length > 0;
  if (ofRequest && input.last !== undefined)
    return conflict('last', 'does not take `headers` or `query`: past events have their own');
  return null;
}

/** Builds the given request, or a sample with the given headers and query in place of its own, as routes see it. */
async function requestOf(source: Source, given: PreviewInput, sample?: Sample) {
  const ofSample = sample && { ...sample.headers, 'content-type': sample.content_type };
  const read = readHeaders({ ...ofSample, ...given.headers });
  if (!read.ok) return read;
  const headers = read.value;
  const query = new URLSearchParams({ ...sample?.query, ...given.query });
  const url = new URL(`https://preview.invalid/hooks/${source.id}?${query.toString()}`);
  const common = { source, method: 'POST', url, headers, receivedAt: Date.now() };
  const arrival: Arrival = { ...common, pathToken: undefined, registeredUrl: null, secrets: [] };
  const path = sample !== undefined ? 'sample' : given.payload === undefined ? 'body' : 'payload';
  const malformed = (detail: string) => err(fieldError(path, 'malformed', detail));
  const body = new TextEncoder().encode(sample?.body ?? given.body ?? '');
  const parsed =
    given.payload === undefined
      ? await parseBody(headers.get('content-type'), body, source.provider.body)
      : ok({ payload: given.payload });
  if (!parsed.ok) return malformed(parsed.error.detail);
  const form = previewedForm(asVerified(arrival, parsed.value.payload));
  return form.ok ? form : malformed(form.error);
}

/** A later header replaces an earlier one with the same name in any case. */
function readHeaders(given: Readonly<Record<string, string>>): Result<Headers, FieldError> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.set(name, value);
    } catch {
      return err(fieldError(`headers.${shownKey(name)}`, 'malformed', 'cannot be sent as an HTTP header'));
    }
  }
  return ok(headers);
}

export const previewRoutes = {
  // An operator's, since the answer shows payloads and numbers.
  previewSource: apiRoute('POST /sources/{id}/preview', 'operator', {
    body: previewSchema,
    handle: async ({ env, params: { id }, body }) => {
      const wrong = inputError(body);
      if (wrong !== null) return cannotPreview(wrong);
      const { suppressions } = await loadConfig(env, Date.now());
      const found = await findSource(env, id, body);
      if (found === null) return notFound(`source \`${id}\``);
      if (!found.ok) return invalid(found.error, 'The draft is not valid.');
      const answer = await answerPreview(env, { ...found.value, suppressions }, body);
      return answer.ok ? answer.value : cannotPreview(answer.error);
    },
  }),
} satisfies ApiRoutes;

const cannotPreview = (error: FieldError): Response => invalid([error], 'The request cannot be previewed.');

async function answerPreview(env: Env, subject: PreviewSubject, input: PreviewInput) {
  const { provider } = subject.source;
  if (input.last !== undefined) return ok(await previewLast(env, subject, input.last));
  const isOfSample = input.sample !== undefined || input.samples;
  const samples = isOfSample ? samplesOf((await findParts(env, provider.id))?.starter ?? null) : [];
  if (input.samples) return previewSamples(subject, samples, input);
  const sample = samples.find(({ name }) => name === input.sample);
  if (input.sample !== undefined && sample === undefined) {
    const names = samples.map(({ name }) => name).join('; ');
    const message = `${provider.name} has no such sample; known ones: ${names}`;
    return err(fieldError('sample', 'unknown-name', message));
  }
  const request = await requestOf(subject.source, input, sample);
  if (!request.ok) return request;
  const { warnings, view } = previewOf(subject, request.value);
  return ok({ ...view, warnings });
}

async function previewSamples(subject: PreviewSubject, all: readonly Sample[], input: PreviewInput) {
  const samples: (ReturnType<typeof previewOf> & { readonly sample: string })[] = [];
  for (const sample of all) {
    const request = await requestOf(subject.source, input, sample);
    if (!request.ok) return request;
    samples.push({ sample: sample.name, ...previewOf(subject, request.value) });
  }
  const unmet = unmetResolutions(samples.map(({ results }) => results));
  return ok({
    samples: samples.map(({ sample, view, warnings }, at) => ({
      sample,
      ...view,
      warnings: [...warnings, ...(unmet[at] ?? [])],
    })),
  });
}

function previewOf({ source, ...by }: PreviewSubject, request: VerifiedRequest) {
  const { event, dedupeFailure } = identify({ ...request, source }, secureRandomBytes);
  const reason = dedupeFailure ?? event.languageNote ?? null;
  const results = routeEvent(event);
  const routes = results.map((result) => routeView(event, result));
  const view = {
    event: {
      type: event.type,
      dedupe_key: event.dedupeKey,
      subject: subjectOf(event),
      ...(event.source.language !== null && { locale: event.source.locale.locale }),
      headers: event.headers,
      query: event.query,
      payload: event.payload,
    },
    ...(reason !== null && { reason: reason.message, code: reason.code }),
    routes,
    messages: routes.flatMap((route) => route.messages),
  };
  return { view, warnings: previewWarnings(event, results, by), results };
}

/** With the published documents. Null if there is no source with that id. */
async function findSource(env: Env, id: string, { draft, drafts }: PreviewInput) {
  const isDraft = draft !== undefined || drafts !== undefined;
  const none = { set: EMPTY_SET, version: 0, overrides: [] };
  const current = (await (isDraft ? readSet(env) : readSetInUse(env))) ?? none;
  const set = isDraft ? withDrafts(current.set, id, { draft, drafts }) : current.set;
  const values = isDraft ? secretValueErrors(set, env) : [];
  if (values.length > 0) return err(values);
  const { config, errors } = compileConfig(set, current.version, null, current.overrides.map(listedOverride));
  const source = config.sources.get(id);
  if (isDraft && errors.length > 0) return err(errors);
  return source === undefined ? null : ok({ source, policy: config.accounts.get(source.account) });
}

/** The set with the draft. It leaves out all other sources, which the preview is not about. */
function withDrafts(set: ConfigSet, id: string, { draft, drafts }: Pick<PreviewInput, 'draft' | 'drafts'>) {
  const sources = { ...set.sources, ...drafts?.sources };
  const published = Object.hasOwn(sources, id) ? sources[id] : undefined;
  const own = draft === undefined ? published : draft;
  return {
    ...set,
    providers: { ...set.providers, ...drafts?.providers },
    sources: own === undefined ? {} : { [id]: own },
    templates: { ...set.templates, ...drafts?.templates },
    recipients: { ...set.recipients, ...drafts?.recipients },
  };
}

/** Warns of resolutions that resolve nothing: their keys probably contain something that differs, such as the time. */
export function unmetResolutions(samples: readonly (readonly RouteResult[])[]) {
  const items = samples
    .flatMap((results) => results.flatMap((result) => result.items ?? []))
    .filter(({ holder }) => holder === undefined);
  const opened = items.filter(({ isResolved }) => !isResolved);
  const keys = new Set(opened.map(({ key }) => key));
  const firing = new Set(opened.map(({ route }) => route));
  const ended = items.filter(({ isResolved, key }) => isResolved && keys.has(key));
  const met = new Set(ended.map(({ route }) => route));
  return samples.map((results) =>
    results.flatMap(({ route, items: own = [] }): PreviewWarning[] => {
      const first = own.find(({ isResolved, key }) => isResolved && key !== null);
      if (first === undefined || !firing.has(route) || met.has(route)) return [];
      const message = `\`${first.key?.slice(0, 80)}\` resolves nothing: no firing sample has this key`;
      return [{ route, parameter: 'incident.key', code: 'unknown-name', message }];
    }),
  );
}

/** After this many messages, sent and rendered, no further event is compared. */
const MAX_MESSAGES = 2_000;
/** The same limit for the length of their texts (UTF-16 units), since the answer contains all of them. */
const MAX_CHARACTERS = 4_000_000;
/** The number of events that are read at once. A payload has a few MiB at most. */
const AT_ONCE = 5;
/** The number of pages that are read of an outbox's list. A page may end early, after scanning a lot. */
const MAX_PAGES = 10;

/** Compares the messages of a source's newest events with those that were sent. Sends and stores nothing. */
async function previewLast(env: Env, subject: PreviewSubject, count: number): Promise<Comparison> {
  const listed = await newestEvents(env, subject.source.id, count);
  const events: ComparedEvent[] = [];
  const warnings: PreviewWarning[] = [];
  const left = { messages: MAX_MESSAGES, characters: MAX_CHARACTERS };
  for await (const stored of readEvents(env, listed)) {
    // The event was deleted in the meantime.
    if (stored === null) continue;
    const { compared, warnings: more } = compareEvent(stored, subject);
    warnings.push(...more);
    const messages = 'sent' in compared ? [...compared.sent, ...compared.would_send] : [];
    left.messages -= messages.length;
    left.characters -= messages.reduce((sum, { params }) => sum + JSON.stringify(params).length, 0);
    events.push(compared);
    if (Math.min(left.messages, left.characters) < 0) break;
  }
  return { events, warnings: eachOnce(warnings), summary: summaryOf(events, listed.length) };
}

async function* readEvents(env: Env, listed: readonly LocatedEvent[]) {
  for (let from = 0; from < listed.length; from += AT_ONCE) {
    const next = listed.slice(from, from + AT_ONCE);
    yield* await Promise.all(next.map(({ id, outbox }) => env.OUTBOX.getByName(outbox).readEvent(id)));
  }
}

/** Removes repeated warnings: events of one source are much alike. */
const eachOnce = (warnings: readonly PreviewWarning[]): readonly PreviewWarning[] =>
  [...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values()].slice(0, MAX_WARNINGS);

async function newestEvents(env: Env, source: string, count: number) {
  const found: LocatedEvent[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && found.length < count; page += 1) {
    const merged = await locatedEvents(env, { source, limit: count - found.length, cursor });
    found.push(...(merged?.items ?? []));
    if (!merged?.next_cursor) break;
    cursor = merged.next_cursor;
  }
  return found;
}

function compareEvent(stored: StoredEvent, { source, ...by }: PreviewSubject) {
  const { id, type, received_at } = stored;
  const head = { event: id, type, received_at };
  const not = (why: string) => ({ compared: { ...head, not_comparable: why }, warnings: [] });
  if (!stored.stored) return not('its payload is not stored (`store: metadata`)');
  if (stored.messages_left_out !== undefined)
    return not('its messages are too large in total to read at once');
  const event = restoredEvent(stored, source, id);
  const results = routeEvent(event);
  const sent = stored.messages.map(sentMessage);
  const wouldSend = results.flatMap(({ messages }) =>
    messages.map((one): PairedMessage => {
      const { route, kind, phone, params } = withShownLinks(one);
      return { route, kind, phone, params: withSameLinks(params) };
    }),
  );
  const compared = {
    ...head,
    routes: results.map((result) => {
      const { messages: _, ...view } = routeView(event, result);
      return view;
    }),
    sent,
    would_send: wouldSend,
    changes: diffMessages(sent, wouldSend),
  };
  return { compared, warnings: previewWarnings(event, results, by) };
}

/** A link of an action in a message that was sent, and in one that would be. */
const LINK = /https?:\/\/\S{1,64}\/a\/(?:…|[a-z]\w{0,19})(?!\w)/g;

/** Replaces the links, since each receiver has their own link. That is not a change. */
const withSameLinks = (params: PairedMessage['params']): PairedMessage['params'] =>
  Object.fromEntries(
    Object.entries(params).map(([name, text]) => [name, text.replaceAll(LINK, 'https://…/a/…')]),
  );

function sentMessage({ id, state, route, kind, phone, params }: MessageView) {
  // The receiver is a separate field, as in a rendered message.
  const { phone: _, ...fields } = params;
  return { message: id, state, route: route ?? '', kind, phone, params: withSameLinks(fields) };
}

function summaryOf(events: readonly ComparedEvent[], listed: number): Comparison['summary'] {
  const count = { same: 0, changed: 0, failed: 0, not_comparable: 0 };
  for (const event of events) count[outcomeOf(event)] += 1;
  return { events: events.length, ...count, left_out: listed - events.length };
}

function outcomeOf(event: ComparedEvent): 'same' | 'changed' | 'failed' | 'not_comparable' {
  if ('not_comparable' in event) return 'not_comparable';
  if (event.routes.some(({ result }) => result === 'failed')) return 'failed';
  return event.changes.every(({ kind }) => kind === 'same') ? 'same' : 'changed';
}

export const diffMessages = (was: readonly PairedMessage[], now: readonly PairedMessage[]): MessageChange[] =>
  pairsOf(was, now).flatMap(changesOf);

function changesOf({ was, now }: Pair): MessageChange[] {
  const message = now ?? was;
  if (message === null) return [];
  const { route, phone } = message;
  if (was === null) return [{ kind: 'added', route, phone }];
  if (now === null) return [{ kind: 'removed', route, phone }];
  const [before, after] = [fieldsOf(was), fieldsOf(now)];
  const names = new Set([...before.keys(), ...after.keys()]);
  const changes = [...names].flatMap((parameter): MessageChange[] => {
    const [old, young] = [before.get(parameter) ?? null, after.get(parameter) ?? null];
    return old === young ? [] : [{ kind: 'changed', route, phone, parameter, was: old, now: young }];
  });
  return changes.length === 0 ? [{ kind: 'same', route, phone }] : changes;
}

const fieldsOf = ({ kind, params }: PairedMessage) => new Map([['kind', kind], ...Object.entries(params)]);
