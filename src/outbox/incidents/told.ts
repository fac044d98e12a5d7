/** The last thing that a sender said of an incident: since when it is so, by the sender's clock (ms). */
export interface Told {
  readonly at: number;
  /** True if it said that the incident is over. */
  readonly isEnd: boolean;
}

/**
 * True if an item says nothing new, since something newer is known of its incident: it came late. Of equal times the
 * end wins, so an opening as old as a known end is none. `isArrival`: its time is that of its arrival, so it is not
 * late, even if the clock of its machine is behind. Pure.
 */
export function isOutdated(known: Told | null, told: Told, isArrival = false): boolean {
  if (known === null) return false;
  if (told.at === known.at) return known.isEnd && !told.isEnd;
  return told.at < known.at && !isArrival;
}

/**
 * Returns what is known after news. Clocks of machines differ: it is not older than what was known, even if it counts as
 * that of its arrival; and an end that does so makes nothing outdated that is newer than its opening, since the sender's
 * clock may be behind.
 */
export const toldBy = (known: Told | null, told: Told, isArrival = false): Told => ({
  at: known !== null && isArrival && told.isEnd ? known.at : Math.max(told.at, known?.at ?? -Infinity),
  isEnd: told.isEnd,
});

/** Returns the one that makes the others outdated; null if there is none. */
export const newestOf = (all: readonly (Told | null)[]): Told | null =>
  all.reduce(
    (newest, told) => (newest === null || (told !== null && isOutdated(told, newest)) ? told : newest),
    null,
  );

/** When an incident opened and was resolved, as its items came, and when it began and ended by its sender's clock (ms). */
interface Times {
  readonly openedAt: number;
  readonly resolvedAt: number | null;
  readonly beganAt: number | null;
  readonly endedAt: number | null;
  /** Not null if it closed without an end: nothing is known of it any more. */
  readonly lost: unknown;
}

/**
 * Returns when the problem itself began and ended (ms; null: it goes on, as far as is known): by its sender's clock, if
 * that is known.
 */
export const spanOf = ({ openedAt, resolvedAt, beganAt, endedAt, lost }: Times) => ({
  from: beganAt ?? openedAt,
  to: resolvedAt === null || lost !== null ? null : (endedAt ?? resolvedAt),
});
