import type { Result } from '../lib/result.ts';
import { aborted, withTimeout, type WithTimeout } from '../lib/wait.ts';
import { redact } from '../lib/redact.ts';
import { readAnswer } from '../lib/body.ts';
import type { GatewayRequest } from './http.ts';
import type { SendCall } from './kinds.ts';
import { failed, type Failure, type GatewayAnswer, type Verdict, NEVER_CONNECTED } from './outcome.ts';
import type { Cause } from '../lib/reason.ts';

export interface Gateway {
  /** The request for a call, or why there is none. `id`: the message's, the same in each attempt. */
  readonly request: (call: SendCall, id: string) => Result<GatewayRequest, Failure>;
  readonly classify: (answer: GatewayAnswer, now: number) => Verdict;
  readonly secrets: readonly (string | undefined)[];
}

export interface SendOptions {
  readonly fetch: typeof fetch;
  /** The time limit of the whole call, from connecting to the end of the answer. */
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Lets many calls share a timer. Absent if the call has its own. */
  readonly withTimeout?: WithTimeout;
  /** Checks that the gateway can be reached, before a call that must not be made twice. */
  readonly canReach?: (url: URL) => Promise<boolean>;
}

/** The record of one attempt. Its texts contain no secret of the account. */
export type AttemptResult = Verdict & {
  readonly duration_ms: number;
  readonly http_status?: number;
  /** The first 1 KiB of the answer (UTF-8). */
  readonly response?: string;
};

/** The maximum number of bytes that are read of an answer; the rest is cancelled. Most answers have a few hundred. */
const MAX_ANSWER_BYTES = 64 * 1_024;
/** The maximum number of bytes that are stored of an answer, and of the gateway's message in it. */
const MAX_KEPT_BYTES = 1_024;

/** No call was made: the platform allows no more calls in this run. */
export const NO_CALL = 'no call';
export type NoCall = typeof NO_CALL;

/** Calls the gateway once for the message `id`. Never throws: every error is an outcome. */
export async function send(
  call: SendCall,
  gateway: Gateway,
  options: SendOptions,
  id = '',
): Promise<AttemptResult | NoCall> {
  const startedAt = options.now();
  const request = gateway.request(call, id);
  if (!request.ok) return { ...request.error, duration_ms: 0 };
  const exchanged = await exchange(request.value, gateway, options);
  if (exchanged === NO_CALL) return NO_CALL;
  const { verdict, answer } = exchanged;
  const duration_ms = options.now() - startedAt;
  // Redacts before cutting: half a secret would not be recognised.
  const clean = (text: string, cutOff = false): string =>
    clip(redact(text, gateway.secrets, cutOff), MAX_KEPT_BYTES);
  const record = {
    duration_ms,
    ...(answer && { http_status: answer.status, response: clean(answer.text, !answer.complete) }),
  };
  if (verdict.outcome === 'sent') return { ...verdict, ...record };
  const { message, params = {} } = verdict;
  const cleaned = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, clean(value)]));
  return {
    ...verdict,
    params: cleaned,
    ...(message !== undefined && { message: clean(message) }),
    ...record,
  };
}

async function exchange({ url, init }: GatewayRequest, gateway: Gateway, options: SendOptions) {
  // Not called as a method of the options: workerd's fetch does not allow that.
  const { fetch, timeoutMs, canReach, withTimeout: within = withTimeout } = options;
  try {
    if (canReach !== undefined && !(await canReach(url)))
      return { verdict: failed('unreachable', {}), answer: null };
    return await within(timeoutMs, async (signal) => {
      const response = await fetch(url, { ...init, signal });
      const { status, headers } = response;
      const answer = { status, ...(await readAnswer(response, MAX_ANSWER_BYTES)) };
      return { verdict: gateway.classify({ ...answer, headers }, options.now()), answer };
    });
  } catch (error) {
    return isCallLimit(error) ? NO_CALL : { verdict: classifyFetchError(error), answer: null };
  }
}

