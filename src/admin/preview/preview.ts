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
import { previewLast } from './last-events.ts';
import { routeView } from './route.ts';
import { previewWarnings, type PreviewSubject } from './warnings.ts';
import type { PreviewWarning } from './api-preview.ts';

const text = z.string({ error: notText });
const textByName = z._default(recordOf(text, 'must map name to text'), {});
const documents = z.optional(recordOf(z.unknown(), 'must map name to document'));

const previewSchema = strictDocument({
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
});

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
    const names = samples.map(({ name }) => name).join(', ');
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
