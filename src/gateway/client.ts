import type { Result } from '../lib/result.ts';
import { withTimeout, type WithTimeout } from '../lib/wait.ts';
import { redact } from '../lib/redact.ts';
import { readAnswer } from '../lib/body.ts';
import { classifyFetchError, isCallLimit } from './reach.ts';
import type { GatewayRequest } from './http.ts';
import type { SendCall } from './kinds.ts';
import { failed, type Failure, type GatewayAnswer, type Verdict } from './outcome.ts';

export interface Gateway {
  /**
   * Returns the request for a call, or the reason why there is none. `id`: the message's id, the same in each attempt.
   */
  readonly request: (call: SendCall, id: string) => Result<GatewayRequest, Failure>;
  /** Returns the outcome of an answer. `now` in ms since the epoch. */
  readonly classify: (answer: GatewayAnswer, now: number) => Verdict;
  /** The secrets that must not appear in any text. */
  readonly secrets: readonly (string | undefined)[];
}

export interface SendOptions {
  readonly fetch: typeof fetch;
  /** The time limit of the whole call, from connecting to the end of the answer. */
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Lets many calls share a timer. Absent if the call has its own. */
  readonly withTimeout?: WithTimeout;
  /** Checks that the gateway can be reached (`reach.ts`), before a call that must not be made twice. */
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
  return {
    ...verdict,
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, clean(value)])),
    ...(message !== undefined && { message: clean(message) }),
    ...record,
  };
}

interface Exchange {
  readonly verdict: Verdict;
  readonly answer: { readonly status: number; readonly text: string; readonly complete: boolean } | null;
}

async function exchange(
  { url, init }: GatewayRequest,
  gateway: Gateway,
  options: SendOptions,
): Promise<Exchange | NoCall> {
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
