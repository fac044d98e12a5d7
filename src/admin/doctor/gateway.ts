import { readAnswer } from '../../lib/read-answer.ts';
import { classifyFetchError } from '../../gateway/reach.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { classifyAnswer, type Outcome, type Verdict } from '../../gateway/outcome.ts';
import { loginForm, type GatewayAccount } from '../../gateway/v2.ts';
import { redact } from '../../lib/redact.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { ofAccount, span, type Check } from './check.ts';
import type { CheckStatus } from './api-check.ts';
import type { DoctorCode } from './codes.ts';
import { loginRemedy } from './outage.ts';

/** A person waits for the answer. A gateway that needs longer than this (ms) for an empty call has a problem. */
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 8 * 1_024;
/** The longest quote of the gateway's own text, in UTF-16 units. */
const MAX_QUOTED = 160;

interface ProbeOptions {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** The time when the gateway last accepted a message of this account (ms); null if none is on record. */
  readonly lastSentAt: number | null;
}

/** The findings of a probe, and the time of the gateway's clock (ms) if the answer has one. */
export interface Probed {
  readonly check: Check;
  readonly clock: { readonly theirs: number; readonly ours: number } | null;
}

/**
 * Checks that the gateway answers and accepts the account's login, without sending anything to anyone.
 *
 * Every call of the gateway sends something, and its documents do not say what it checks first. So this makes the call
 * that is least likely to send: a poll with the login, but without the receiver, question and options that it requires.
 * The answer may show that the login is refused, but not that it is accepted. The only proof of that is a message that
 * the gateway accepted before; without one the result is `unknown`. No wrong login is tried for comparison, since that
 * could lock the account.
 */
export async function probeGateway(
  name: string,
  account: GatewayAccount,
  options: ProbeOptions,
): Promise<Probed> {
  const answer = await exchange(account, options);
  const ours = options.now();
  const sentAgo = options.lastSentAt === null ? null : ours - options.lastSentAt;
  const finding = FINDINGS[answer.verdict.outcome]?.(name, answer.verdict) ?? unclear(name, answer, sentAgo);
  const check = { id: `gateway:${name}` as const, title: `Gateway${ofAccount(name)}`, ...finding };
  return { check, clock: Number.isNaN(answer.date) ? null : { theirs: answer.date, ours } };
}

/**
 * The finding about another maker's gateway. Such a gateway is not called, since most have no call that sends nothing.
 */
export function unasked(account: string, gateway: string, lastSentAt: number | null, now: number): Check {
  const check = { id: `gateway:${account}` as const, title: `Gateway${ofAccount(account)}` };
  if (lastSentAt !== null)
    return {
      ...check,
      status: 'ok',
      code: 'gateway-accepts',
      params: { gateway },
      detail: `${gateway} accepted a message ${span(now - lastSentAt)} ago`,
    };
  const to = account === 'default' ? '' : ` --account ${account}`;
  return {
    ...check,
    status: 'unknown',
    code: 'gateway-untested',
    params: { gateway },
    detail: `only a message shows whether ${gateway} takes it`,
    remedy: `Send one to yourself: npx hookbell gateway check${to} --to <receiver>`,
  };
}

interface Exchange {
  readonly verdict: Verdict;
  readonly status: number | null;
  /** The gateway's text. It may be empty. */
  readonly said: string;
  /** NaN if the answer has no date. */
  readonly date: number;
}

async function exchange(account: GatewayAccount, { fetch, now }: ProbeOptions): Promise<Exchange> {
  const { email, apiKey, appKey } = account;
  try {
    return await withTimeout(TIMEOUT_MS, async (signal) => {
      const response = await fetch(`${account.baseUrl}/${MESSAGE_KINDS.poll.path}`, {
        ...loginForm(account, {}),
        signal,
      });
      const { status, headers } = response;
      const answer = await readAnswer(response, MAX_ANSWER_BYTES);
      const text = redact(answer.text, [email, apiKey, appKey], !answer.complete);
      const verdict = classifyAnswer({ status, headers, ...answer, text }, now());
      return { verdict, status, said: wordsOf(text), date: Date.parse(headers.get('date') ?? '') };
    });
  } catch (error) {
    return { verdict: classifyFetchError(error), status: null, said: '', date: NaN };
  }
}

