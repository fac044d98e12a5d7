import type { Problem } from '../../lib/problem.ts';
import { redact } from '../../lib/redact.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { digestOf } from '../../signature/basics/request.ts';
import type { RejectionCode } from '../../lib/api-codes.ts';
import { needsSecret, verifySignature } from '../../signature/scheme.ts';
import { checkQuery } from '../parse/form.ts';
import { factsOf, type Arrival, type RawRequest, type VerifiedRequest } from './event.ts';

/** The caller sees the problem, which reveals nothing; the admin sees the code and the detail. */
export interface Rejected {
  readonly problem: Problem;
  readonly code: RejectionCode;
  readonly detail: string;
  /** Of a form: its first wrong field. */
  readonly field?: string | undefined;
}

/** A problem whose sender and admin get the same reason. */
export type RejectedProblem = Problem & { readonly type: RejectionCode };

type Proven = Pick<VerifiedRequest, 'verifiedBy' | 'once'>;

declare const shown: unique symbol;

/** A request whose sender has shown the source's secret, before anything reads its body. */
type KnownSender = Readonly<{ [shown]: true; raw: RawRequest; proven: Proven }>;

/** Checks the sender's signature, token or password over the raw bytes, and parses the body. Fails closed. */
export async function verify(raw: RawRequest, now: number): Promise<Result<VerifiedRequest, Rejected>> {
  const sender = await checkSender(raw, now);
  return sender.ok ? verifiedRequest(sender.value) : sender;
}

/** Checks the raw bytes: decompressed, or else as they were sent. Fails closed. */
export async function checkSender(raw: RawRequest, now: number): Promise<Result<KnownSender, Rejected>> {
  const { verify: scheme, secrets: names } = raw.source;
  const { secrets: present } = raw;
  const missing = names.filter((name) => !present.some((one) => one.name === name));
  const notSet = missing.length === 0 ? '' : `not set: ${missing.join(', ')}`;
  // Without a secret, nothing can be checked.
  if (needsSecret(scheme) && present.length === 0) {
    const detail = notSet || 'the source names no secret yet';
    return err({ problem: UNCONFIGURED, code: 'secret_missing', detail });
  }
  const values = present.map(({ value }) => value);
  const check = (request: RawRequest) => verifySignature(scheme, values, request, { now, fetch });
  let signed = raw;
  let checked = await check(raw);
  if (!checked.ok && checked.error.code === 'mismatch' && raw.compressed !== undefined) {
    const asSent = { ...raw, body: raw.compressed };
    const again = await check(asSent);
    if (again.ok) [signed, checked] = [asSent, again];
  }
  if (checked.ok) {
    const { secret, once } = checked.value;
    const proven = { verifiedBy: present[secret ?? -1]?.name ?? null, once };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only place where the mark is made
    return ok({ raw: signed, proven } as KnownSender);
  }
  const { code, detail } = checked.error;
  // Two of several may be swapped.
  const tried =
    code === 'mismatch' && present.length > 0 && `tried ${present.map(({ name }) => name).join(', ')}`;
  return err({
    // A fault that is not the sender's must not look like one: after a 401 a sender may switch the webhook off.
    problem: code === 'misconfigured' ? UNCONFIGURED : code === 'unavailable' ? UNAVAILABLE : UNAUTHORIZED,
    code,
    detail: [detail, tried, notSet].filter(Boolean).join('; '),
  });
}

/** The request with the payload that was verified: the one that `parsed` gave to verification, or would have given. */
export async function verifiedRequest(sender: KnownSender): Promise<Result<VerifiedRequest, Rejected>> {
  const { raw, proven } = sender;
  const body = await raw.parsed();
  const query = checkQuery(raw.url);
  const parsed = query.ok ? body : query;
  if (parsed.ok) {
    const { payload, format } = parsed.value;
    const isClaimed = raw.source.dedupe.bodyMs > 0;
    const signedBody = isClaimed ? { digest: digestOf(raw.body), format } : null;
    return ok(asVerified(raw, payload, { ...proven, signedBody }));
  }
  // The sender is verified, so it gets the detail, as its admin does; the detail shows nothing of the body.
  const secrets = raw.secrets.map(({ value }) => value);
  const detail = redact(parsed.error.detail, secrets);
  const kind = parsed.error.status === 415 ? UNSUPPORTED_TYPE : MALFORMED_BODY;
  return err({ problem: { ...kind, detail }, code: kind.type, detail });
}

const MALFORMED_BODY = { status: 400, type: 'malformed-body' } as const;

export const UNSUPPORTED_TYPE = {
  status: 415,
  type: 'unsupported-type',
  title: 'Unsupported media type',
} as const;

const NOTHING_PROVEN = { verifiedBy: null, once: null, signedBody: null };

/** The mark that later steps require. A preview sets it too: it has no sender to verify. */
export function asVerified(
  { source, method, url, registeredUrl, headers, pathToken, secrets, receivedAt }: Arrival,
  payload: unknown,
  proven: Proven & Pick<VerifiedRequest, 'signedBody'> = NOTHING_PROVEN,
): VerifiedRequest {
  const arrival = { source, method, url, registeredUrl, headers, pathToken, secrets, receivedAt };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only place where the mark is made
  return { ...arrival, facts: factsOf(arrival, payload), ...proven } as VerifiedRequest;
}

export const withPayload = (request: VerifiedRequest, payload: unknown): VerifiedRequest => ({
  ...request,
  facts: factsOf(request, payload),
});

/** The same for every failure: a guesser must not learn which part was wrong. */
export const UNAUTHORIZED: Problem = {
  status: 401,
  type: 'verification-failed',
  detail:
    'This request could not be verified. The admin API lists the reason under /admin/api/v1/rejections.',
};

export const UNCONFIGURED: Problem = {
  status: 503,
  type: 'source-not-configured',
  detail: 'This source cannot verify webhooks at the moment, so it accepts none. Send it again later.',
  headers: { 'retry-after': '60' },
};

const UNAVAILABLE: Problem = {
  status: 503,
  type: 'verification-unavailable',
  detail: 'A server that verification needs cannot be reached at the moment. Send it again later.',
  headers: { 'retry-after': '60' },
};
