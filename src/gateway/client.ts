import type { Result } from '../lib/result.ts';
import { withTimeout, type WithTimeout } from '../lib/timeout.ts';
import { redact } from '../lib/redact.ts';
import { readAnswer } from '../lib/read-answer.ts';
import { classifyFetchError, isCallLimit } from './fetch-error.ts';
import type { GatewayRequest } from './http-request.ts';
import type { SendCall } from './kinds.ts';
import type { GatewayAnswer, Outcome, Verdict } from './outcome.ts';

/** A gateway as one account calls it. */
export interface Gateway {
  /** The request of a call; else why there can be none. `id` is the message's, the same in each attempt. */
  readonly request: (call: SendCall, id: string) => Result<GatewayRequest, Verdict>;
  /** Returns the outcome of an answer. `now` in ms since the epoch. */
  readonly classify: (answer: GatewayAnswer, now: number) => Verdict;
  /** The secrets that no text may repeat. */
  readonly secrets: readonly (string | undefined)[];
}

/** The surroundings of a call. */
export interface SendOptions {
  readonly fetch: typeof fetch;
  /** For the whole call, from connecting to the end of the answer. */
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Lets many calls share a timer; absent: this call has its own. */
  readonly withTimeout?: WithTimeout;
  /** Checks whether the gateway can be reached (`reach.ts`), before a call that must not be made twice. */
  readonly canReach?: (url: URL) => Promise<boolean>;
}

/** One attempt as it is recorded. No text in it contains a secret of the account. */
export interface AttemptResult {
  readonly outcome: Outcome;
  /** An explanation for a person. */
  readonly detail: string;
  readonly duration_ms: number;
  readonly http_status?: number;
  /** The first 1 KiB of the answer (UTF-8). */
  readonly response?: string;
  /** For `refused`: the gateway's message, which `permanent_errors` are matched with. */
  readonly message?: string;
  /** For `busy`: how long to wait, if the gateway says so. */
  readonly retry_after_ms?: number;
}

/** The bytes of an answer that are read; the rest is cancelled. Usual answers have a few hundred. */
const MAX_ANSWER_BYTES = 64 * 1_024;
/** The bytes that are kept of the answer, and of the gateway's message in it. */
const MAX_KEPT_BYTES = 1_024;

/** No attempt: the platform allows no more calls in this run. */
export const NO_CALL = 'no call';
export type NoCall = typeof NO_CALL;

/** Makes one call of the gateway, for the message `id`. Never throws: whatever happens is an outcome. */
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
  // Redacted first and cut then: half a secret would not be recognised.
  const clean = (text: string, cutOff = false): string =>
    clip(redact(text, gateway.secrets, cutOff), MAX_KEPT_BYTES);
  return {
    ...verdict,
    // Only a failure quotes the gateway.
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
  // Destructured, since workerd's fetch cannot be called as a method of the options.
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

/** The beginning of `text` that fits into `maxBytes` of UTF-8, without half a character at its end. */
function clip(text: string, maxBytes: number): string {
  // A UTF-16 unit has three bytes at most, so hardly any answer needs measuring.
  if (3 * text.length <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
