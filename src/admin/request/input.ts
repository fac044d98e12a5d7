import * as z from 'zod/mini';
import { issueErrors } from '../../config/issues.ts';
import { strictDocument, wholeNumber } from '../../schema/parts.ts';
import { readBody } from '../../ingest/request/body.ts';
import { parseBody } from '../../ingest/parse/parse.ts';
import { problemResponse, type FieldError } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { parseDuration } from '../../lib/duration.ts';
import { REFUSALS } from './refusals.ts';

/** As large as a set can be with the files that it was made of, and a little for what encloses them. */
const MAX_INPUT_BYTES = 3_000_000;

/** The largest body without a login: it has a token or a code. */
export const MAX_PUBLIC_BYTES = 8_192;

/** A request's JSON body of at most `maxBytes`, or the problem that says what is wrong with it. */
export async function readJson(
  request: Request,
  maxBytes = MAX_INPUT_BYTES,
): Promise<Result<unknown, Response>> {
  const body = await readBody(request, maxBytes);
  if (!body.ok) return err(problemResponse(body.error));
  const parsed = await parseBody('application/json', body.value);
  if (parsed.ok) return ok(parsed.value.payload);
  const { detail } = parsed.error;
  return err(problemResponse({ ...REFUSALS['malformed-body'], detail }));
}

/** 422 with each error's path and message. */
export function invalid(detail: string, errors: readonly FieldError[]): Response {
  return problemResponse({ ...REFUSALS.invalid, detail, errors });
}

/** Checked input, or a 422 that names each path. */
export function check<Output>(schema: z.core.$ZodType<Output>, input: unknown): Result<Output, Response> {
  const result = z.safeParse(schema, input);
  if (result.success) return ok(result.data);
  const errors = result.error.issues.flatMap((issue) => issueErrors('', issue));
  return err(invalid('The request is not valid.', errors));
}

/** A query's parameters, checked: an unknown one is an error, since a misspelt filter would show everything. */
export function checkQuery<Shape extends z.core.$ZodShape>(
  shape: Shape,
  search: URLSearchParams,
): Result<z.output<z.ZodMiniObject<Shape, z.core.$strict>>, Response> {
  const given = Object.fromEntries(search);
  const repeated = Object.keys(given).filter((name) => search.getAll(name).length > 1);
  if (repeated.length > 0) {
    const errors = repeated.map((path) => ({ path, message: 'must be given once' }));
    return err(invalid('The request is not valid.', errors));
  }
  return check(strictDocument(shape), given);
}

/** A whole number, as a query writes it. */
export const queryNumber = (min: number, max: number) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : text)),
    ),
    wholeNumber(min, max),
  );

/** A version's number. */
export const versionNumber = queryNumber(1, Number.MAX_SAFE_INTEGER);

/** `Date.parse` accepts much more than ISO 8601: `5` is a day in May 2001. */
const ISO_DATE = /^\d{4}-\d\d-\d\d(T\S+)?$/;

/** A moment: ISO 8601, or how long ago (`2h`). In ms. */
export const moment = z.pipe(z.string({ error: 'must be text' }), z.transform(toMoment));

function toMoment(text: string, context: z.core.ParsePayload): number {
  const ago = parseDuration(text);
  const iso = ISO_DATE.test(text) ? Date.parse(text) : NaN;
  const at = ago.ok ? Date.now() - ago.value : iso;
  if (Number.isNaN(at)) {
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'must be a time such as 2026-01-31T12:00:00Z, or a duration ago such as 2h',
    });
    return z.NEVER;
  }
  return at;
}

/** A 409: it is not possible in the present state. */
export const conflict = (detail: string): Response => problemResponse({ ...REFUSALS.conflict, detail });

/** A 404 of the admin API. */
export const notFound = (what: string): Response =>
  problemResponse({ ...REFUSALS['not-found'], detail: `There is no ${what}.` });
