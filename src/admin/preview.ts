import { Hono } from 'hono';
import * as z from 'zod/mini';
import { compileConfig } from '../config/compile.ts';
import type { Source } from '../config/config.ts';
import { readSet } from '../config/registry-client.ts';
import { notText, shownKey, strictDocument } from '../config/schema-parts.ts';
import { EMPTY_SET } from '../config/schema.ts';
import type { Env } from '../env.ts';
import { identify } from '../ingest/identify.ts';
import { routeEvent } from '../ingest/match.ts';
import { parseBody } from '../ingest/parse.ts';
import type { RouteResult } from '../ingest/route-result.ts';
import type { VerifiedRequest } from '../ingest/event.ts';
import { asVerified } from '../ingest/verify.ts';
import { secureRandomBytes } from '../lib/id.ts';
import type { FieldError } from '../lib/problem.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { AdminVariables } from './auth.ts';
import { check, invalid, notFound, readJson } from './input.ts';
import { readStarter, samplesOf } from './starters.ts';

const text = z.string({ error: notText });
const textByName = z._default(z.record(z.string(), text, { error: 'must be texts by name' }), {});

const previewSchema = strictDocument({
  payload: z.optional(z.unknown()),
  body: z.optional(text),
  headers: textByName,
  query: textByName,
  sample: z.optional(text),
  draft: z.optional(z.unknown()),
});

type PreviewInput = z.output<typeof previewSchema>;

/** `POST /sources/{id}/preview`: what a webhook would become. Nothing is verified, sent or stored. */
export const preview = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

preview.post('/sources/:id/preview', async (context) => {
  const id = context.req.param('id');
  const json = await readJson(context.req.raw);
  if (!json.ok) return json.error;
  const input = check(previewSchema, json.value);
  if (!input.ok) return input.error;
  const source = await findSource(context.env, id, input.value.draft);
  if (source === null) return notFound(`source \`${id}\``);
  if (!source.ok) return invalid('The draft is not valid.', source.error);
  const request = await previewRequest(context.env, source.value, input.value);
  if (!request.ok) return invalid('The request cannot be previewed.', [request.error]);
  const { raw, payload } = request.value;
  const { event, dedupeFailure } = identify(raw, payload, secureRandomBytes);
  const routes = routeEvent(event).map((result) => routeView(result, source.value));
  return context.json({
    event: {
      type: event.type,
      dedupe_key: event.dedupeKey,
      headers: event.headers,
      query: event.query,
      payload,
    },
    ...(dedupeFailure !== null && { reason: dedupeFailure }),
    routes,
    messages: routes.flatMap((route) => route.messages),
  });
});

/** The published source, or the draft in its place among the published documents. Null: there is none of that id. */
async function findSource(
  env: Env,
  id: string,
  draft: unknown,
): Promise<Result<Source, readonly FieldError[]> | null> {
  const current = (await readSet(env)) ?? { set: EMPTY_SET, version: 0 };
  const set = draft === undefined ? current.set : { ...current.set, sources: { [id]: draft } };
  const { config, errors } = compileConfig(set, current.version);
  if (draft !== undefined && errors.length > 0) return err(errors);
  const source = config.sources.get(id);
  return source === undefined ? null : ok(source);
}

interface PreviewRequest {
  readonly raw: VerifiedRequest;
  readonly payload: unknown;
}

/** The webhook that the input describes: by its payload, its raw body, or a sample of the provider. */
async function previewRequest(
  env: Env,
  source: Source,
  input: PreviewInput,
): Promise<Result<PreviewRequest, FieldError>> {
  const given = [input.payload, input.body, input.sample].filter((value) => value !== undefined).length;
  if (given !== 1) return err({ path: '', message: 'give exactly one of `payload`, `body` and `sample`' });
  const samples = input.sample === undefined ? [] : samplesOf(await readStarter(env, source.provider.id));
  const sample = input.sample === undefined ? null : samples.find(({ name }) => name === input.sample);
  if (sample === undefined) {
    const names = samples.map(({ name }) => name).join(', ');
    return err({
      path: 'sample',
      message: `${source.provider.name} has no such sample; there are: ${names}`,
    });
  }
  const read = readHeaders({
    ...(sample && { ...sample.headers, 'content-type': sample.content_type }),
    ...input.headers,
  });
  if (!read.ok) return read;
  const headers = read.value;
  const raw = asVerified({ source, ...emptyRequest(source, headers, { ...sample?.query, ...input.query }) });
  if (input.payload !== undefined) return ok({ raw, payload: input.payload });
  const parsed = await parseBody(
    headers.get('content-type'),
    new TextEncoder().encode(sample?.body ?? input.body ?? ''),
    source.provider.body,
  );
  return parsed.ok
    ? ok({ raw, payload: parsed.value })
    : err({ path: sample === null ? 'body' : 'sample', message: parsed.error.detail });
}

/** Later ones win, however their names are written. */
function readHeaders(given: Readonly<Record<string, string>>): Result<Headers, FieldError> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.set(name, value);
    } catch {
      return err({ path: `headers.${shownKey(name)}`, message: 'cannot be sent as a header of HTTP' });
    }
  }
  return ok(headers);
}

function emptyRequest(source: Source, headers: Headers, query: Readonly<Record<string, string>>) {
  const url = new URL(`https://preview.invalid/hooks/${source.id}?${new URLSearchParams(query).toString()}`);
  return {
    method: 'POST',
    url,
    headers,
    body: new Uint8Array(),
    pathToken: undefined,
    registeredUrl: null,
    receivedAt: Date.now(),
  };
}

/** A route's result, with a word on why nothing came of it. */
function routeView({ route, result, messages, failures }: RouteResult, source: Source) {
  const when = source.routes.find(({ name }) => name === route)?.when?.source;
  const why =
    result === 'not_matched'
      ? `\`when\` is false: ${when ?? ''}`
      : result === 'not_reached'
        ? 'an earlier route said `stop`'
        : undefined;
  return { route, result, ...(why !== undefined && { why }), messages, failures };
}
