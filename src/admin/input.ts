import type { Context } from 'hono';
import * as z from 'zod';
import { readBody } from '../ingest/body.ts';
import { problemResponse, type FieldError } from '../lib/problem.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { parseDuration } from '../lib/duration.ts';

/** As large as a set can be, and a little for its frame. */
const MAX_INPUT_BYTES = 2_000_000;

/** A request's JSON body, or the problem that says what is wrong with it. */
export async function readJson(request: Request): Promise<Result<unknown, Response>> {
  const body = await readBody(request, MAX_INPUT_BYTES);
  if (!body.ok) {
    const detail = `The body may have ${MAX_INPUT_BYTES} bytes at most, and must arrive whole.`;
    return err(problemResponse({ status: 413, type: 'body-too-large', title: 'Body too large', detail }));
  }
  try {
    return ok(JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body.value)));
  } catch (thrown) {
    const detail = `The body must be JSON. ${thrown instanceof Error ? thrown.message : ''}`.trim();
    return err(problemResponse({ status: 400, type: 'malformed-body', title: 'Malformed body', detail }));
  }
}

/** 422 with what is wrong where. */
export function invalid(detail: string, errors: readonly FieldError[], status = 422): Response {
  return problemResponse({ status, type: 'invalid', title: 'Invalid', detail, errors });
}

/** Checked input, or a 422 that names each path. */
export function check<Output>(schema: z.ZodType<Output>, input: unknown): Result<Output, Response> {
  const result = schema.safeParse(input);
  if (result.success) return ok(result.data);
  const errors = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  return err(invalid('The request is not valid.', errors));
}

/** A query's parameters, checked: an unknown one is an error, since a misspelt filter would show everything. */
export const checkQuery = <Output>(schema: z.ZodType<Output>, context: Context): Result<Output, Response> =>
  check(schema, context.req.query());

/** `limit` and `cursor`, as every list takes them. */
export const pageParams = {
  limit: z
    .optional(z.coerce.number({ error: 'must be a number' }).int().min(1).max(200))
    .transform((limit) => limit ?? 50),
  cursor: z.optional(z.string().max(4_096)),
};

/** A moment: ISO 8601, or how long ago (`2h`). In ms. */
export const moment = z.string().transform((text, context) => {
  const ago = parseDuration(text);
  const at = ago.ok ? Date.now() - ago.value : Date.parse(text);
  if (Number.isNaN(at)) {
    context.addIssue({
      code: 'custom',
      message: 'must be a time such as 2026-01-31T12:00:00Z, or a duration ago such as 2h',
    });
    return z.NEVER;
  }
  return at;
});

/** A 404 for a thing of the admin API. */
export const notFound = (what: string): Response =>
  problemResponse({ status: 404, type: 'not-found', title: 'Not found', detail: `There is no ${what}.` });
