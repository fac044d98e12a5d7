import { ownValue, parseObject } from '../lib/json.ts';
import type { Params } from '../lib/problem.ts';
import type { Cause, Reason } from '../lib/reason.ts';

/** The outcome of one call. The gateway's failures are not specified, so this is hookbell's interpretation. */
export const OUTCOMES = [
  'sent', // It says that it sent the message.
  'refused', // It answered, and says that it did not.
  'uncertain', // It may have sent it.
  'unauthorized', // It rejects the account's credentials.
  'forbidden', // It forbids this call; the next calls show whether that is about the account or about this text.
  'redirected', // It points elsewhere, so the base URL is wrong.
  'busy', // It asks to try again later.
  'rejected', // It will never accept this call.
  'server_error', // It failed.
  'unreachable', // The call certainly did not reach it.
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** An outcome; if it is not sent, with the reason, whose values may quote the gateway, and secrets that it repeats. */
export type Verdict = { readonly outcome: 'sent' } | Failure;

export interface Failure extends Reason {
  readonly outcome: Exclude<Outcome, 'sent'>;
  /** For `refused`: the gateway's message. It may be empty. */
  readonly message?: string;
  /** For `busy`: the time to wait, if the gateway gives one. */
  readonly retry_after_ms?: number;
}

export const failed = (outcome: Failure['outcome'], params: Params): Failure => ({
  outcome,
  code: outcome === 'uncertain' ? 'unclear-answer' : outcome === 'server_error' ? 'server-error' : outcome,
  params,
});

/** Nothing was sent, and the account's owner can fix the cause. */
export const NO_ADDRESS = failed('unreachable', { cause: 'bad-address' });

/** An answer of the gateway. `complete` is false if the rest of the body is missing. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly complete: boolean;
}

/** The same call is tried again: request timeout, too early, too many requests, unavailable. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429, 503]);

/** No connection was made: refused, no route, TLS, DNS. On Cloudflare, fetch() answers so instead of throwing. */
export const NEVER_CONNECTED: ReadonlySet<number> = new Set([521, 523, 525, 526, 530]);
/** Statuses after which a connection may have been made, but no answer came: closed, not acknowledged, timed out. */
export const NEVER_ANSWERED: ReadonlySet<number> = new Set([520, 522, 524]);

/** `now` (ms since the epoch) is for a `Retry-After` that is a date. `readSuccess` interprets a 2xx. */
export function classifyAnswer(
  answer: GatewayAnswer,
  now: number,
  readSuccess: (answer: GatewayAnswer) => Verdict = classifySuccess,
): Verdict {
  const { status } = answer;
  const is = (outcome: Failure['outcome'], cause?: Cause): Failure =>
    failed(outcome, { status: String(status), ...(cause && { cause }) });
  if (status >= 200 && status < 300) return readSuccess(answer);
  if (status >= 300 && status < 400) return is('redirected');
  if (status === 401) return is('unauthorized');
  if (status === 403) return is('forbidden');
  if (BUSY.has(status)) {
    const wait = parseRetryAfter(answer.headers.get('retry-after'), now);
    return { ...is('busy'), ...(wait !== null && { retry_after_ms: wait }) };
  }
  if (status >= 400 && status < 500) return is('rejected');
  if (NEVER_CONNECTED.has(status)) return is('unreachable', 'not-connected');
  if (NEVER_ANSWERED.has(status)) return { ...is('uncertain', 'no-response'), code: 'no-answer' };
  return is(status >= 500 ? 'server_error' : 'uncertain');
}

/** Interprets a 2xx by its JSON alone. Ignores the content type: PHP sends JSON as text/html by default. */
function classifySuccess({ status, text, complete }: GatewayAnswer): Verdict {
  if (!complete) return unclear(status, 'cut-off');
  if (text.trim() === '') return unclear(status, 'empty');
  const body = parseObject(text);
  if (body === null) return unclear(status, 'not-json');
  const message = typeof body['message'] === 'string' ? body['message'] : '';
  if (body['success'] === false) return refused({ field: 'success', value: 'false' }, message);
  // `"true"` or 1 may well mean yes, but the gateway's documents promise a boolean.
  if (body['success'] !== true) return unclear(status, 'undecided', 'success');
  const field = 'data.status_code';
  const code = ownValue(body, field) ?? 200;
  // PHP writes 200 or "200", and taking either for a failure would send the message twice.
  const number = typeof code === 'string' && /^\d{1,9}$/.test(code) ? Number(code) : code;
  if (typeof number !== 'number' || !Number.isInteger(number)) return unclear(status, 'undecided', field);
  return number === 200 ? { outcome: 'sent' } : refused({ field, value: String(number) }, message);
}

/** A 2xx that may mean that the message was sent. `field`: what should say so. */
export const unclear = (status: number, cause: Cause, field?: string): Failure =>
  failed('uncertain', { status: String(status), cause, ...(field !== undefined && { field }) });

/** `sign`: the field that says so, and its value. */
export const refused = (sign: Params, message: string): Failure => ({
  ...failed('refused', { ...sign, ...(message !== '' && { words: message }) }),
  message,
});

/** The longest delay. With a wrong clock or unit, a gateway could otherwise delay a message for years. */
const MAX_MS = 24 * 3_600_000;

const SECONDS = /^[+-]?\d{1,15}(?:\.\d+)?$/;
/** The formats that RFC 9110 §5.6.7 requires every recipient to read. Date.parse alone takes `2` for a date. */
const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** The wait of a `Retry-After` (RFC 9110 §10.2.3), from `now` (ms): up to 24 hours, 0 for the past, null if invalid. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const wait = SECONDS.test(text) ? Number(text) * 1_000 : parseHttpDate(text) - now;
  return Number.isNaN(wait) ? null : Math.ceil(Math.min(Math.max(wait, 0), MAX_MS));
}

function parseHttpDate(text: string): number {
  if (IMF_FIXDATE.test(text) || RFC_850.test(text)) return Date.parse(text);
  // asctime has no zone; by RFC 9110 every HTTP date is UTC.
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : NaN;
}
