import * as z from 'zod/mini';
import type { Source } from '../../config/compiled/config.ts';
import { notText, recordOf, shownKey, strictDocument, wholeNumber } from '../../schema/parts.ts';
import type { Arrival, VerifiedRequest } from '../../ingest/request/event.ts';
import { parseBody } from '../../ingest/parse/parse.ts';
import { previewedForm } from '../../ingest/form/fields.ts';
import { asVerified } from '../../ingest/request/verify.ts';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Sample } from '../../config/documents/starter.ts';
import { findParts, samplesOf } from '../config/starters.ts';

/** The maximum number of past events that one preview reads. */
const MAX_LAST = 50;

const text = z.string({ error: notText });
const textByName = z._default(recordOf(text, 'must map name to text'), {});
const documents = z.optional(recordOf(z.unknown(), 'must map name to document'));

/** The body of `POST /sources/{id}/preview`. */
export const previewSchema = strictDocument({
  payload: z.optional(z.unknown()),
  body: z.optional(text),
  headers: textByName,
  query: textByName,
  sample: z.optional(text),
  /** Previews each sample of the source's provider. */
  samples: z.optional(z.literal(true, { error: 'must be true or absent' })),
  /** Compares this many of the source's newest events. */
  last: z.optional(wholeNumber(1, MAX_LAST)),
  draft: z.optional(z.unknown()),
  drafts: z.optional(
    strictDocument({ providers: documents, sources: documents, templates: documents, recipients: documents }),
  ),
});

export type PreviewInput = z.output<typeof previewSchema>;

/** The possible subjects of a preview. A request has exactly one of them. */
const SUBJECTS = ['payload', 'body', 'sample', 'samples', 'last'] as const;

/** The error of the input as a whole; null if it is fine. */
export function inputError(input: PreviewInput): FieldError | null {
  const given = SUBJECTS.filter((name) => input[name] !== undefined);
  if (given.length !== 1)
    return fieldError(
      '',
      'conflict',
      'give exactly one of `payload`, `body`, `sample`, `samples` and `last`',
    );
  if (input.draft !== undefined && input.drafts?.sources !== undefined)
    return fieldError(
      'draft',
      'conflict',
      'must not be combined with `drafts.sources`: give only one of them',
    );
  const ofRequest = Object.keys({ ...input.headers, ...input.query }).length > 0;
  if (ofRequest && input.last !== undefined)
    return fieldError('last', 'conflict', 'does not take `headers` or `query`: past events have their own');
  return null;
}

type GivenRequest = Pick<PreviewInput, 'payload' | 'body' | 'headers' | 'query'>;

/** The samples of the source's provider. */
export const readSamples = async (env: Env, source: Source): Promise<readonly Sample[]> =>
  samplesOf((await findParts(env, source.provider.id))?.starter ?? null);

/** The webhook that the input describes: by its payload, its raw body, or a sample of the provider. */
export async function previewRequest(
  env: Env,
  source: Source,
  input: PreviewInput,
): Promise<Result<VerifiedRequest, FieldError>> {
  if (input.sample === undefined) return requestOf(source, input);
  const samples = await readSamples(env, source);
  const sample = samples.find(({ name }) => name === input.sample);
  if (sample !== undefined) return requestOf(source, input, sample);
  const names = samples.map(({ name }) => name).join(', ');
  return err(
    fieldError('sample', 'unknown-name', `${source.provider.name} has no such sample; known ones: ${names}`),
  );
}

/** Builds the given request, or a sample with the given headers and query in place of its own. */
export async function requestOf(
  source: Source,
  given: GivenRequest,
  sample?: Sample,
): Promise<Result<VerifiedRequest, FieldError>> {
  const read = readHeaders({
    ...(sample && { ...sample.headers, 'content-type': sample.content_type }),
    ...given.headers,
  });
  if (!read.ok) return read;
  const headers = read.value;
  const arrival = arrivalOf(source, headers, { ...sample?.query, ...given.query });
  if (given.payload !== undefined) return checked('payload', asVerified(arrival, given.payload));
  const parsed = await parseBody(
    headers.get('content-type'),
    new TextEncoder().encode(sample?.body ?? given.body ?? ''),
    source.provider.body,
  );
  const path = sample === undefined ? 'body' : 'sample';
  return parsed.ok
    ? checked(path, asVerified(arrival, parsed.value.payload))
    : err(fieldError(path, 'malformed', parsed.error.detail));
}

/** Returns the request as routes see it. That only makes a difference for a form. */
function checked(path: string, request: VerifiedRequest): Result<VerifiedRequest, FieldError> {
  const form = previewedForm(request);
  return form.ok ? form : err(fieldError(path, 'malformed', form.error));
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

function arrivalOf(source: Source, headers: Headers, query: Readonly<Record<string, string>>): Arrival {
  const url = new URL(`https://preview.invalid/hooks/${source.id}?${new URLSearchParams(query).toString()}`);
  return {
    source,
    method: 'POST',
    url,
    headers,
    pathToken: undefined,
    registeredUrl: null,
    secrets: [],
    receivedAt: Date.now(),
  };
}
