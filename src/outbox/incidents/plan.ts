import type { Quiet, Throttle } from '../../config/config.ts';
import { hoursEnd } from '../../config/hours.ts';
import { isClosing, isNew, placeAt, type GroupFacts } from './due.ts';
import type { Holding } from './entries.ts';

/** A group that is due. */
export interface DueGroup {
  readonly facts: GroupFacts;
  /** Whether its items belong to no incident. */
  readonly isLone: boolean;
}

/** What decides when a receiver is notified of something of a route. Times in ms. */
export interface Gate {
  /** Its quiet hours, if it has them now; see {@link QuietNow}. */
  readonly quiet: QuietNow | null;
  readonly throttle: readonly Throttle[];
  /** When it was sent something of the route, oldest first; what is on its way counts as sent now. */
  readonly sentAt: readonly number[];
  /** When the account lets it have an update: one place of `per_recipient` is left for what is new. */
  readonly updateAt: number;
  /** Since when something was held back, and what becomes of it; null: nothing was. */
  readonly held: Holding | null;
  /** How many opened and closed in that time without a notification. */
  readonly missed: number;
  /** More groups than this that wait become a digest. */
  readonly digestAbove: number | null;
}

/** The quiet hours that a receiver has now. */
export interface QuietNow {
  /** When the last of them end (ms). */
  readonly until: number;
  /** What becomes of what is held back. */
  readonly as: Holding['as'];
  /** Whether resolutions wait for the morning. */
  readonly holdsResolved: boolean;
}

export function quietNow(quiets: readonly Quiet[], now: number): QuietNow | null {
  const running = quiets.flatMap(({ hours, do: as, resolved }) => {
    const until = hoursEnd(hours, now);
    return until === null ? [] : [{ until, as, resolved }];
  });
  if (running.length === 0) return null;
  return {
    until: Math.max(...running.map(({ until }) => until)),
    as: running.some(({ as }) => as === 'digest') ? 'digest' : 'hold',
    holdsResolved: running.some(({ resolved }) => resolved === 'hold'),
  };
}

/**
 * What a receiver is notified of now: `one` group, or `all` that is due in one digest, or only what has `closed`; null: nothing.
 * `until`: when to look again (ms). `held`: what is held back from now on.
 */
export interface Plan<Group> {
  readonly message: { readonly form: 'group' | 'digest'; readonly groups: readonly Group[] } | null;
  readonly until: number | null;
  readonly held: Holding | null;
  /** Whether it takes none of the places that the throttle leaves. */
  readonly isFree: boolean;
}

/** Decides for one receiver of a route. `due`: the groups that are due now. Pure. */
export function plan<Group extends DueGroup>(due: readonly Group[], gate: Gate, now: number): Plan<Group> {
  const { quiet, throttle, sentAt, held } = gate;
  const nothing: Plan<Group> = { message: null, until: null, held, isFree: false };
  if (due.length === 0 && held === null) return nothing;
  if (due.length === 0 && (quiet !== null || held?.by === 'throttle')) {
    const until = quiet?.until ?? placeAt(throttle, sentAt, { isUpdate: false, now });
    // All that was over the throttle was resolved before: what comes next is no digest of it.
    return until > now ? { ...nothing, until } : { ...nothing, held: null };
  }
  // What is new goes before updates.
  const [first] = due.toSorted((one, other) => Number(isNew(other.facts)) - Number(isNew(one.facts)));
  const isUpdate = first !== undefined && !isNew(first.facts);
  const placeFrom = Math.max(placeAt(throttle, sentAt, { isUpdate, now }), isUpdate ? gate.updateAt : now);
  const opensAt = quiet?.until ?? placeFrom;
  if (opensAt > now) {
    // The resolution of what was notified passes, as one message.
    const closed = quiet?.holdsResolved === true ? [] : due.filter(({ facts }) => isClosing(facts));
    const form = closed.length === 1 ? 'group' : 'digest';
    const isHolding = closed.length < due.length;
    return {
      message: closed.length === 0 ? null : { form, groups: closed },
      until: opensAt,
      held: isHolding ? holding(gate, now) : held,
      isFree: true,
    };
  }
  const isDigest = mustDigest(due, gate);
  if (due.length === 0 && !isDigest) return { ...nothing, held: null };
  const groups = isDigest || first === undefined ? due : [first];
  const isAll = groups.length === due.length;
  return {
    message: { form: isDigest ? 'digest' : 'group', groups },
    until: isAll ? null : now,
    // Items of no incident that were only held are notified one by one.
    held: isAll ? null : held,
    isFree: false,
  };
}

/** What is held back is so since the first of it; from quiet hours on it ends with them. */
function holding({ quiet, held }: Gate, now: number): Holding {
  const by = quiet === null ? 'throttle' : 'quiet';
  const until = quiet?.until ?? null;
  if (held === null) return { since: now, until, as: quiet?.as ?? 'digest', by };
  return by === 'quiet' && held.by !== 'quiet' ? { ...held, until, by } : held;
}

function mustDigest(due: readonly DueGroup[], { held, missed, digestAbove }: Gate): boolean {
  if (digestAbove !== null && due.length > digestAbove) return true;
  if (held === null) return false;
  // Nobody was notified of what closed before they joined.
  if (held.by === 'joined') return due.length > 1;
  if (held.as === 'hold' && due.every(({ isLone }) => isLone)) return held.by === 'quiet' && missed > 0;
  return due.length + missed > 1 || (due.length === 0 && missed > 0);
}
