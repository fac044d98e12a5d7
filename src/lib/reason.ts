import type { ReasonCode } from './api-codes.ts';
import { faultsText, type Fault, type Params } from './problem.ts';

/** Sentences with values in `{}` on why a call fails, or what becomes of a message; codes: `api-codes.ts`. */
const SENTENCES = {
  refused: 'the gateway refused (`{field}` is {value})',
  unauthorized: 'the gateway answered {status}: it rejects the credentials',
  'login-missing': '{error}',
  forbidden: 'the gateway answered {status}: it forbids this call',
  redirected: 'the gateway answered {status}: not followed; check the base URL',
  busy: 'the gateway answered {status}: it asks to try again later',
  rejected: 'the gateway answered {status}: it rejects this call',
  'not-sendable': '{error}',
  'server-error': 'the gateway answered {status}: it failed',
  unreachable: 'could not connect to the gateway',
  'no-answer': 'the connection was lost; the gateway may have received the call',
  'unclear-answer': 'the gateway answered {status}: not a valid answer',
  interrupted: 'the relay stopped before the answer arrived',
  paused: 'paused through the admin API',
  'account-forbidden':
    'the gateway answered 403 to messages of different events, then to the most urgent one, and sent none in between',
  expired: "older than the route's `expires`",
  'no-first-contact':
    'no first contact was left that day: sources that cannot prove their sender have {open} of {per_day} (`new_contacts`)',
  'opted-out': 'its receiver has opted out',
  cancelled: 'cancelled by {by}',
  summarized: 'summarized in {message}',
  outdated: 'its news was outdated or held back by the time it could be sent',
  'handed-on': 'not sent within {after}: the account `{account}` sends its fallback',
  'fallback-refused': 'its fallback was refused: {error}',
  'fallback-unknown': 'the outcome of its fallback is unknown',
  'other-text': '{error}',
  'no-links': 'its links are left out: PUBLIC_URL is not set',
} as const satisfies Readonly<Record<ReasonCode, string>>;

/** More exact causes of some of them, which have their own sentences. */
export const CAUSES = {
  'bad-address': 'the base URL is not an address',
  'not-http': 'the base URL is neither http nor https',
  'no-timer': 'the platform has no free timer for this call',
  'not-connected': 'the gateway answered {status}: Cloudflare could not connect to it',
  'no-response': 'the gateway answered {status}: Cloudflare got no answer from it',
  'timed-out': 'no answer in time; the gateway may have received the call',
  'cut-off': 'the gateway answered {status}, but the answer was cut off or is too long',
  empty: 'the gateway answered {status}, but the answer is empty',
  'not-json': 'the gateway answered {status}, but the answer is not a JSON object',
  undecided: 'the gateway answered {status}, but `{field}` does not show whether it sent the message',
  'no-instance': 'the gateway answered {status}: it has no instance with this name',
  'not-linked':
    'the gateway answered {status}: it is not connected to its phone: scan its QR code, or restart it',
  'no-bot': 'the gateway answered {status}: it knows no bot with this token',
  'no-chat': 'the gateway answered {status}: the bot may not write to this chat',
  'no-whatsapp': 'the gateway answered {status}: this number is not on WhatsApp',
  'no-signal': 'the gateway answered {status}: this number is not on Signal',
  'said-stop': 'the gateway answered {status}: the receiver answered STOP',
  'day-over':
    'the gateway answered {status}: more than 24 hours since the receiver wrote: it takes only approved templates now',
  'as-declared': 'the gateway answered {status}: {says}',
} as const;
export type Cause = keyof typeof CAUSES;

const isCause = (cause = ''): cause is Cause => cause in CAUSES;

/** A reason: its code, and its values. `cause` is a {@link Cause}, and `words` are the gateway's own. */
export interface Reason {
  readonly code: ReasonCode;
  readonly params?: Params;
  /** What was so already; absent: nothing. */
  readonly before?: Reason | undefined;
}

/** The reason why an account has no login. `names`: what is not set, if nothing else is wrong. */
export function loginMissing(faults: readonly Fault[]): Reason {
  const names = faults.map(([, , params]) => params?.['name']);
  const known = names.every((name) => name !== undefined) && { names: names.join(', ') };
  return { code: 'login-missing', params: { error: faultsText(faults), ...known } };
}

export const reasonView = (reason: Reason) => ({
  code: reason.code,
  reason: reasonText(reason),
  ...(reason.params && { reason_params: reason.params }),
});

/** The reason alone, without what else is beside it. */
export const reasonIn = ({ code, params }: Reason): Reason => ({ code, ...(params && { params }) });

/** The same without the gateway's own words. */
export function withoutWords({ code, params }: Reason): Reason {
  const { words: _, ...own } = params ?? {};
  return { code, params: own };
}

const givenUp = (code: ReasonCode, attempts: string): string =>
  code === 'forbidden'
    ? `forbidden ${attempts} times while other messages were sent`
    : `gave up after ${attempts} attempt${attempts === '1' ? '' : 's'}`;

export function reasonText({ code, params = {}, before }: Reason): string {
  const { attempts, cause, permanent, words } = params;
  const sentence = isCause(cause) ? CAUSES[cause] : SENTENCES[code];
  const parts = [
    sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '') + (words ? `: ${words}` : ''),
    permanent !== undefined && `a permanent error, as it matches \`${permanent}\``,
    attempts !== undefined && givenUp(code, attempts),
  ];
  return [before && reasonText(before), ...parts].filter(Boolean).join('; ');
}
