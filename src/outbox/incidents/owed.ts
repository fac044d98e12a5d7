import { hoursBegin } from '../../config/compiled/hours.ts';
import { NONE_MISSED, type MissedCounts } from '../../render/notification-scope.ts';
import { factsOf, placeAt, restsUntil } from './due.ts';
import { isLone, isOnItsWay, type Group, type Holding, type Subscriber } from './entries.ts';
import { statementOf } from './incident.ts';
import { quietNow, type QuietNow } from './quiet-now.ts';
import { EXPIRES_MS, type Rules } from './rules.ts';
import { hashOf } from './says.ts';

/** The facts that decide this, besides the receiver itself. */
interface OwedBy {
  readonly rules: Pick<Rules, 'quiets' | 'throttle' | 'repeatMs' | 'hasLeft'>;
  /**
   * The time when the account lets the receiver have an update (ms): one place of `per_recipient` stays free for news.
   */
  readonly updateAt: number;
  /** If more groups than this are due, they become a digest; null: they never do. */
  readonly digestAbove: number | null;
  /** The groups of the message whose turn to be sent has come; null if the question is whether to queue one. */
  readonly turn: readonly string[] | null;
}

/** A message that is owed: about one group, or a digest of several. */
export interface OwedMessage {
  readonly form: 'group' | 'digest';
  readonly groups: readonly Group[];
  /** True if it takes none of the places that the throttle leaves. */
  readonly isFree: boolean;
  /** True if it ends a hold: quiet hours, or a throttle. */
  readonly endsHold: boolean;
  /** The numbers of incidents that ended meanwhile without a notification. */
  readonly missed: MissedCounts;
}

export interface Owed {
  /** Null if nothing is owed now. */
  readonly message: OwedMessage | null;
  /** The time of the next look, if nothing changes before (ms; Infinity: never). */
  readonly lookAt: number;
  /**
   * The time until which the receiver is not notified of what is due (ms); null if only an earlier message holds it up.
   */
  readonly until: number | null;
  /** The hold on the receiver from now on. */
  readonly held: Holding | null;
}

/**
 * Returns the news that a receiver of a route is owed now, and the time of the next look. The news is the difference
 * between the facts and the receiver's belief, as far as the rules let it out now. Called when something may be queued,
 * and again when the message may be sent. Pure.
 */
export function owed(receiver: Subscriber, by: OwedBy, now: number): Owed {
  const { held, rest, groups } = receiver;
  const nothing = { message: null, until: null, held };
  let changesAt = Infinity;
  for (const group of groups.values()) changesAt = Math.min(changesAt, group.changesAt);
  if (by.turn === null && hasToWait(receiver)) return { ...nothing, lookAt: changesAt };
  const givenUpAt = givesUpAt(receiver);
  if (givenUpAt <= now) return { ...nothing, held: null, lookAt: changesAt };
  const restEnds = by.turn === null && rest !== null ? restsUntil(rest, by.rules.repeatMs) : now;
  const isResting = restEnds > now;
  const { due, nextAt } = dueNow(isResting ? awake(receiver) : current(receiver), now);
  if (isResting) changesAt = Math.min(changesAt, restEnds, givenUpAt);
  if (isResting && due.length === 0) return { ...nothing, lookAt: Math.min(changesAt, nextAt) };
  const plan = planOf(receiver, due, by, now);
  // What a throttle holds back is held by the quiet hours as soon as they begin: their end tells what was missed.
  const quiets = plan.held?.by === 'throttle' ? by.rules.quiets : [];
  const begins = quiets.map(({ hours }) => hoursBegin(hours, now));
  return { ...plan, lookAt: Math.min(changesAt, nextAt, plan.until ?? Infinity, ...begins) };
}

/**
 * Returns the groups of a resting receiver that have more to say than the unsent messages. None if the failure shows
 * that no message can arrive.
 */
function awake({ groups, rest }: Subscriber): readonly Group[] {
  if (rest?.said === undefined) return [];
  const said = new Set(rest.said);
  return [...groups.values()].filter(({ entries }) => {
    const others = [...entries].filter(
      ({ ref, incident }) => !said.has(hashOf(ref.key, statementOf(incident))),
    );
    return others.length === entries.size || factsOf(others).waitsSince !== null;
  });
}

