import type { Result } from '../lib/result.ts';
import { withTimeout, type WithTimeout } from '../lib/wait.ts';
import { redact } from '../lib/redact.ts';
import { readAnswer } from '../lib/body.ts';
import { classifyFetchError, isCallLimit } from './reach.ts';
import type { GatewayRequest } from './http.ts';
import type { SendCall } from './kinds.ts';
import type { GatewayAnswer, Outcome, Verdict } from './outcome.ts';

export interface Gateway {
  /**
   * Returns the request for a call, or the reason why there is none. `id`: the message's id, the same in each attempt.
   */
  readonly request: (call: SendCall, id: string) => Result<GatewayRequest, Verdict>;
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
export interface AttemptResult {
  readonly outcome: Outcome;
  /** The explanation for people. */
  readonly detail: string;
  readonly duration_ms: number;
  readonly http_status?: number;
  /** The first 1 KiB of the answer (UTF-8). */
  readonly response?: string;
  /** For `refused`: the gateway's message. `permanent_errors` are matched against it. */
  readonly message?: string;
  /** For `busy`: the time to wait, if the gateway gives one. */
  readonly retry_after_ms?: number;
}

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
  return {
    ...verdict,
    // Only the detail of a failure can quote the gateway.
    detail: verdict.outcome === 'sent' ? verdict.detail : clean(verdict.detail),
    duration_ms,
    ...(verdict.message !== undefined && { message: clean(verdict.message) }),
    ...(answer && { http_status: answer.status, response: clean(answer.text, !answer.complete) }),
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
    if (canReach !== undefined && !(await canReach(url))) return notSent('could not connect to the gateway');
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

const notSent = (reason: string): Exchange => ({
  verdict: { outcome: 'unreachable', detail: reason },
  answer: null,
});

/** Returns the longest beginning of `text` that fits into `maxBytes` of UTF-8 and does not end in half a character. */
function clip(text: string, maxBytes: number): string {
  // A UTF-16 unit takes three bytes at most, so few answers have to be measured.
  if (3 * text.length <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
