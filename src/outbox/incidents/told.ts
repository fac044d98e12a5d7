/** The last thing that a sender said of an incident: since when it is so, by the sender's clock (ms). */
export interface Told {
  readonly at: number;
  /** True if it said that the incident is over. */
  readonly isEnd: boolean;
}

/**
 * True if an item says nothing new, since something newer is known of its incident: it came late. Of equal times the
 * end wins, so an opening as old as a known end is none. Pure.
 */
export const isOutdated = (known: Told | null, told: Told): boolean =>
  known !== null && (told.at < known.at || (told.at === known.at && known.isEnd && !told.isEnd));

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
