import { hoursBegin, hoursEnd } from '../../config/compiled/hours.ts';
import { NONE_MISSED, type MissedCounts } from '../../render/notification-scope.ts';
import {
  isLone,
  isOnItsWay,
  type Group,
  type Holding,
  type Subscriber,
  type GroupFacts,
  type Entry,
  type Rest,
  type Says,
  type SaysOne,
} from './entries.ts';
import {
  statementOf,
  pendingOf,
  pendingSince,
  type Pending,
  isEnd,
  isSpared,
  type Said,
  type Statement,
  decidedTo,
  isCalled,
} from './incident.ts';
import { EXPIRES_MS, type Rules } from './rules.ts';
import type { Throttle, Quiet } from '../../config/compiled/config.ts';
import { fnv } from '../../lib/text.ts';
import { DAY } from '../../lib/time.ts';
import { bytesOf } from '../state/acceptance.ts';

interface OwedBy {
  readonly rules: Pick<Rules, 'quiets' | 'throttle' | 'repeatMs' | 'hasLeft'>;
  /** When the account lets the receiver have an update (ms): one place of `per_recipient` stays free for news. */
  readonly updateAt: number;
  /** More groups than this that are due become a digest; null: they never do. */
  readonly digestAbove: number | null;
  /** The groups of the message whose turn to be sent has come; null if the question is whether to queue one. */
  readonly turn: readonly string[] | null;
}

/** A message that is owed: about one group, or a digest of several. */
export type OwedMessage = Pick<Says, 'form' | 'isFree' | 'endsHold' | 'missed'> & {
  readonly groups: readonly Group[];
};

export interface Owed {
  readonly message: OwedMessage | null;
  /** When to look next, if nothing changes before (ms; Infinity: never). */
  readonly lookAt: number;
  /** Until when the receiver is not notified of what is due (ms); null if only an earlier message holds it up. */
  readonly until: number | null;
  readonly held: Holding | null;
}

/** What a receiver is owed now: the difference between facts and belief, as far as the rules let it out. Pure. */
export function owed(receiver: Subscriber, by: OwedBy, now: number): Owed {
  const { held, rest, groups } = receiver;
  const nothing = { message: null, until: null, held };
  let changesAt = Infinity;
  for (const group of groups.values()) changesAt = Math.min(changesAt, group.changesAt);
  // One that was not tried gets all content; one that ends a hold counts the missed.
  const hasToWait = receiver.messages.some(({ isTried, says }) => !isTried || says.endsHold);
  if (by.turn === null && hasToWait) return { ...nothing, lookAt: changesAt };
  const givenUpAt = givesUpAt(receiver);
  if (givenUpAt <= now) return { ...nothing, held: null, lookAt: changesAt };
  const restEnds = by.turn === null && rest !== null ? restsUntil(rest, by.rules.repeatMs) : now;
  const isResting = restEnds > now;
  const { due, nextAt } = dueNow(toSay(receiver, isResting), now);
  if (isResting) changesAt = Math.min(changesAt, restEnds, givenUpAt);
  if (isResting && due.length === 0) return { ...nothing, lookAt: Math.min(changesAt, nextAt) };
  const plan = planOf(receiver, due, by, now);
  // What a throttle holds back is held by the quiet hours as soon as they begin: their end tells what was missed.
  const quiets = plan.held?.by === 'throttle' ? by.rules.quiets : [];
  const begins = quiets.map(({ hours }) => hoursBegin(hours, now));
  return { ...plan, lookAt: Math.min(changesAt, nextAt, plan.until ?? Infinity, ...begins) };
}

/**
 * The groups of which something may be said. Of a resting receiver: those that have more to say than the unsent messages;
 * none if no message can arrive. After an expired message, an item of no incident that it said is too old.
 */
function toSay({ groups, rest }: Subscriber, isResting: boolean): readonly Group[] {
  const all = [...groups.values()];
  if (rest === null || (!isResting && rest.after !== 'expired')) return all;
  if (isResting && rest.said === undefined) return [];
  const said = new Set(rest.said);
  return all.filter((group) => {
    const { entries } = group;
    const unsaid = [...entries].filter(
      ({ ref, incident }) => !said.has(hashOf(ref.key, statementOf(incident))),
    );
    if (!isResting) return !isLone(group) || unsaid.length > 0;
    return unsaid.length === entries.size || factsOf(unsaid).waitsSince !== null;
  });
}

/** When a resting receiver's count is given up if there is nothing else to say (ms; Infinity: never). */
function givesUpAt({ rest, held, groups, missedAt }: Subscriber): number {
  return rest !== null && held?.by === 'quiet' && groups.size === 0 ? missedAt + EXPIRES_MS : Infinity;
}