/** Returns the groups that are not too old. After an expired message, an item of no incident that it said is: nothing of it lasts. */
function current({ groups, rest }: Subscriber): readonly Group[] {
  const all = [...groups.values()];
  if (rest?.after !== 'expired') return all;
  const said = new Set(rest.said);
  return all.filter(
    (group) =>
      !isLone(group) ||
      [...group.entries].some(({ ref, incident }) => !said.has(hashOf(ref.key, statementOf(incident)))),
  );
}

/**
 * Returns the time at which a receiver's count is given up if there is nothing else to say (ms; Infinity: never, such
 * as for a receiver who does not rest).
 */
function givesUpAt({ rest, held, groups, missedAt }: Subscriber): number {
  return rest !== null && held?.by === 'quiet' && groups.size === 0 ? missedAt + EXPIRES_MS : Infinity;
}

/**
 * True if no other message is queued for now. A message that was not tried yet gets all current content when its call
 * goes out, and one that ends a hold counts what was missed.
 */
const hasToWait = ({ messages }: Subscriber): boolean =>
  messages.some(({ isTried, says }) => !isTried || says.endsHold);

/**
 * Returns the groups that are due, and the time when the next one is (ms). A group waits for the message that is about
 * it.
 */
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

/**
 * Returns the time when a group is due. The incidents that were open when somebody joined are one message, which does
 * not wait for more.
 */
function dueAtOf({ due, subscriber }: Group): number {
  const at = due?.at ?? Infinity;
  return at < Infinity && subscriber.held?.by === 'joined' ? (due?.since ?? at) : at;
}

const isNew = ({ due }: Group): boolean => due?.isNew === true;

/** Returns the group that goes first: news before updates, then those of the message whose turn it is. */
function firstOf(due: readonly Group[], turn: readonly string[]): Group | undefined {
  const own = new Set(turn);
  const rankOf = (group: Group): number => 2 * Number(isNew(group)) + Number(own.has(group.name));
  return due.reduce<Group | undefined>(
    (first, group) => (first === undefined || rankOf(group) > rankOf(first) ? group : first),
    undefined,
  );
}

/** Returns the due groups that go out now. */
function planOf(receiver: Subscriber, due: readonly Group[], by: OwedBy, now: number): Omit<Owed, 'lookAt'> {
  const { held, missed } = receiver;
  const { throttle } = by.rules;
  const quiet = quietNow(receiver, by.rules.quiets, now);
  const sentAt = [...receiver.sentAt, ...onTheirWay(receiver).map(() => now)];
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
  const isUpdate = !isNew(first);
  const placeFrom = Math.max(placeAt(throttle, sentAt, { isUpdate, now }), isUpdate ? by.updateAt : now);
  const opensAt = quiet?.until ?? placeFrom;
  if (opensAt > now) {
    // The resolution of notified incidents passes, as one message, and so do notifications of a step. That something is
    // not watched any more is no resolution.
    const mayClose = ({ due: of }: Group): boolean =>
      of?.isClosing === true && quiet?.holdsResolved !== true && (quiet === null || !of.isUnwatched);
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

/**
 * Returns the messages that take a place of the throttle now. One that waits for its next attempt asks for a place when
 * that is due.
 */
const onTheirWay = ({ messages }: Subscriber) =>
  messages.filter(({ says, isTried, isCalling }) => !says.isFree && (!isTried || isCalling));

const sumOf = ({ resolved, expired, unwatched }: MissedCounts): number => resolved + expired + unwatched;

/** The hold begins with the first item that is held back; in quiet hours it ends with them. */
function holding(held: Holding | null, quiet: QuietNow | null, now: number): Holding {
  const by = quiet === null ? 'throttle' : 'quiet';
  const until = quiet?.until ?? null;
  if (held === null) return { since: now, until, as: quiet?.as ?? 'digest', by };
  return by === 'quiet' && held.by !== 'quiet' ? { ...held, until, by } : held;
}

function mustDigest(
  { held, missed }: Subscriber,
  due: readonly Group[],
  digestAbove: number | null,
): boolean {
  if (digestAbove !== null && due.length > digestAbove) return true;
  if (held === null) return false;
  // Nobody was notified of incidents that closed before they joined.
  if (held.by === 'joined') return due.length > 1;
  if (held.as === 'hold' && due.every(isLone)) return held.by === 'quiet' && sumOf(missed) > 0;
  return due.length + sumOf(missed) > 1;
}
