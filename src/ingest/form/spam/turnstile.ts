import type { FormRules } from '../../../config/compiled/form-rules.ts';
import * as z from 'zod/mini';
import { digestOf } from '../../../signature/basics/match.ts';
import { readAnswer } from '../../../lib/read-answer.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { withTimeout } from '../../../lib/timeout.ts';

/** The address at which Cloudflare verifies a token of the widget. */
export const SITEVERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

/** The longest token, according to Cloudflare's documentation. */
const MAX_TOKEN = 2_048;

const TIMEOUT_MS = 8_000;
const MAX_ANSWER_BYTES = 8_192;

/** The widget's token for the visitor, and the rest of the request. */
export interface TurnstileRequest {
  readonly secret: string;
  readonly token: string;
  /**
   * The fields of the form, and its time. Submitting the same form twice, as by a double click, makes one request: the
   * API accepts each token only once.
   */
  readonly form: string;
  /** The pages that may post: a token of another page is none of this form. */
  readonly origins: FormRules['origins'];
}

/** `visitor`: the widget does not vouch for the visitor. `us`: the API could not be asked. */
export interface NotVouched {
  readonly by: 'visitor' | 'us';
  readonly why: string;
}

const answerSchema = z.object({
  success: z.boolean(),
  hostname: z.optional(z.string()),
  'error-codes': z.optional(z.array(z.string())),
});

/** The codes that are about the visitor; any other code is a fault of the request or of the API. */
const OF_THE_VISITOR: ReadonlySet<string> = new Set([
  'missing-input-response',
  'invalid-input-response',
  'timeout-or-duplicate',
]);

/** Asks Turnstile about a visitor. Fails closed: anything but a clear yes counts as a no. */
export async function askTurnstile(
  { secret, token, form, origins }: TurnstileRequest,
  { fetch, timeout = TIMEOUT_MS }: { readonly fetch: typeof globalThis.fetch; readonly timeout?: number },
): Promise<Result<void, NotVouched>> {
  if (token === '') return err({ by: 'visitor', why: 'the form has no answer from its widget' });
  if (token.length > MAX_TOKEN) return err({ by: 'visitor', why: 'its widget’s answer is too long' });
  const idempotency_key = uuidOf(`${token}\n${form}`);
  const body = new URLSearchParams({ secret, response: token, idempotency_key });
  try {
    const { text, complete } = await withTimeout(timeout, async (signal) =>
      readAnswer(
        await fetch(SITEVERIFY, { method: 'POST', body, redirect: 'manual', signal }),
        MAX_ANSWER_BYTES,
      ),
    );
    const answer = complete ? answerSchema.safeParse(jsonOf(text)) : null;
    if (answer === null || !answer.success) return unavailable('its API gave an unexpected answer');
    const { success, hostname = '', 'error-codes': codes = [] } = answer.data;
    const hosts = typeof origins === 'object' ? origins?.map((one) => URL.parse(one)?.hostname) : null;
    if (success && hosts?.includes(hostname) === false)
      return err({
        by: 'visitor',
        why: `its widget was on ${hostname.slice(0, 100)}, not on a page of \`origins\``,
      });
    if (success) return ok(undefined);
    const named = codes.filter((code) => /^[a-z-]{1,40}$/.test(code)).slice(0, 3);
    const why = `its API says ${named.length === 0 ? 'no' : named.join(', ')}`;
    return codes.every((code) => OF_THE_VISITOR.has(code)) && codes.length > 0
      ? err({ by: 'visitor', why })
      : unavailable(why);
  } catch {
    return unavailable('its API could not be reached in time');
  }
}

const unavailable = (why: string): Result<never, NotVouched> => err({ by: 'us', why });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns a digest of a text in the form that the API expects. */
function uuidOf(text: string): string {
  const hex = digestOf(text);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