/** The groups that are due, and when the next one is (ms). A group waits for the message that is about it. */
function dueNow(groups: Iterable<Group>, now: number) {
  const due: Group[] = [];
  let nextAt = Infinity;
  for (const group of groups) {
    if (isOnItsWay(group)) continue;
    const at = dueAtOf(group);
    if (at <= now) due.push(group);
    else nextAt = Math.min(nextAt, at);
  }
  return { due, nextAt };
}

/** The incidents that were open when somebody joined are one message, which does not wait for more. */
function dueAtOf({ due, subscriber }: Group): number {
  const at = due?.at ?? Infinity;
  return at < Infinity && subscriber.held?.by === 'joined' ? (due?.waitsSince ?? at) : at;
}

const hasNews = ({ due }: Group): boolean => due !== null && isNew(due);

/** Returns the group that goes first: news before updates, then those of the message whose turn it is. */
function firstOf(due: readonly Group[], turn: readonly string[]): Group | undefined {
  const own = new Set(turn);
  const rankOf = (group: Group): number => 2 * Number(hasNews(group)) + Number(own.has(group.name));
  return due.toSorted((one, other) => rankOf(other) - rankOf(one))[0];
}

function planOf(receiver: Subscriber, due: readonly Group[], by: OwedBy, now: number): Omit<Owed, 'lookAt'> {
  const { held, missed } = receiver;
  const { throttle } = by.rules;
  const quiet = quietNow(receiver, by.rules.quiets, now);
  // One that waits for its next attempt asks for a place of the throttle when that is due.
  const onTheirWay = receiver.messages.filter((one) => !one.says.isFree && (!one.isTried || one.isCalling));
  const sentAt = [...receiver.sentAt, ...onTheirWay.map(() => now)];
  const first = firstOf(due, by.turn ?? []);
  if (first === undefined) {
    if (held === null) return { message: null, until: null, held };
    const until = quiet?.until ?? placeAt(throttle, sentAt, { isUpdate: false, now });
    if (until > now) return { message: null, until, held };
    // Incidents that were over a throttle and resolved before it ended are not mentioned. Whoever has left has nothing
    // to do with a number.
    const isMissed = held.by === 'quiet' && sumOf(missed) > 0 && !by.rules.hasLeft;
    const count: OwedMessage = { form: 'digest', groups: [], isFree: false, endsHold: true, missed };
    return { message: isMissed ? count : null, until: null, held: null };
  }
  const isUpdate = !hasNews(first);
  const placeFrom = Math.max(placeAt(throttle, sentAt, { isUpdate, now }), isUpdate ? by.updateAt : now);
  const opensAt = quiet?.until ?? placeFrom;
  if (opensAt > now) {
    // The resolution of notified incidents passes, as one message, and so do notifications of a step. That something is
    // not watched any more is no resolution.
    const mayClose = ({ due: of }: Group): boolean =>
      of !== null &&
      isClosing(of) &&
      quiet?.holdsResolved !== true &&
      (quiet === null || of.counts.unwatched === 0);
    const groups = due.filter((group) => group.due?.isEscalated || mayClose(group));
    const form = groups.length === 1 ? 'group' : 'digest';
    return {
      message:
        groups.length === 0 ? null : { form, groups, isFree: true, endsHold: false, missed: NONE_MISSED },
      until: opensAt,
      held: groups.length < due.length ? holding(held, quiet, now) : held,
    };
  }
  const isDigest = mustDigest(receiver, due, by.digestAbove);
  const isAll = isDigest || due.length === 1;
  const endsHold = isAll && held !== null;
  return {
    message: {
      form: isDigest ? 'digest' : 'group',
      groups: isDigest ? due : [first],
      isFree: false,
      endsHold,
      missed: endsHold ? missed : NONE_MISSED,
    },
    until: null,
    // Items of no incident that were only held are notified one by one.
    held: isAll ? null : held,
  };
}

const sumOf = ({ resolved, expired, unwatched }: MissedCounts): number => resolved + expired + unwatched;

/** The hold begins with the first item that is held back; in quiet hours it ends with them. */
function holding(held: Holding | null, quiet: QuietNow | null, now: number): Holding {
  const by = quiet === null ? 'throttle' : 'quiet';
  const until = quiet?.until ?? null;
  if (held === null) return { since: now, until, as: quiet?.as ?? 'digest', by };
  return by === 'quiet' && held.by !== 'quiet' ? { ...held, until, by } : held;
}

