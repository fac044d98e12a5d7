import { readAnswer } from '../../lib/body.ts';
import { classifyFetchError } from '../../gateway/client.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { classifyAnswer, type Verdict } from '../../gateway/outcome.ts';
import { loginForm, type GatewayAccount } from '../../gateway/v2.ts';
import { reasonText } from '../../lib/reason.ts';
import { redact } from '../../lib/redact.ts';
import { withTimeout } from '../../lib/wait.ts';
import { credentialNames } from '../../config/secrets/credential-names.ts';
import { isBaseUrl, PLAIN_HTTP, plainHost, baseUrlOf } from '../../config/secrets/gateway.ts';
import { V2, type GatewaySpec } from '../../gateway/shape.ts';
import { gatewayName } from '../../config/compiled/gateway-spec.ts';
import { whyNotListed } from '../../config/secrets/hosts.ts';
import { secret } from '../../lib/secret.ts';
import type { OutboxStatus } from '../../outbox/answers/api-status.ts';
import { count, findingOf, ofAccount, span, type Check } from './check.ts';
import { maybeJson, ownValue } from '../../lib/json.ts';

/** A person waits for the answer. A gateway that needs longer than this (ms) for an empty call has a problem. */
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 8 * 1_024;
const MAX_QUOTED = 160;

