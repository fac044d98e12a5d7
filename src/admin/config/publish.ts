import * as z from 'zod/mini';
import { registry } from '../../config/load.ts';
import { providerFileErrors } from '../../ingest/provider-files.ts';
import { readFacts } from '../../config/compiled/facts.ts';
import {
  parseIfMatch,
  type Change,
  type Mark,
  type Precondition,
  type PublishReceipt,
  type PublishRefusal,
} from '../../registry/change.ts';
import { oneOf, someText } from '../../schema/parts.ts';
import { log } from '../../lib/log.ts';
import { MAX_ERRORS, problemResponse, fieldError } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { announce } from '../../outbox/many-outboxes.ts';
import type { Identity } from '../auth/login.ts';
import type { PublishAnswer } from './api-config.ts';
import { REFUSALS } from '../request/input.ts';

export interface Publisher {
  readonly env: Env;
  readonly request: Request;
  readonly login: Identity;
}

/** Text for the list of versions, which is shown in terminals. */
export const oneLine = (max: number) =>
  someText(max).check(
    z.refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text), {
      error: 'must be on one line, without control characters',
    }),
  );

/** The query of a publish: `dry_run` only checks it, and the note goes into the list of versions. */
export const publishQuery = {
  dry_run: z.optional(oneOf(['true', 'false'])),
  note: z.optional(oneLine(200)),
};

export async function publish(
  by: Publisher,
  change: Change,
  query: z.output<z.ZodMiniObject<typeof publishQuery>>,
  mark?: Mark,
): Promise<PublishAnswer | Response> {
  const { env, request, login } = by;
  const condition = ifMatch(request);
  if (!condition.ok) return condition.error;
  await readFacts(env, Date.now());
  const errors = await providerFileErrors(providersIn(change));
  const detail = "A provider's file is not valid; nothing was changed.";
  if (errors.length > 0) return refused({ status: 422, detail, errors: errors.slice(0, MAX_ERRORS) });
  const asked = { change, condition: condition.value, publicUrl: originOf(request) };
  if (query.dry_run === 'true') {
    const checked = await registry(env).check(asked);
    return checked.ok ? { dry_run: true, warnings: checked.value } : refused(checked.error);
  }
  return answer(by, () =>
    registry(env).publish({ ...asked, by: login.actor, now: Date.now(), note: query.note, mark }),
  );
}

function providersIn(change: Change): Readonly<Record<string, unknown>> {
  if (change.kind === 'replace') return change.set.providers;
  return change.kind === 'put' && change.collection === 'providers' ? { [change.name]: change.document } : {};
}

/** Links begin with it if `PUBLIC_URL` is not set. Who may publish can write any link, so a forged `Host` gains nothing. */
export const originOf = ({ url }: Request): string => new URL(url).origin;

/** The version that has to be in force; undefined for any. An invalid condition must not be ignored. */
export function ifMatch({ headers }: Request): Result<Precondition | undefined, Response> {
  const header = headers.get('if-match');
  if (header === null) return ok(undefined);
  const parsed = parseIfMatch(header);
  if (parsed.ok) return parsed;
  const errors = [fieldError('If-Match', 'malformed', parsed.error)];
  const detail = 'The request is not valid.';
  return err(problemResponse({ ...REFUSALS['invalid-if-match'], detail, errors }));
}

export const etag = (version: number): { readonly etag: string } => ({ etag: `"${version}"` });

/** Publishes or rolls back, applies the result in this isolate at once, and returns it. */
export async function answer(
  { env, login }: Publisher,
  putInForce: () => Promise<Result<PublishReceipt, PublishRefusal>>,
): Promise<Extract<PublishAnswer, { version: number }> | Response> {
  const result = await putInForce();
  if (!result.ok) return refused(result.error);
  const { version, published, warnings } = result.value;
  await announce(env, published);
  log('info', 'config.published', { version, by: login.actor });
  return { version, warnings };
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
    ...(errors && { errors }),
    ...(inForce !== undefined && { headers: etag(inForce) }),
  });
