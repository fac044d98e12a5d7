import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { Change } from '../../registry/change.ts';
import { loadConfig } from '../../config/load.ts';
import { parseIfMatch, type Precondition } from '../../registry/precondition.ts';
import type { PublishReceipt, PublishRefusal } from '../../registry/published.ts';
import { registry } from '../../config/registry-client.ts';
import type { Mark } from '../../registry/managed.ts';
import { oneOf, someText } from '../../schema/parts.ts';
import { log } from '../../lib/log.ts';
import { problemResponse } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { announce } from './announce.ts';
import type { AdminVariables } from '../auth/auth.ts';
import { checkQuery } from '../request/input.ts';
import { REFUSALS } from '../request/refusals.ts';

type AdminContext = Context<{ Bindings: Env; Variables: AdminVariables }>;

/** For the list of versions, which terminals show. */
export const oneLine = (max: number) =>
  someText(max).check(
    z.refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text), {
      error: 'must be on one line, without control characters',
    }),
  );

/** The query of a publish: whether it is only to be checked, and what the list of versions says of it. */
export const publishQuery = {
  dry_run: z.optional(oneOf(['true', 'false'])),
  note: z.optional(oneLine(200)),
};

/** Publishes a change, or only checks it when the query says `dry_run=true`. A misspelt query must not publish. */
export async function publish(context: AdminContext, change: Change): Promise<Response> {
  const query = checkQuery(publishQuery, context);
  return query.ok ? publishAs(context, change, query.value) : query.error;
}

/** The same, with a query that was checked. `mark`: see {@link Mark}. */
export async function publishAs(
  context: AdminContext,
  change: Change,
  query: z.output<z.ZodMiniObject<typeof publishQuery>>,
  mark?: Mark,
): Promise<Response> {
  const condition = ifMatch(context);
  if (!condition.ok) return condition.error;
  if (query.dry_run === 'true') {
    const checked = await registry(context.env).check(change, condition.value);
    return checked.ok ? Response.json({ dry_run: true, warnings: checked.value }) : refused(checked.error);
  }
  const by = context.get('actor');
  return answer(context, () =>
    registry(context.env).publish(change, by, Date.now(), condition.value, query.note, mark),
  );
}

/** The version that must be in force by the request; undefined: none. An invalid condition must not be ignored. */
export function ifMatch(context: Context): Result<Precondition | undefined, Response> {
  const header = context.req.header('if-match');
  if (header === undefined) return ok(undefined);
  const parsed = parseIfMatch(header);
  if (parsed.ok) return parsed;
  const errors = [{ path: 'If-Match', message: parsed.error }];
  return err(
    problemResponse({ ...REFUSALS['invalid-if-match'], detail: 'The request is not valid.', errors }),
  );
}

/** The `ETag` of a `GET`, for a later `If-Match`. */
export const etag = (version: number): { readonly etag: string } => ({ etag: `"${version}"` });

/** Publishes, or rolls back, and answers; the version is then in force in this isolate. */
export async function answer(
  context: AdminContext,
  putInForce: () => Promise<Result<PublishReceipt, PublishRefusal>>,
  also?: { readonly managed: null },
): Promise<Response> {
  const { env } = context;
  // First: a new isolate would read what was just published.
  const before = await loadConfig(env, Date.now()).catch(() => null);
  const result = await putInForce();
  if (!result.ok) return refused(result.error);
  const { version, published, warnings } = result.value;
  await announce(env, before, published);
  log('info', 'config.published', { version, by: context.get('actor') });
  return Response.json({ version, warnings, ...also });
}

const REFUSED = {
  404: REFUSALS['not-found'],
  409: REFUSALS['in-use'],
  412: REFUSALS['precondition-failed'],
  413: REFUSALS['too-large'],
  422: REFUSALS['invalid-configuration'],
} as const;

const refused = ({ status, detail, errors, inForce, conflict }: PublishRefusal): Response =>
  problemResponse({
    ...(conflict === undefined ? REFUSED[status] : REFUSALS[conflict]),
    detail,
    ...(errors.length > 0 && { errors }),
    ...(inForce !== undefined && { headers: etag(inForce) }),
  });