/** Returns the longest beginning of `text` that fits into `maxBytes` of UTF-8 and does not end in half a character. */
function clip(text: string, maxBytes: number): string {
  // A UTF-16 unit takes three bytes at most, so few answers have to be measured.
  if (3 * text.length <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/** Opens a TCP (and for https a TLS) connection; `connect` of `cloudflare:sockets`. */
export type Connect = (
  address: { hostname: string; port: number },
  options: { secureTransport: 'on' | 'off'; allowHalfOpen: boolean },
) => Pick<Socket, 'opened' | 'closed' | 'close'>;

/** `timeoutMs`: of each of the two steps. */
type ReachOptions = Pick<SendOptions, 'fetch' | 'timeoutMs'> & { readonly connect: Connect };

/** The most calls of one check. */
export const REACH_CALLS = 2;

/**
 * Checks that a connection to the gateway's server is possible now, without sending anything that it could act on.
 *
 * fetch() does not distinguish a refused connection from one that was lost after the request was read (see
 * below). A message that must not be sent twice may be retried after the former, and waits for a person
 * after the latter. So such a call checks first. A socket that opens is enough. If it does not open, the platform may
 * just not allow sockets there (on Cloudflare: to addresses of Cloudflare itself), so a HEAD request decides. Throws
 * only the platform's error that no more calls are allowed.
 */
export async function canReach(url: URL, options: ReachOptions): Promise<boolean> {
  return (await opens(url, options).catch(unreachable)) || (await answers(url, options).catch(unreachable));
}

async function opens(url: URL, { connect, timeoutMs }: ReachOptions): Promise<boolean> {
  const secure = url.protocol === 'https:';
  const address = { hostname: url.hostname, port: Number(url.port || (secure ? 443 : 80)) };
  const socket = connect(address, { secureTransport: secure ? 'on' : 'off', allowHalfOpen: false });
  // `closed` rejects together with `opened`, and nothing else handles it.
  socket.closed.catch(() => undefined);
  const opened = await withTimeout(timeoutMs, (signal) =>
    Promise.race([socket.opened.then(() => true), aborted(signal).then(() => false)]),
  );
  socket.close().catch(() => undefined);
  return opened;
}

async function answers(url: URL, { fetch, timeoutMs }: ReachOptions): Promise<boolean> {
  const head = { method: 'HEAD', redirect: 'manual' } as const;
  const response = await withTimeout(timeoutMs, (signal) => fetch(url, { ...head, signal }));
  await response.body?.cancel();
  return !NEVER_CONNECTED.has(response.status);
}

/** Throws the error again if it is the platform's limit, which says nothing about the gateway. */
function unreachable(error: unknown): false {
  if (isCallLimit(error)) throw error;
  return false;
}

/**
 * Errors that workerd's fetch() throws, tried against real sockets (workerd of 2026-11):
 *
 * | what happened                                     | name         | message                         |
 * |---------------------------------------------------|--------------|---------------------------------|
 * | connection refused; reset or closed on accept     | Error        | `Network connection lost.`      |
 * | reset or closed after the request was read        | Error        | `Network connection lost.`      |
 * | an answer that is not HTTP, or cut off in its head | Error        | `Network connection lost.`      |
 * | name not found; TLS handshake failed              | Error        | `internal error; reference = …` |
 * | timed out, connected or not                       | TimeoutError | `The operation was aborted …`   |
 * | no address; a protocol that is not HTTP           | TypeError    | `Invalid URL: …`, `Fetch API cannot load: …` |
 *
 * A refused connection and a reset after the request was read look the same, whether the body is text or a stream:
 * workerd reads the body before it connects. So only a failure before any I/O proves that nothing was sent, and where
 * that matters, {@link canReach} checks first. On Cloudflare the first and third row mostly arrive as statuses, see
 * `outcome.ts`.
 */
const BEFORE_ANY_IO: readonly (readonly [RegExp, Cause])[] = [
  [/^Invalid URL/, 'bad-address'],
  [/^Fetch API cannot load/, 'not-http'],
  [/^You have exceeded the number of active timeouts/, 'no-timer'],
];

/** True if the platform made no call because this run has used up its calls. That says nothing about the gateway. */
export const isCallLimit = (error: unknown): boolean =>
  error instanceof Error && /too many subrequests/i.test(error.message);

/** It is `unreachable` only if that is certain. */
export function classifyFetchError(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  const known = BEFORE_ANY_IO.find(([pattern]) => pattern.test(message));
  if (known !== undefined) return failed('unreachable', { cause: known[1] });
  const isLate = name === 'TimeoutError' || name === 'AbortError';
  return { outcome: 'uncertain', code: 'no-answer', ...(isLate && { params: { cause: 'timed-out' } }) };
}
