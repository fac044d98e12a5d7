import { readAnswer } from '../../lib/body.ts';
import { classifyFetchError } from '../../gateway/client.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { classifyAnswer, type Verdict } from '../../gateway/outcome.ts';
import { loginForm, type GatewayAccount } from '../../gateway/v2.ts';
import { reasonText } from '../../lib/reason.ts';
import { redact } from '../../lib/redact.ts';
import { withTimeout } from '../../lib/wait.ts';
import { credentialNames } from '../../config/secrets/credential-names.ts';
import { isBaseUrl, PLAIN_HTTP, plainHost, baseUrlOf, whyNotListed } from '../../config/secrets/gateway.ts';
import { V2, type GatewaySpec } from '../../gateway/shape.ts';
import { gatewayName } from '../../config/compiled/gateway-spec.ts';
import { secret } from '../../lib/secret.ts';
import type { OutboxStatus } from '../../answers/api-status.ts';
import { count, findingOf, ofAccount, span, type Check } from './check.ts';
import type { CheckStatus } from './api-check.ts';
import type { DoctorCode } from '../../lib/api-codes.ts';
import { maybeJson, ownValue } from '../../lib/json.ts';

/** A person waits for the answer. A gateway that needs longer than this (ms) for an empty call has a problem. */
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 8 * 1_024;
const MAX_QUOTED = 160;

/** `lastSentAt` (ms): when the gateway last accepted a message of this account; null if that is not on record. */
type ProbeOptions = Readonly<{ fetch: typeof fetch; now: () => number; lastSentAt: number | null }>;

/**
 * Checks that the gateway answers and accepts the account's login, without sending anything to anyone.
 *
 * Every call of the gateway sends something, so this makes the one that is least likely to: a poll with the login, but
 * without the receiver, question and options that it requires. The answer may show that the login is refused, but only a
 * message that was accepted before proves that it is not. No wrong login is tried: that could lock the account.
 */
export async function probeGateway(name: string, account: GatewayAccount, options: ProbeOptions) {
  const answer = await exchange(account, options);
  const ours = options.now();
  const sentAgo = options.lastSentAt === null ? null : ours - options.lastSentAt;
  const clock = Number.isNaN(answer.date) ? null : { theirs: answer.date, ours };
  return { check: checkOf(name, answer, sentAgo), clock };
}

/** Another maker's gateway is not called, since most have no call that sends nothing. */
export function unasked(account: string, gateway: string, lastSentAt: number | null, now: number): Check {
  const found = foundAt(account);
  const params = { gateway };
  if (lastSentAt !== null) {
    const detail = `${gateway} accepted a message ${span(now - lastSentAt)} ago`;
    return found('ok', 'gateway-accepts', { detail, params });
  }
  return found('unknown', 'gateway-untested', {
    detail: `only a message shows whether ${gateway} takes it`,
    params,
    remedy: `Send one to yourself: npx hookbell gateway check${optionOf(account)} --to <receiver>`,
  });
}

const optionOf = (account: string): string => (account === 'default' ? '' : ` --account ${account}`);

const foundAt = (account: string) => findingOf(`gateway:${account}`, `Gateway${ofAccount(account)}`);

/** The answer to that call. `said`: the gateway's text, which may be empty. `date`: NaN if the answer has none. */
async function exchange(account: GatewayAccount, { fetch, now }: ProbeOptions) {
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
      const words = ownValue(maybeJson(text), 'message');
      const said = typeof words === 'string' ? words.slice(0, MAX_QUOTED) : '';
      return { verdict, status, said, date: Date.parse(headers.get('date') ?? '') };
    });
  } catch (error) {
    return { verdict: classifyFetchError(error), status: null, said: '', date: NaN };
  }
}

const WRONG_ADDRESS =
  'Compare GATEWAY_BASE_URL, or the account’s own variable, with what the gateway gave you; it ends in /api';

type Failing = readonly [CheckStatus, DoctorCode, remedy: (account: string) => string];

