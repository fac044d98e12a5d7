import type { OutboxStatus } from '../../outbox/answers/api-status.ts';
import { count, span, type Check } from './check.ts';
import { isOut, waitingText } from './outage.ts';

/**
 * A queue is more than a short peak if it takes longer than this at its pace, or if a message in it waits longer (s).
 */
const LONG_QUEUE_SECONDS = 3_600;

/** The waiting time of each account's oldest message in seconds, where it is known. */
type Oldest = Readonly<Record<string, { readonly oldest_waiting_seconds: number } | null>>;

/** Explains why an account's messages wait or are dead. */
export function accountChecks(
  statuses: readonly OutboxStatus[],
  oldest: Oldest,
  now: number,
): readonly Check[] {
  const troubles = statuses.flatMap((status) =>
    accountTroubles(status, oldest[status.account]?.oldest_waiting_seconds ?? 0, now),
  );
  // Problems that the gateway causes are reported with the gateway.
  if (troubles.length > 0 || statuses.some(isOut)) return troubles;
  const waiting = statuses.reduce((sum, { queued, retrying }) => sum + queued + retrying, 0);
  const detail = `${count(statuses.length, 'account')}, ${waiting === 0 ? 'nothing waits' : `${count(waiting, 'message')} on the way`}`;
  return [{ id: 'accounts', status: 'ok', title: 'Delivery', code: 'delivering', detail }];
}

function accountTroubles(status: OutboxStatus, oldest: number, now: number): Check[] {
  const {
    account,
    paused,
    dead,
    uncertain,
    queued,
    retrying,
    rate,
    receivers_at_cap: capped,
    storage,
    escape,
    drain_seconds: drain,
  } = status;
  const found = (what: string) => ({
    id: `account:${account}:${what}` as const,
    title: `Account ${account}`,
  });
  const waiting = waitingText(status);
  const checks: Check[] = [];
  if (paused !== null && paused.by !== 'gateway')
    checks.push({
      ...found('paused'),
      status: 'warn',
      code: 'paused',
      params: {
        by: paused.by,
        since: paused.since,
        waiting: String(status.queued + status.retrying),
        reason: paused.reason,
      },
      detail: `has been paused for ${span(now - Date.parse(paused.since))} by ${paused.by === 'token' ? 'the admin token' : paused.by}, ${waiting}: ${paused.reason}`,
      remedy: `To let it send again: npx hookbell resume ${account}`,
    });
  if (capped !== undefined)
    checks.push({
      ...found('receivers'),
      status: 'warn',
      code: 'receivers-at-limit',
      params: {
        messages: String(capped.messages),
        receivers: String(capped.receivers),
        per_hour: String(capped.per_hour),
        next_at: capped.next_at,
        last_at: capped.last_at,
      },
      detail: `${count(capped.messages, 'message')} waiting for ${count(capped.receivers, 'receiver')} at the limit of ${capped.per_hour} an hour: sent from ${capped.next_at} on, the last at ${capped.last_at}`,
      remedy: `If that is too slow, raise per_recipient.per_hour in accounts/${account}.yaml and push; npx hookbell messages --state queued shows which wait`,
    });
  if (escape !== undefined && escape.failures > 0)
    checks.push({
      ...found('escape'),
      status: 'fail',
      code: 'escape-failed',
      params: { failures: String(escape.failures), error: escape.last?.detail ?? '' },
      detail: `its escape channel failed ${count(escape.failures, 'time')} in a row, the last at ${escape.last?.at}: ${escape.last?.detail}`,
      remedy: `Check the address in its secret, and \`escape\` in accounts/${account}.yaml`,
    });
  if (storage.state !== 'ok')
    checks.push({
      ...found('storage'),
      status: storage.state === 'full' ? 'fail' : 'warn',
      code: storage.state === 'full' ? 'outbox-full' : 'outbox-filling',
      params: { percent: String(Math.floor((storage.bytes * 100) / storage.max_bytes)) },
      detail: `its outbox is ${Math.floor((storage.bytes * 100) / storage.max_bytes)} % full; ${storage.state === 'full' ? 'webhooks get 503' : 'finished events are deleted early'}`,
      remedy: `Cancel unneeded messages: npx hookbell cancel --source … . Then shorten retention in accounts/${account}.yaml, or limit the source that fills it`,
    });
  if (dead > 0)
    checks.push({
      ...found('dead'),
      status: 'warn',
      code: 'given-up',
      params: { messages: String(dead) },
      detail: `${count(dead, 'message')} given up`,
      remedy:
        'See why: npx hookbell messages --state dead. Then npx hookbell retry --state dead, or cancel each by its id',
    });
  if (uncertain > 0)
    checks.push({
      ...found('uncertain'),
      status: 'warn',
      code: 'uncertain',
      params: { messages: String(uncertain) },
      detail: `${count(uncertain, 'message')} may have been sent, and a person has to decide`,
      remedy: 'Check the phone, then retry or cancel each: npx hookbell messages --state uncertain',
    });
  // Leaves out the receivers' own limits, since raising the account's pace would not help there.
  const pace = rate === null ? 0 : Math.min(drain ?? 0, ((queued + retrying) * 60) / rate.per_minute);
  if (drain !== null && Math.max(pace, oldest) > LONG_QUEUE_SECONDS) {
    const long = pace > LONG_QUEUE_SECONDS ? `; at its pace, that takes ${span(pace * 1_000)}` : '';
    checks.push({
      ...found('queue'),
      status: 'warn',
      code: 'long-queue',
      params: { waiting: String(queued + retrying), oldest_seconds: String(oldest) },
      detail: `${waiting}, the oldest for ${span(oldest * 1_000)}${long}`,
      remedy: `See why: npx hookbell messages. If it is only the pace, raise rate.per_minute in accounts/${account}.yaml as far as gateway and phone allow`,
    });
  }
  return checks;
}