interface ProbeOptions {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** The time when the gateway last accepted a message of this account (ms); null if none is on record. */
  readonly lastSentAt: number | null;
}

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
export async function probeGateway(name: string, account: GatewayAccount, options: ProbeOptions) {
  const answer = await exchange(account, options);
  const ours = options.now();
  const sentAgo = options.lastSentAt === null ? null : ours - options.lastSentAt;
  const check = failedCheck(name, answer.verdict) ?? unclear(name, answer, sentAgo);
  return { check, clock: Number.isNaN(answer.date) ? null : { theirs: answer.date, ours } };
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

function wordsOf(text: string): string {
  const words = ownValue(maybeJson(text), 'message');
  return typeof words === 'string' ? words.slice(0, MAX_QUOTED) : '';
}

const WRONG_ADDRESS =
  'Compare GATEWAY_BASE_URL, or the account’s own variable, with what the gateway gave you; it ends in /api';

/** What is found if the call failed in a way that means the same for any call; null if it did not. */
function failedCheck(account: string, verdict: Verdict): Check | null {
  if (verdict.outcome === 'sent') return null;
  const { outcome, params } = verdict;
  const detail = reasonText(verdict);
  const found = foundAt(account);
  switch (outcome) {
    case 'unauthorized':
      return found('fail', 'login-refused', { detail, params, remedy: loginRemedy(account) });
    case 'forbidden':
      return found('fail', 'gateway-forbids', {
        detail,
        params,
        remedy: `${loginRemedy(account)}. If messages are still sent, the gateway’s firewall refuses this empty call`,
      });
    case 'redirected':
      return found('fail', 'gateway-redirects', { detail, params, remedy: WRONG_ADDRESS });
    case 'unreachable':
      return found('fail', 'gateway-unreachable', {
        detail: `cannot be reached: ${detail}`,
        params,
        remedy: WRONG_ADDRESS,
      });
    case 'busy':
      return found('warn', 'gateway-busy', {
        detail,
        params,
        remedy: 'Nothing to do: messages are sent once it accepts calls again',
      });
    case 'refused':
    case 'uncertain':
    case 'rejected':
    case 'server_error':
      return null;
  }
}

/** Interprets outcomes that an empty call may get from a working gateway. */
function unclear(account: string, { verdict, status, said }: Exchange, sentAgo: number | null): Check {
  const { outcome } = verdict;
  const found = foundAt(account);
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
  if (spec.maker !== V2.maker) return makerCheck(env, account, spec);
  const own = credentialNames(account).baseUrl;
  const name = secret(env, own) === undefined ? 'GATEWAY_BASE_URL' : own;
  const url = secret(env, name);
  const remedy = `Give ${name} the gateway's base address, which ends in /api, under [vars] in wrangler.toml, and deploy`;
  const more = { params: { name }, remedy };
  const found = addressOf(account);
  if (url === undefined) return found('fail', 'address-missing', { detail: `${name} is not set`, ...more });
  const detail = `${name} is not an http(s) address that ends in /api, without a query`;
  if (!isBaseUrl(url)) return found('fail', 'address-malformed', { detail, ...more });
  return tlsCheck(account, url, { where: `as ${name} says`, remedy: `Use https in ${name}, and deploy` });
}

function makerCheck(env: Env, account: string, spec: GatewaySpec): Check {
  const remedy = `Give accounts/${account}.yaml a \`base_url\` with https, and push`;
  const url = baseUrlOf(env, account, spec);
  if (url !== null) return tlsCheck(account, url, { where: `of ${gatewayName(spec)}`, remedy });
  const unlisted = spec.baseUrl === null ? null : whyNotListed(env, spec.baseUrl);
  const code = unlisted === null ? 'address-missing' : 'address-unlisted';
  return addressOf(account)('fail', code, { detail: unlisted ?? 'is not set', remedy });
}

const addressOf = (account: string) =>
  findingOf(`gateway-url:${account}`, `Gateway address${ofAccount(account)}`);

function tlsCheck(
  account: string,
  url: string,
  { where, remedy }: { readonly where: string; readonly remedy: string },
): Check {
  const plain = plainHost(url);
  const { host } = new URL(url);
  const found = addressOf(account);
  return plain === null
    ? found('ok', 'address-right', { detail: `${host}, ${where}`, params: { host } })
    : found('warn', 'address-plain', { detail: `${plain} ${PLAIN_HTTP}`, params: { host: plain }, remedy });
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
  const { last_error: last } = circuit;
  // An open circuit is not probed while every message waits for another reason.
  const isHeldElsewhere = waits?.for === 'receiver' || waits?.for === 'contact' || waits?.for === 'retry';
  const probeAt = isHeldElsewhere ? undefined : circuit.probe_at;
  const isRefused = paused?.by === 'gateway';
  // The gateway works again, or no message is left: report what happened. There is nothing to fix.
  const isOver = !isRefused && probeAt === undefined && status.queued + status.retrying === 0;
  const isDown = isRefused || probeAt !== undefined || probed?.status === 'fail';
  const what = isRefused
    ? `refuses the account, which has been paused since ${paused.since}: ${paused.reason}`
    : `failed ${count(circuit.failures, 'time')} in a row${last === undefined ? '' : `, the last at ${last.at}: ${last.detail}`}`;
  const remedy = isRefused
    ? loginRemedy(account)
    : isOver
      ? probed?.remedy
      : (failedRemedy(probed) ?? (isHeldElsewhere ? undefined : triesText(account, probeAt)));
  return foundAt(account)(
    isDown ? 'fail' : isOver ? (probed?.status ?? 'unknown') : 'warn',
    isRefused ? 'account-refused' : isOver ? 'gateway-failed' : 'gateway-failing',
    {
      detail: `${what}; ${waitingText(status)}${isHeldElsewhere ? `, and hookbell tries again once one may be sent${waits.until === undefined ? '' : `, not before ${waits.until}`}` : ''}${probed === null ? '' : `. A test call just now: ${probed.detail}`}`,
      params: {
        failures: circuit.failures,
        waiting: status.queued + status.retrying,
        error: isRefused ? paused.reason : (last?.detail ?? ''),
        ...(last !== undefined && { at: last.at }),
        ...(probeAt !== undefined && { probe_at: probeAt }),
      },
      remedy,
    },
  );
}

const failedRemedy = (probed: Check | null) => (probed?.status === 'fail' ? probed.remedy : undefined);

const triesText = (account: string, probeAt: string | undefined): string =>
  `Fix the gateway: hookbell tries one message${probeAt === undefined ? '' : ` at ${probeAt}`}, and sends the rest once it gets an answer. To try at once: npx hookbell resume ${account}`;
