import type { OutboxStatus } from '../../outbox/read/status.ts';
import { count, span, type Check } from './check.ts';

/** A queue that takes longer at its pace, or has a message that waits longer, is more than a short peak (s). */
const LONG_QUEUE_SECONDS = 3_600;

/** How long the oldest message of each account waits, in seconds, as far as that is known. */
type Oldest = Readonly<Record<string, { readonly oldest_waiting_seconds: number } | null>>;

/** Why an account's messages wait or are dead. */
export function accountChecks(
  statuses: readonly OutboxStatus[],
  oldest: Oldest,
  now: number,
): readonly Check[] {
  const troubles = statuses.flatMap((status) =>
    accountTroubles(status, oldest[status.account]?.oldest_waiting_seconds ?? 0, now),
  );
  if (troubles.length > 0) return troubles;
  const waiting = statuses.reduce((sum, { queued, retrying }) => sum + queued + retrying, 0);
  const detail = `${count(statuses.length, 'account')}, ${waiting === 0 ? 'nothing waits' : `${count(waiting, 'message')} on the way`}`;
  return [{ id: 'accounts', status: 'ok', title: 'Delivery', detail }];
}

function accountTroubles(status: OutboxStatus, oldest: number, now: number): Check[] {
  const {
    account,
    paused,
    circuit,
    dead,
    uncertain,
    queued,
    retrying,
    storage,
    drain_seconds: drain,
  } = status;
  const found = (what: string) => ({ id: `account:${account}:${what}`, title: `Account ${account}` });
  const waiting = `${count(queued + retrying, 'message')} waiting`;
  const checks: Check[] = [];
  if (paused !== null) {
    const since = span(now - Date.parse(paused.since));
    const resume = `npx hookbell resume ${account}`;
    checks.push({
      ...found('paused'),
      status: paused.by === 'gateway' ? 'fail' : 'warn',
      detail: `has been paused for ${since} by ${paused.by}, ${waiting}: ${paused.reason}`,
      remedy:
        paused.by === 'gateway' ? `Set its login again, then ${resume}` : `When it may send again: ${resume}`,
    });
  }
  if (circuit.state === 'open')
    checks.push({
      ...found('circuit'),
      status: 'fail',
      detail: `its gateway failed ${count(circuit.failures, 'time')} in a row, ${waiting}`,
      remedy:
        'Fix the gateway: hookbell tries one message at a time, and sends the rest when it gets an answer',
    });
  if (storage.state !== 'ok')
    checks.push({
      ...found('storage'),
      status: storage.state === 'full' ? 'fail' : 'warn',
      detail: `its outbox uses ${Math.floor((storage.bytes * 100) / storage.max_bytes)} % of its size; ${storage.state === 'full' ? 'webhooks are answered 503' : 'finished events are deleted early'}`,
      remedy: `Cancel messages that nobody needs: npx hookbell cancel --source … . Then a shorter retention in accounts/${account}.yaml, a limit on the source that fills it, or shards`,
    });
  if (dead > 0)
    checks.push({
      ...found('dead'),
      status: 'warn',
      detail: `${count(dead, 'message')} given up`,
      remedy:
        'Read why: npx hookbell messages --state dead. Then npx hookbell retry --state dead, or cancel them',
    });
  if (uncertain > 0)
    checks.push({
      ...found('uncertain'),
      status: 'warn',
      detail: `${count(uncertain, 'message')} may have been sent, and a person has to decide`,
      remedy: 'Look at the phone, then retry or cancel each: npx hookbell messages --state uncertain',
    });
  if (drain !== null && Math.max(drain, oldest) > LONG_QUEUE_SECONDS) {
    const pace = drain > LONG_QUEUE_SECONDS ? `; at its pace that takes ${span(drain * 1_000)}` : '';
    checks.push({
      ...found('queue'),
      status: 'warn',
      detail: `${waiting}, the oldest for ${span(oldest * 1_000)}${pace}`,
      remedy: `See why: npx hookbell messages --state retrying. If it is only the pace, raise rate.per_minute in accounts/${account}.yaml as far as gateway and phone allow`,
    });
  }
  return checks;
}
