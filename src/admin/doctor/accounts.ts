import type { OutboxStatus } from '../../answers/api-status.ts';
import type { Config } from '../../config/compiled/config.ts';
import { V2 } from '../../gateway/shape.ts';
import { count, findingOf, span, type Check } from './check.ts';
import { isOut, waitingText } from './gateway.ts';

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
