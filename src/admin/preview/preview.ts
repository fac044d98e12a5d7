import { compileConfig } from '../../config/compile/compile.ts';
import { loadConfig } from '../../config/load.ts';
import { listedOverride } from '../../config/compiled/overrides.ts';
import { readSet, readSetInUse } from '../../config/registry-client.ts';
import { EMPTY_SET, type ConfigSet } from '../../config/documents/schema.ts';
import { secretValueErrors } from '../../config/secrets/values.ts';
import { identify } from '../../ingest/request/identify.ts';
import { type VerifiedRequest, subjectOf } from '../../ingest/request/event.ts';
import type { RouteResult } from '../../ingest/routing/route-result.ts';
import { routeEvent } from '../../ingest/routing/match.ts';
import { secureRandomBytes } from '../../lib/id.ts';
import type { FieldError } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { invalid, notFound } from '../request/input.ts';
import { previewLast } from './last-events.ts';
import {
  inputError,
  previewRequest,
  previewSchema,
  readSamples,
  requestOf,
  type PreviewInput,
} from './request.ts';
import { routeView } from './route.ts';
import { previewWarnings, type PreviewSubject } from './warnings.ts';
import type { PreviewAnswer, PreviewWarning, WebhookPreview } from './api-preview.ts';

/** Previews the messages of a webhook. Verifies, sends and stores nothing. */
export const previewRoutes = {
  previewSource: apiRoute({
    method: 'POST',
    path: '/sources/{id}/preview',
    // The answer shows payloads and numbers.
    role: 'operator',
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

async function answerPreview(
  env: Env,
  subject: PreviewSubject,
  input: PreviewInput,
): Promise<Result<PreviewAnswer, FieldError>> {
  if (input.last !== undefined) return ok(await previewLast(env, subject, input.last));
  if (input.samples) return previewSamples(env, subject, input);
  const request = await previewRequest(env, subject.source, input);
  if (!request.ok) return request;
  const { warnings, view } = previewOf(subject, request.value);
  return ok({ ...view, warnings });
}

/** Every sample of the source's provider, each with its name. */
async function previewSamples(
  env: Env,
  subject: PreviewSubject,
  input: PreviewInput,
): Promise<Result<PreviewAnswer, FieldError>> {
  const samples: (Previewed & { readonly sample: string })[] = [];
  for (const sample of await readSamples(env, subject.source)) {
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

interface Previewed {
  readonly view: Omit<WebhookPreview, 'warnings'>;
  readonly warnings: readonly PreviewWarning[];
  readonly results: readonly RouteResult[];
}

/** Previews one webhook. */
function previewOf({ source, ...by }: PreviewSubject, request: VerifiedRequest): Previewed {
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
    ...(reason !== null && { reason }),
    routes,
    messages: routes.flatMap((route) => route.messages),
  };
  return { view, warnings: previewWarnings(event, results, by), results };
}

/**
 * Compiles the source, published or as a draft, with the published documents. Null if there is no source with that id.
 */
async function findSource(
  env: Env,
  id: string,
  { draft, drafts }: PreviewInput,
): Promise<Result<Omit<PreviewSubject, 'suppressions'>, readonly FieldError[]> | null> {
  const isDraft = draft !== undefined || drafts !== undefined;
  const current = (await (isDraft ? readSet(env) : readSetInUse(env))) ?? {
    set: EMPTY_SET,
    version: 0,
    overrides: [],
  };
  const set = isDraft ? withDrafts(current.set, id, { draft, drafts }) : current.set;
  const values = isDraft ? secretValueErrors(set, env) : [];
  if (values.length > 0) return err(values);
  const { config, errors } = compileConfig(set, current.version, null, current.overrides.map(listedOverride));
  const source = config.sources.get(id);
  if (isDraft && errors.length > 0) return err(errors);
  return source === undefined ? null : ok({ source, policy: config.accounts.get(source.account) });
}

/** The set with the draft. It leaves out all other sources, which the preview is not about. */
function withDrafts(
  set: ConfigSet,
  id: string,
  { draft, drafts }: Pick<PreviewInput, 'draft' | 'drafts'>,
): ConfigSet {
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

/** The longest part of a key that is shown, in UTF-16 units. */
const MAX_SHOWN = 80;

/**
 * Returns, for each sample, warnings about resolutions in routes that resolve nothing which a sample opens, in any route.
 * Their keys probably contain something that differs between the two, such as the time.
 */
export function unmetResolutions(
  samples: readonly (readonly RouteResult[])[],
): readonly (readonly PreviewWarning[])[] {
  const items = samples
    .flatMap((results) => results.flatMap((result) => result.items ?? []))
    .filter(({ holder }) => holder === undefined);
  const opened = items.filter(({ isResolved }) => !isResolved);
  const keys = new Set(opened.map(({ key }) => key));
  const firing = new Set(opened.map(({ route }) => route));
  const met = new Set(
    items.flatMap(({ route, key, isResolved }) => (isResolved && keys.has(key) ? [route] : [])),
  );
  return samples.map((results) =>
    results.flatMap(({ route, items: own = [] }): PreviewWarning[] => {
      const first = own.find(({ isResolved, key }) => isResolved && key !== null);
      if (first === undefined || !firing.has(route) || met.has(route)) return [];
      const message = `\`${first.key?.slice(0, MAX_SHOWN)}\` resolves nothing: no firing sample has this key`;
      return [{ route, parameter: 'incident.key', code: 'unknown-name', message }];
    }),
  );
}