/** The failures that mean the same for any call. A working gateway may answer an empty one with the others. */
const FAILURES: { readonly [Outcome in Verdict['outcome']]?: Failing } = {
  unauthorized: ['fail', 'login-refused', loginRemedy],
  forbidden: [
    'fail',
    'gateway-forbids',
    (account) =>
      `${loginRemedy(account)}. If messages are still sent, the gateway’s firewall refuses this empty call`,
  ],
  redirected: ['fail', 'gateway-redirects', () => WRONG_ADDRESS],
  unreachable: ['fail', 'gateway-unreachable', () => WRONG_ADDRESS],
  busy: ['warn', 'gateway-busy', () => 'Nothing to do: messages are sent once it accepts calls again'],
};

function checkOf(
  account: string,
  { verdict, status, said }: Awaited<ReturnType<typeof exchange>>,
  sentAgo: number | null,
): Check {
  const { outcome } = verdict;
  const found = foundAt(account);
  const failing = FAILURES[outcome];
  if (outcome !== 'sent' && failing !== undefined) {
    const [failed, code, remedy] = failing;
    const detail = `${outcome === 'unreachable' ? 'cannot be reached: ' : ''}${reasonText(verdict)}`;
    return found(failed, code, { detail, params: verdict.params, remedy: remedy(account) });
  }
  // Cloudflare answers 520 and similar for a server that does not answer.
  if (outcome === 'uncertain' && (status === null || status >= 500))
    return found('fail', 'gateway-silent', {
      detail: `does not answer: ${reasonText(verdict)}`,
      params: verdict.params,
      remedy: `Check that the gateway is up. ${WRONG_ADDRESS}`,
    });
  if (status === 404 || status === 405)
    return found('fail', 'no-api', {
      detail: `answers ${status}: there is no API at this address`,
      remedy: WRONG_ADDRESS,
    });
  const quoted = said === '' ? '' : ` (“${said}”)`;
  if (sentAgo !== null && outcome !== 'server_error')
    return found('ok', 'gateway-accepts', {
      detail: `answers${quoted}, and accepted a message ${span(sentAgo)} ago`,
    });
  return found('unknown', 'login-untested', {
    detail: `answers ${status}${quoted}; only a message shows whether it accepts the login`,
    remedy: `Send a message to your own phone: npx hookbell send "Hello"${optionOf(account)} --to <number> --wait`,
  });
}

/** The allowed difference: a `Date` header has whole seconds, and the answer took some time. */
const TOLERATED_MS = 30_000;

/** Compares two clocks (ms). Senders' signatures are refused if they are too old, usually after five minutes. */
export function clockCheck({ theirs, ours }: { readonly theirs: number; readonly ours: number }): Check {
  const apart = Math.abs(theirs - ours);
  const found = findingOf('clock', 'Clock');
  if (apart <= TOLERATED_MS) return found('ok', 'clock-right', { detail: 'agrees with the gateway’s' });
  const is = theirs > ours ? 'ahead' : 'behind';
  return found('warn', 'clock-wrong', {
    detail: `the gateway’s is ${span(apart)} ${is}`,
    params: { apart: span(apart), is },
    remedy:
      'If the relay is at Cloudflare, the gateway’s clock is wrong. If it runs on this machine, set this machine’s clock',
  });
}