function mustDigest({ held, missed }: Subscriber, due: readonly Group[], digestAbove: number | null) {
  if (digestAbove !== null && due.length > digestAbove) return true;
  if (held === null) return false;
  // Nobody was notified of incidents that closed before they joined.
  if (held.by === 'joined') return due.length > 1;
  if (held.as === 'hold' && due.every(isLone)) return held.by === 'quiet' && sumOf(missed) > 0;
  return due.length + sumOf(missed) > 1;
}

export function factsOf(entries: Iterable<Pick<Entry, 'incident' | 'held'>>): GroupFacts {
  const counts = { opened: 0, flaps: 0, resolved: 0, unwatched: 0, known: 0, muted: 0, nothing: 0, held: 0 };
  let waitsSince: number | null = null;
  let notifiedAt: number | null = null;
  let isEscalated = false;
  for (const { incident, held } of entries) {
    const kind = held === null ? pendingOf(incident) : 'held';
    counts[kind] += 1;
    if (kind === 'opened' && isCalled(incident)) isEscalated = true;
    if (WAITING.has(kind)) waitsSince = Math.min(waitsSince ?? Infinity, pendingSince(incident));
    if (incident.notifiedAt !== null) notifiedAt = Math.max(notifiedAt ?? 0, incident.notifiedAt);
  }
  return { counts, waitsSince, notifiedAt, isEscalated };
}

const WAITING: ReadonlySet<Pending | 'held'> = new Set(['opened', 'flaps', 'resolved', 'unwatched']);

/** True if everything in it that its receiver knows of has ended, and its receiver does not know that. */
export const isClosing = ({ counts }: GroupFacts): boolean =>
  counts.resolved + counts.unwatched > 0 && counts.opened + counts.flaps + counts.known + counts.muted === 0;

/** True if it contains something that its receiver does not know of. */
export const isNew = ({ counts }: GroupFacts): boolean => counts.opened + counts.flaps > 0;

/** After `wait` the first time, then `interval` after the last message. The last resolution and a step do not wait. */
export function dueAt(facts: GroupFacts, { group, repeatMs }: Pick<Rules, 'group' | 'repeatMs'>) {
  const { counts, waitsSince, notifiedAt } = facts;
  if (waitsSince === null)
    return repeatMs === null || notifiedAt === null || counts.known === 0 ? null : notifiedAt + repeatMs;
  if (isClosing(facts) || facts.isEscalated) return waitsSince;
  const first = waitsSince + (group?.waitMs ?? 0);
  return notifiedAt === null ? first : Math.max(first, notifiedAt + (group?.intervalMs ?? 0));
}

export function dueOf(
  entries: Iterable<Pick<Entry, 'incident' | 'held'>>,
  rules: Parameters<typeof dueAt>[1],
) {
  const facts = factsOf(entries);
  return { ...facts, at: dueAt(facts, rules) ?? Infinity };
}

/** When a receiver may get another message (ms). `sentAt`: oldest first. `isUpdate`: one place stays free for news. */
export function placeAt(
  throttle: readonly Throttle[],
  sentAt: readonly number[],
  { isUpdate, now }: { readonly isUpdate: boolean; readonly now: number },
): number {
  let at = now;
  for (const { max, perMs } of throttle) {
    const places = isUpdate && max > 1 ? max - 1 : max;
    const nth = sentAt.at(-places);
    if (nth !== undefined) at = Math.max(at, nth + perMs);
  }
  return at;
}

/** The rest of a receiver after a dead message (ms), longer each time. */
const REST_MS = 5 * 60_000;
const MOST_REST_MS = 6 * 3_600_000;

/** Returns the end of a receiver's rest (ms; Infinity: until something changes). */
export function restsUntil({ since, after, failures }: Rest, repeatMs: number | null): number {
  if (after === 'over') return since;
  // Its receiver has opted out. A message for each change shows that, and repeats would add nothing.
  if (after === 'suppressed') return Infinity;
  // The message was too old, or could not be sent: its news may still be true.
  if (after === 'dead' || after === 'expired')
    return since + Math.min(MOST_REST_MS, REST_MS * 2 ** (failures - 1));
  // A person took it out of delivery: the next repeat or change says it.
  return repeatMs === null ? Infinity : since + repeatMs;
}

type QuietNow = NonNullable<ReturnType<typeof quietIn>>;

/** For so long after quiet hours, what they held back is sent, whatever was published meanwhile (ms). */
const OVER_MS = 3_600_000;

/** If quiet hours held something back, they end as they would have, whatever was published since. */
function quietNow({ held }: Subscriber, quiets: readonly Quiet[], now: number): QuietNow | null {
  if (held?.by !== 'quiet' || held.until === null) return quietIn(quiets, now);
  const { until, as } = held;
  const holdsResolved = quiets.length === 0 || quiets.some(({ resolved }) => resolved === 'hold');
  if (until > now) return { until, as, holdsResolved };
  // Items that could not be sent when the quiet hours ended, because the account was paused, are in those of the next
  // night.
  return now - until < OVER_MS ? null : quietIn(quiets, now);
}

