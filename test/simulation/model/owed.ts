import type { Facts } from './facts.ts';
import type { Holders } from './holders.ts';
import { SETTLING_MS } from './holds.ts';
import type { Wrong } from './report.ts';
import type { ShownAlert } from './statement.ts';

const OPEN_FOR_WHO_LEFT = 'what is open for who left a list alone inhibits nothing';

/** The rules of repeats; `isGrouped`: any message to a phone may stand for the repeat. */
export interface Repeats {
  readonly everyMs: number | null;
  readonly isGrouped: boolean;
}

/**
 * Finds phones whose last message is not true, or that do not know of an incident that they must know of, once
 * nothing waits.
 */
export function* wrongAtRest({ changes, phones, members, holds }: Facts, at: number): Generator<Wrong> {
  for (const phone of members.phones) {
    const last = phones.lastOn(phone, at);
    const isMember = !members.hasLeft(phone, at);
    for (const key of changes.keys) {
      const status = changes.statusOf(key, at);
      // Whoever was notified before it expired is notified of an end that comes late.
      const known = last.get(key) ?? (changes.isOverLate(key, at) ? phones.lastEver(phone, key) : undefined);
      // Nobody is notified of what expired.
      if (status === known || status === 'expired' || changes.isDoubtful(key, at)) continue;
      const message = `${phone}: ${key} is ${status}, and its last message says ${known ?? 'nothing'}`;
      const isRefused = phones.wasRefused(phone, key);
      // Somebody who has left is notified of an end only. Incidents that are held back are notified later.
      const isOwed = status !== 'firing' || (isMember && !holds.mayHold(key, at, at));
      if (known === 'flapping' && !isOwed) continue;
      if (known === 'flapping') yield { rule: 'what flapped is said to be stable', message };
      else if (status === 'resolved' && known === 'firing')
        yield {
          rule: isRefused
            ? 'what a dead message said stays due'
            : members.everLeft(phone)
              ? 'who left a list is notified of resolutions'
              : 'every receiver of an opening gets its resolution',
          message,
        };
      else if (status === 'firing' && isOwed)
        yield {
          rule: isRefused
            ? 'what a dead message said stays due'
            : holds.inhibitorOf(key) !== null && members.hasAnyLeft
              ? OPEN_FOR_WHO_LEFT
              : known === 'resolved'
                ? 'a resolution that is not so is not the last word'
                : members.isSteady(phone)
                  ? 'who is on a list is notified of what is open'
                  : 'who joins a list is notified of what is open',
          message,
        };
    }
  }
}

/** Finds those who began a turn, and were not notified of what was open. */
export function* unreminded({ changes, phones, members, holds }: Facts, at: number): Generator<Wrong> {
  for (const phone of members.phones) {
    const since = members.joinedAt(phone);
    if (members.hasLeft(phone, at) || since === -Infinity || since > at - SETTLING_MS) continue;
    for (const key of changes.keys) {
      const openSince = changes.openSince(key, at);
      if (openSince === null || openSince > since || changes.isDoubtful(key, at)) continue;
      if (holds.mayHold(key, since, at) || phones.wasRefused(phone, key)) continue;
      if (phones.newsOf(phone, key)?.status === 'flapping') continue;
      const isReminded = phones
        .of(phone)
        .some(
          (shown) =>
            shown.at >= members.turnMayHaveBegunAt(phone) && shown.says.some((one) => one.key === key),
        );
      if (!isReminded) yield { rule: 'a handover notifies of what is open', message: `${phone}: ${key}` };
    }
  }
}

/** So long after it may be sent, an opening is sent, even if alarms were given up and the hourly rounds had to wake its object (ms). */
export const IN_TIME_MS = 7_200_000;

/** Openings that should have been sent by now. To be asked while messages are sent. */
export function* overdue(
  { changes, phones, members, holds, quiet, throttle }: Facts,
  at: number,
): Generator<Wrong> {
  const windowMs = IN_TIME_MS + (throttle?.perMs ?? 0);
  const from = at - windowMs;
  const due = [...changes.keys].filter((key) => {
    const since = changes.openSince(key, at);
    return since !== null && since <= from && !holds.mayHold(key, from, at);
  });
  if (due.length === 0 || quiet.mayBe(from, at)) return;
  for (const phone of members.phones) {
    if (!members.isSteady(phone)) continue;
    const last = phones.lastOn(phone, at);
    for (const key of due) {
      const known = last.get(key);
      if (known === 'firing' || known === 'flapping' || phones.wasRefused(phone, key)) continue;
      const recent = phones.of(phone).filter((shown) => shown.at > from).length;
      yield {
        rule:
          holds.inhibitorOf(key) !== null && members.hasAnyLeft
            ? OPEN_FOR_WHO_LEFT
            : throttle !== null && recent >= throttle.max
              ? 'what was throttled is made up for'
              : 'what is open is notified in time',
        message: `${phone}: ${key}`,
      };
    }
  }
}

/** A digest names so many that are still open, and counts the others. */
const NAMED = 5;

/** Repeats that should have been sent by now. To be asked while messages are sent. */
export function* unrepeated(
  { changes, phones, members, holds, quiet, throttle, steps }: Facts,
  holders: Holders,
  { everyMs, isGrouped }: Repeats,
  at: number,
): Generator<Wrong> {
  if (everyMs === null) return;
  const from = at - IN_TIME_MS - everyMs - (throttle?.perMs ?? 0);
  const due = [...changes.keys].filter((key) => {
    const since = changes.openSince(key, at);
    const isOpen = since !== null && since <= from && !changes.isDoubtful(key, at);
    return isOpen && !holds.mayHold(key, from, at) && holders.freeSince(key) <= from;
  });
  if (due.length === 0 || quiet.mayBe(from, at)) return;
  // Since it opened last: otherwise the phone is not a receiver any more.
  const wasCalled = (phone: string, key: string): boolean =>
    phones
      .of(phone)
      .some(
        (shown) => shown.at > (changes.openSince(key, at) ?? at) && shown.says.some((one) => one.key === key),
      );
  for (const phone of [...members.phones, ...steps.phones]) {
    if (!members.isSteady(phone) || phones.refusedAt(phone) > from - REST_MS) continue;
    const last = phones.lastOn(phone, at);
    const recent = phones.of(phone).filter((shown) => shown.at > from);
    for (const key of due) {
      // Of what flaps nothing is repeated.
      if (last.get(key) !== 'firing' || phones.newsOf(phone, key)?.status === 'flapping') continue;
      if (steps.has(phone) && !wasCalled(phone, key)) continue;
      const isRepeat = ({ says }: ShownAlert): boolean =>
        isGrouped ||
        says.some((one) => one.key === key) ||
        says.filter(({ status }) => status === 'firing').length >= NAMED;
      if (recent.some(isRepeat)) continue;
      yield {
        rule: holders.wasGivenBack(key)
          ? 'what nobody has any more is repeated'
          : 'open incidents are repeated',
        message: `${phone}: ${key}`,
      };
    }
  }
}

/** After messages that are dead, a phone gets nothing for so long (ms). */
const REST_MS = 21_600_000;