export function urlCheck(env: Env, account: string, spec: GatewaySpec): Check {
  const found = findingOf(`gateway-url:${account}`, `Gateway address${ofAccount(account)}`);
  const tlsCheck = (url: string, where: string, remedy: string): Check => {
    const plain = plainHost(url);
    const { host } = new URL(url);
    return plain === null
      ? found('ok', 'address-right', { detail: `${host}, ${where}`, params: { host } })
      : found('warn', 'address-plain', { detail: `${plain} ${PLAIN_HTTP}`, params: { host: plain }, remedy });
  };
  if (spec.maker !== V2.maker) {
    const remedy = `Give accounts/${account}.yaml a \`base_url\` with https, and push`;
    const url = baseUrlOf(env, account, spec);
    if (url !== null) return tlsCheck(url, `of ${gatewayName(spec)}`, remedy);
    const unlisted = spec.baseUrl === null ? null : whyNotListed(env, spec.baseUrl);
    const code = unlisted === null ? 'address-missing' : 'address-unlisted';
    return found('fail', code, { detail: unlisted ?? 'is not set', remedy });
  }
  const own = credentialNames(account).baseUrl;
  const name = secret(env, own) === undefined ? 'GATEWAY_BASE_URL' : own;
  const url = secret(env, name);
  const remedy = `Give ${name} the gateway's base address, which ends in /api, under [vars] in wrangler.toml, and deploy`;
  const more = { params: { name }, remedy };
  if (url === undefined) return found('fail', 'address-missing', { detail: `${name} is not set`, ...more });
  const detail = `${name} is not an http(s) address that ends in /api, without a query`;
  if (!isBaseUrl(url)) return found('fail', 'address-malformed', { detail, ...more });
  return tlsCheck(url, `as ${name} says`, `Use https in ${name}, and deploy`);
}

export function loginRemedy(account: string): string {
  const { email, apiKey } = credentialNames(account);
  return `Set the login again (npx wrangler secret put ${email}, npx wrangler secret put ${apiKey}), then npx hookbell resume ${account}`;
}

export const waitingText = ({ queued, retrying }: OutboxStatus): string =>
  `${count(queued + retrying, 'message')} waiting`;

/** True if an account's last message failed at its gateway, or the gateway paused the account. */
export const isOut = ({ circuit, paused }: OutboxStatus) => paused?.by === 'gateway' || circuit.failures > 0;

/** The failures of an account's messages, and the result of a call just now (null: none was made). Null if nothing failed. */
export function outageCheck(status: OutboxStatus, probed: Check | null): Check | null {
  if (!isOut(status)) return null;
  const { account, circuit, paused, waits_for: waits } = status;
  const { failures, last_error: last } = circuit;
  const waiting = status.queued + status.retrying;
  // An open circuit is not probed while every message waits for another reason.
  const isHeldElsewhere = waits?.for === 'receiver' || waits?.for === 'contact' || waits?.for === 'retry';
  const probe_at = isHeldElsewhere ? undefined : circuit.probe_at;
  const until = waits?.until === undefined ? '' : `, not before ${waits.until}`;
  const held = isHeldElsewhere ? `, and hookbell tries again once one may be sent${until}` : '';
  const test = probed === null ? '' : `. A test call just now: ${probed.detail}`;
  const found = (is: CheckStatus, code: DoctorCode, what: string, error: string, remedy?: string) =>
    foundAt(account)(is, code, {
      detail: `${what}; ${waitingText(status)}${held}${test}`,
      params: { failures, waiting, error, ...(last && { at: last.at }), ...(probe_at && { probe_at }) },
      remedy,
    });
  if (paused?.by === 'gateway') {
    const { since, reason } = paused;
    const what = `refuses the account, which has been paused since ${since}: ${reason}`;
    return found('fail', 'account-refused', what, reason, loginRemedy(account));
  }
  const lastly = last === undefined ? '' : `, the last at ${last.at}: ${last.detail}`;
  const what = `failed ${count(failures, 'time')} in a row${lastly}`;
  const error = last?.detail ?? '';
  const isDown = probe_at !== undefined || probed?.status === 'fail';
  // The gateway works again, or no message is left: report what happened. There is nothing to fix.
  if (probe_at === undefined && waiting === 0)
    return found(probed?.status ?? 'unknown', 'gateway-failed', what, error, probed?.remedy);
  const tries = `Fix the gateway: hookbell tries one message${probe_at === undefined ? '' : ` at ${probe_at}`}, and sends the rest once it gets an answer. To try at once: npx hookbell resume ${account}`;
  const ofProbe = probed?.status === 'fail' ? probed.remedy : undefined;
  const remedy = ofProbe ?? (isHeldElsewhere ? undefined : tries);
  return found(isDown ? 'fail' : 'warn', 'gateway-failing', what, error, remedy);
}
