import { createCache } from '../lib/cache.ts';
import { withTimeout, type WithTimeout } from '../lib/timeout.ts';
import { redact } from '../lib/redact.ts';
import { readAnswer } from '../lib/read-answer.ts';
import { classifyFetchError, isCallLimit } from './fetch-error.ts';
import { MESSAGE_KINDS, type SendCall } from './kinds.ts';
import { classifyAnswer, type Outcome, type Verdict } from './outcome.ts';

/** One gateway login. `baseUrl` ends in `/api`, without a slash after it. */
export interface GatewayAccount {
  readonly baseUrl: string;
  readonly email: string;
  readonly apiKey: string;
  readonly appKey?: string;
}

/** The surroundings of a call. */
export interface SendOptions {
  readonly fetch: typeof fetch;
  /** For the whole call, from connecting to the end of the answer. */
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Where many calls share a timer; absent: a timer for this one. */
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

/** How many bytes of an answer are read; the rest is cancelled. Usual answers have a few hundred. */
const MAX_ANSWER_BYTES = 64 * 1_024;
/** How many bytes are kept of the answer, and of the gateway's message in it. */
const MAX_KEPT_BYTES = 1_024;

/** No attempt: the platform allows no more calls in this run. */
export const NO_CALL = 'no call';
export type NoCall = typeof NO_CALL;

/** Makes one call of the gateway. Never throws: whatever happens is an outcome. */
export async function send(
  call: SendCall,
  account: GatewayAccount,
  options: SendOptions,
): Promise<AttemptResult | NoCall> {
  const startedAt = options.now();
  const exchanged = await exchange(call, account, options);
  if (exchanged === NO_CALL) return NO_CALL;
  const { verdict, answer } = exchanged;
  const duration_ms = options.now() - startedAt;
  // Redacted first and cut then: half a secret would not be recognised.
  const secrets = [account.email, account.apiKey, account.appKey];
  const clean = (text: string, cutOff = false): string => clip(redact(text, secrets, cutOff), MAX_KEPT_BYTES);
  return {
    ...verdict,
    // Only a failure quotes the gateway.
    detail: verdict.outcome === 'sent' ? verdict.detail : clean(verdict.detail),
    duration_ms,
    ...(verdict.message !== undefined && { message: clean(verdict.message) }),
    ...(answer && { http_status: answer.status, response: clean(answer.text, !answer.complete) }),
  };
}

const addresses = createCache<URL | null>(64);

function addressOf({ baseUrl }: GatewayAccount, { kind }: SendCall): URL | null {
  const address = `${baseUrl}/${MESSAGE_KINDS[kind].path}`;
  return addresses(address, () => URL.parse(address));
}

interface Exchange {
  readonly verdict: Verdict;
  readonly answer: { readonly status: number; readonly text: string; readonly complete: boolean } | null;
}

async function exchange(
  call: SendCall,
  account: GatewayAccount,
  options: SendOptions,
): Promise<Exchange | NoCall> {
  // Destructured, since workerd's fetch cannot be called as a method of the options.
  const { fetch, timeoutMs, canReach, withTimeout: within = withTimeout } = options;
  const url = addressOf(account, call);
  if (url === null) return notSent('the base URL is not an address');
  try {
    if (canReach !== undefined && !(await canReach(url)))
      return notSent('there is no connection to the gateway');
    return await within(timeoutMs, async (signal) => {
      const { phone, params } = call;
      const fields = { ...params, ...(phone !== null && { phone }) };
      const response = await fetch(url, { ...loginForm(account, fields), signal });
      const { status, headers } = response;
      const answer = { status, ...(await readAnswer(response, MAX_ANSWER_BYTES)) };
      return { verdict: classifyAnswer({ ...answer, headers }, options.now()), answer };
    });
  } catch (error) {
    return isCallLimit(error) ? NO_CALL : { verdict: classifyFetchError(error), answer: null };
  }
}

const notSent = (reason: string): Exchange => ({
  verdict: { outcome: 'unreachable', detail: reason },
  answer: null,
});

const HEADERS = new Headers({
  'content-type': 'application/x-www-form-urlencoded',
  accept: 'application/json',
  'user-agent': 'hookbell',
});

/** A call's fields, with the account's login, as a URL-encoded form. */
export function loginForm(account: GatewayAccount, fields: Readonly<Record<string, string>>) {
  const form = new URLSearchParams({
    ...fields,
    // Credentials last, so that no parameter can replace them.
    email: account.email,
    api_key: account.apiKey,
    ...(account.appKey !== undefined && { app_key: account.appKey }),
  });
  return {
    method: 'POST',
    headers: HEADERS,
    body: form.toString(),
    // Following a redirect would send the credentials to another server.
    redirect: 'manual',
  } as const;
}

/** The beginning of `text` that fits into `maxBytes` of UTF-8, without half a character at its end. */
function clip(text: string, maxBytes: number): string {
  // A UTF-16 unit has three bytes at most, so hardly any answer needs measuring.
  if (3 * text.length <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
