import type { GroupRule, Throttle } from '../../config/config.ts';
import type { Pending } from './incident.ts';

/** What is known of a group of incidents without looking at each. Times in ms. */
export interface GroupFacts {
  /** How many of its incidents are in which state; `held`: not told, because of a silence or another incident. */
  readonly counts: Readonly<Record<Pending | 'held', number>>;
  /** Since when something of it waits to be told; null: nothing does. */
  readonly waitsSince: number | null;
  /** When it was told last; null: not since it has anything that burns. */
  readonly toldAt: number | null;
}

/** Whether all that was told of it has ended, and that is not told yet. */
export const isClosing = ({ counts }: GroupFacts): boolean =>
  counts.ended > 0 && counts.opened + counts.flaps + counts.known + counts.muted === 0;

/** Whether it has something that its receiver does not know of. */
export const isNew = ({ counts }: GroupFacts): boolean => counts.opened + counts.flaps > 0;

/**
 * When the group is to be told: after `wait` for the first time, then `interval` after the last message at the earliest.
 * The last end is told at once. Null: nothing has to be told.
 */
export function dueAt(
  facts: GroupFacts,
  { group, repeatMs }: { readonly group: GroupRule | null; readonly repeatMs: number | null },
): number | null {
  const { counts, waitsSince, toldAt } = facts;
  if (waitsSince === null)
    return repeatMs === null || toldAt === null || counts.known === 0 ? null : toldAt + repeatMs;
  if (isClosing(facts)) return waitsSince;
  const first = waitsSince + (group?.waitMs ?? 0);
  return toldAt === null ? first : Math.max(first, toldAt + (group?.intervalMs ?? 0));
}

/**
 * When a receiver may get another message: `now`, or later (ms). `told`: when it got the last ones, oldest first.
 * `isUpdate`: it knows of what the message is about, so one place is left for what it does not know of.
 */
export function placeAt(
  throttle: readonly Throttle[],
  told: readonly number[],
  { isUpdate, now }: { readonly isUpdate: boolean; readonly now: number },
): number {
  let at = now;
  for (const { max, perMs } of throttle) {
    const places = isUpdate && max > 1 ? max - 1 : max;
    const nth = told.at(-places);
    if (nth !== undefined) at = Math.max(at, nth + perMs);
  }
  return at;
}