/** Together, hours may fill the week: after this, they end with the next ones that do (ms). */
const LONGEST_MS = 3 * DAY;

/** Returns the quiet hours that are running, with the end of the last of them (ms); null if none are. */
export function quietIn(quiets: readonly Quiet[], now: number) {
  const running = quiets.filter(({ hours }) => hoursEnd(hours, now) !== null);
  if (running.length === 0) return null;
  let until = now;
  const ends = (): readonly number[] => quiets.flatMap(({ hours }) => hoursEnd(hours, until) ?? []);
  // Others may begin before those that are running end.
  for (let next = ends(); next.length > 0 && until < now + LONGEST_MS; next = ends())
    until = Math.max(...next);
  const as: Holding['as'] = running.some((one) => one.do === 'digest') ? 'digest' : 'hold';
  return { until, as, holdsResolved: running.some(({ resolved }) => resolved === 'hold') };
}

export const saidOf = ([, statement, n, about]: SaysOne): Said => ({ statement, n, about });

/** A statement about an incident, in a few bytes. */
export const hashOf = (key: string, statement: Statement): number => fnv(`${statement} ${key}`);

/** A row ends at 2 MB, and has the message's parameters as well. The next message has what does not fit. */
const MAX_BYTES = 500_000;

/**
 * Returns the content of a message about these groups: incidents that its receiver is to be notified of, and those that
 * got items since the last message. At least one, so that the group knows after a restart when that was. `shown`: the
 * keys of entries that the text names.
 */
export function saysOf(groups: readonly Group[], shown: ReadonlySet<Entry>): readonly SaysOne[] {
  let left = MAX_BYTES;
  return groups.flatMap((group) => {
    const says: SaysOne[] = [];
    let known: SaysOne | null = null;
    for (const entry of group.entries.values()) {
      const { incident, held, ref } = entry;
      const pending = pendingOf(incident);
      if (held !== null || pending === 'nothing' || isSpared(incident)) continue;
      if (pending === 'muted') {
        // Not news, but it may be the only one that stays open.
        const statement = incident.flapping === 'no' ? 'open' : 'flapping';
        known ??= [ref.key, statement, decidedTo(incident), null];
        continue;
      }
      const first = decidedTo(incident) + 1;
      // A message that repeats that it is open only counts the items since then.
      const about = isEnd(pending) ? incident.items : pending === 'known' ? null : first;
      const isAbout = shown.has(entry) && about !== null && about >= first && about <= incident.items;
      const one: SaysOne = [ref.key, statementOf(incident), incident.items, isAbout ? about : null];
      if (pending === 'known' && decidedTo(incident) >= incident.items) known = one;
      else if ((left -= bytesOf([JSON.stringify(one)]) + 1) > 0) says.push(one);
    }
    const staysOpen = says.some(([, statement]) => !isEnd(statement));
    return known !== null && !staysOpen ? [...says, known] : says;
  });
}

/** `shown`: the incidents that the message's text names. */
export const saysIn = (message: OwedMessage, shown: ReadonlySet<Entry> = new Set()): Says => ({
  ...message,
  groups: message.groups.map(({ name }) => name),
  incidents: saysOf(message.groups, shown),
});

/** Returns the keys of what a message about these groups counts as open, and its receiver knew before. */
export function openIn(groups: readonly Group[]): readonly string[] {
  let left = MAX_BYTES;
  return groups.flatMap(({ entries }) =>
    [...entries].flatMap(({ incident, held, ref: { key } }) => {
      const isKnown = held === null && incident.resolvedAt === null && incident.believed === 'open';
      return isKnown && incident.flapping === 'no' && (left -= bytesOf([JSON.stringify(key)]) + 1) > 0
        ? [key]
        : [];
    }),
  );
}

/** True if two messages have the same news, in any order: what the receiver knows is none, and its rows vary. */
export function isSameNews({ entries }: Pick<Subscriber, 'entries'>, one: Says, other: Says): boolean {
  const isNews = ([key, statement]: SaysOne): boolean => {
    const incident = entries.get(key)?.incident;
    if (incident === undefined || !['known', 'muted'].includes(pendingOf(incident))) return true;
    // It has opened again since.
    return isEnd(statement) && incident.resolvedAt === null;
  };
  const newsIn = ({ groups, incidents }: Says): string => {
    const news = incidents.filter(isNews).map(([key, statement]) => `${statement} ${key}`);
    return JSON.stringify([groups.toSorted(), news.toSorted()]);
  };
  return newsIn(one) === newsIn(other);
}
