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
import type { Config } from '../../config/compiled/config.ts';

/** A queue that takes longer at its pace, or a message that waits longer, is more than a short peak (s). */
const LONG_QUEUE_SECONDS = 3_600;

type Oldest = Readonly<Record<string, { readonly oldest_waiting_seconds: number } | null>>;

export function accountChecks(statuses: readonly OutboxStatus[], oldest: Oldest, now: number) {
  const troubles = statuses.flatMap((status) =>
    accountTroubles(status, oldest[status.account]?.oldest_waiting_seconds ?? 0, now),
  );
  // Problems that the gateway causes are reported with the gateway.
  if (troubles.length > 0 || statuses.some(isOut)) return troubles;
  const waiting = statuses.reduce((sum, { queued, retrying }) => sum + queued + retrying, 0);
  const detail = `${count(statuses.length, 'account')}, ${waiting === 0 ? 'nothing waits' : `${count(waiting, 'message')} on the way`}`;
  return [findingOf('accounts', 'Delivery')('ok', 'delivering', { detail })];
}

function accountTroubles(status: OutboxStatus, oldest: number, now: number): Check[] {
  const { account, paused, dead, uncertain, rate, receivers_at_cap: capped, storage, escape } = status;
  const { drain_seconds: drain } = status;
  const left = status.queued + status.retrying;
  const waiting = waitingText(status);
  const checks: Check[] = [];
  const report = (what: string, ...finding: Parameters<ReturnType<typeof findingOf>>): unknown =>
    checks.push(findingOf(`account:${account}:${what}`, `Account ${account}`)(...finding));
  if (paused !== null && paused.by !== 'gateway') {
    const { by, since, reason } = paused;
    report('paused', 'warn', 'paused', {
      detail: `has been paused for ${span(now - Date.parse(since))} by ${by === 'token' ? 'the admin token' : by}, ${waiting}: ${reason}`,
      params: { by, since, waiting: left, reason },
      remedy: `To let it send again: npx hookbell resume ${account}`,
    });
  }
  if (capped !== undefined) {
    const { messages, receivers, per_hour, next_at, last_at } = capped;
    report('receivers', 'warn', 'receivers-at-limit', {
      detail: `${count(messages, 'message')} waiting for ${count(receivers, 'receiver')} at the limit of ${per_hour} an hour: sent from ${next_at} on, the last at ${last_at}`,
      params: { messages, receivers, per_hour, next_at, last_at },
      remedy: `If that is too slow, raise per_recipient.per_hour in accounts/${account}.yaml and push; npx hookbell messages --state queued shows which wait`,
    });
  }
  if (escape !== undefined && escape.failures > 0)
    report('escape', 'fail', 'escape-failed', {
      detail: `its escape channel failed ${count(escape.failures, 'time')} in a row, the last at ${escape.last?.at}: ${escape.last?.detail}`,
      params: { failures: escape.failures, error: escape.last?.detail ?? '' },
      remedy: `Check the address in its secret, and \`escape\` in accounts/${account}.yaml`,
    });
  if (storage.state !== 'ok') {
    const isFull = storage.state === 'full';
    const percent = Math.floor((storage.bytes * 100) / storage.max_bytes);
    report('storage', isFull ? 'fail' : 'warn', isFull ? 'outbox-full' : 'outbox-filling', {
      detail: `its outbox is ${percent} % full; ${isFull ? 'webhooks get 503' : 'finished events are deleted early'}`,
      params: { percent },
      remedy: `Cancel unneeded messages: npx hookbell cancel --source … . Then shorten retention in accounts/${account}.yaml, or limit the source that fills it`,
    });
  }
  if (dead > 0)
    report('dead', 'warn', 'given-up', {
      detail: `${count(dead, 'message')} given up`,
      params: { messages: dead },
      remedy:
        'See why: npx hookbell messages --state dead. Then npx hookbell retry --state dead, or cancel each by its id',
    });
  if (uncertain > 0)
    report('uncertain', 'warn', 'uncertain', {
      detail: `${count(uncertain, 'message')} may have been sent, and a person has to decide`,
      params: { messages: uncertain },
      remedy: 'Check the phone, then retry or cancel each: npx hookbell messages --state uncertain',
    });
  // Leaves out the receivers' own limits, since raising the account's pace would not help there.
  const pace = rate === null ? 0 : Math.min(drain ?? 0, (left * 60) / rate.per_minute);
  if (drain !== null && Math.max(pace, oldest) > LONG_QUEUE_SECONDS) {
    const long = pace > LONG_QUEUE_SECONDS ? `; at its pace, that takes ${span(pace * 1_000)}` : '';
    report('queue', 'warn', 'long-queue', {
      detail: `${waiting}, the oldest for ${span(oldest * 1_000)}${long}`,
      params: { waiting: left, oldest_seconds: oldest },
      remedy: `See why: npx hookbell messages. If it is only the pace, raise rate.per_minute in accounts/${account}.yaml as far as gateway and phone allow`,
    });
  }
  return checks;
}

/** For each account without an escape channel: a warning if its messages are urgent or about incidents. Others may wait. */
export function escapeChecks({ sources, accounts }: Pick<Config, 'sources' | 'accounts'>): readonly Check[] {
  const ofAccounts = Map.groupBy(sources.values(), ({ account }) => account);
  return [...ofAccounts].flatMap(([account, all]): readonly Check[] => {
    const { escape, canary, notify, gateway } = accounts.get(account) ?? NO_DOCUMENT;
    if (escape !== null) return [];
    const found = findingOf(`account:${account}:no-escape`, `Account ${account}`);
    const routes = all.flatMap((source) => source.routes);
    if (!routes.some(({ alerting, delivery }) => delivery.priority === 'high' || alerting?.incident))
      return [found('ok', 'not-urgent', { detail: 'sends nothing urgent: its messages may wait' })];
    const hasDevice = gateway.maker === V2.maker;
    // Other gateways have no device that fails without them.
    if (!hasDevice && notify !== null) return [];
    const when = canary === null ? 'only if the gateway fails' : 'when nobody answers the canary';
    const learns = notify === null ? 'nobody learns of it' : `\`notify\` learns of it ${when}`;
    return [
      found('warn', hasDevice ? 'device-unwatched' : 'gateway-unwatched', {
        detail: `if its ${hasDevice ? 'device is offline' : 'gateway is down'} tonight, high-priority messages wait, and ${learns}`,
        remedy: `Add an escape channel to accounts/${account}.yaml, a second way to send. See npx hookbell accounts ${account}`,
      }),
    ];
  });
}

const NO_DOCUMENT = { escape: null, canary: null, notify: null, gateway: V2 } as const;

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
 * without the receiver, question and options that it requires. What it checks first is not documented. The answer may show that the login is refused, but only a
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

function loginRemedy(account: string): string {
  const { email, apiKey } = credentialNames(account);
  return `Set the login again (npx wrangler secret put ${email}, npx wrangler secret put ${apiKey}), then npx hookbell resume ${account}`;
}

const waitingText = ({ queued, retrying }: OutboxStatus): string =>
  `${count(queued + retrying, 'message')} waiting`;

/** True if an account's last message failed at its gateway, or the gateway paused the account. */
const isOut = ({ circuit, paused }: OutboxStatus) => paused?.by === 'gateway' || circuit.failures > 0;

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