/** The `message` of an answer, or an empty text. */
function wordsOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const words: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'message') : null;
    return typeof words === 'string' ? words.slice(0, MAX_QUOTED) : '';
  } catch {
    return '';
  }
}

type GatewayFinding = Pick<Check, 'status' | 'code' | 'detail' | 'remedy'>;

const finding = (status: CheckStatus, code: DoctorCode, detail: string, remedy: string): GatewayFinding => ({
  status,
  code,
  detail,
  remedy,
});

const WRONG_ADDRESS =
  'Compare GATEWAY_BASE_URL, or the account’s own variable, with what the gateway gave you; it ends in /api';

/** Outcomes that mean the same for any call. */
const FINDINGS: Partial<Record<Outcome, (account: string, verdict: Verdict) => GatewayFinding>> = {
  unauthorized: (account, { detail }) => finding('fail', 'login-refused', detail, loginRemedy(account)),
  forbidden: (account, { detail }) =>
    finding(
      'fail',
      'gateway-forbids',
      detail,
      `${loginRemedy(account)}. If messages are still sent, the gateway’s firewall refuses this empty call`,
    ),
  redirected: (_, { detail }) => finding('fail', 'gateway-redirects', detail, WRONG_ADDRESS),
  unreachable: (_, { detail }) =>
    finding('fail', 'gateway-unreachable', `cannot be reached: ${detail}`, WRONG_ADDRESS),
  busy: (_, { detail }) =>
    finding('warn', 'gateway-busy', detail, 'Nothing to do: messages are sent once it accepts calls again'),
};

/** Interprets outcomes that an empty call may get from a working gateway. */
function unclear(
  account: string,
  { verdict, status, said }: Exchange,
  sentAgo: number | null,
): GatewayFinding {
  const { outcome, detail } = verdict;
  // Cloudflare answers 520 and similar for a server that does not answer.
  if (status === null || (outcome === 'uncertain' && status >= 500))
    return finding(
      'fail',
      'gateway-silent',
      `does not answer: ${detail}`,
      `Check that the gateway is up. ${WRONG_ADDRESS}`,
    );
  if (status === 404 || status === 405)
    return finding('fail', 'no-api', `answers ${status}: there is no API at this address`, WRONG_ADDRESS);
  const quoted = said === '' ? '' : ` (“${said}”)`;
  if (sentAgo !== null && outcome !== 'server_error')
    return {
      status: 'ok',
      code: 'gateway-accepts',
      detail: `answers${quoted}, and accepted a message ${span(sentAgo)} ago`,
    };
  const to = account === 'default' ? '' : ` --account ${account}`;
  return finding(
    'unknown',
    'login-untested',
    `answers ${status}${quoted}; only a message shows whether it accepts the login`,
    `Send a message to your own phone: npx hookbell send "Hello"${to} --to <number> --wait`,
  );
}

/** The allowed difference: a `Date` header has whole seconds, and the answer took some time. */
const TOLERATED_MS = 30_000;

/** Compares two clocks (ms). Senders' signatures are refused if they are too old, usually after five minutes. */
export function clockCheck({ theirs, ours }: { readonly theirs: number; readonly ours: number }): Check {
  const apart = Math.abs(theirs - ours);
  const found = { id: 'clock' as const, title: 'Clock' };
  if (apart <= TOLERATED_MS)
    return { ...found, status: 'ok', code: 'clock-right', detail: 'agrees with the gateway’s' };
  return {
    ...found,
    status: 'warn',
    code: 'clock-wrong',
    params: { apart: span(apart), is: theirs > ours ? 'ahead' : 'behind' },
    detail: `the gateway’s is ${span(apart)} ${theirs > ours ? 'ahead' : 'behind'}`,
    remedy:
      'If the relay is at Cloudflare, the gateway’s clock is wrong. If it runs on this machine, set this machine’s clock',
  };
}
