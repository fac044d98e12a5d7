import type { Report } from './report.ts';
import type { ShownAlert } from './statement.ts';

/** Calls that were spaced rightly may come closer on their way, most of all behind a slow disk (ms). */
const WAY_MS = 4_000;

/**
 * The next message about a group comes after its interval. A step passes, and one that only resolves, which may end the
 * group: then the next opening is the first message of another. A message that is uncertain, fails, or was lost with its object
 * is repeated at once.
 */
export class GroupInterval {
  readonly #report: Report;
  readonly #intervalMs: number;
  readonly #mayHaveEnded: (from: number, to: number) => boolean;
  /** The time when each phone was shown the message that the next has to keep away from. */
  readonly #shownAt = new Map<string, number>();
  #lostAt = -Infinity;

  /** `mayHaveEnded`: whether the last of a group may have expired in a time, of which nobody is notified. */
  constructor(report: Report, intervalMs: number, mayHaveEnded: (from: number, to: number) => boolean) {
    this.#report = report;
    this.#intervalMs = intervalMs;
    this.#mayHaveEnded = mayHaveEnded;
  }

  /** An object was lost, with what it had not written; a call that had left arrives still. */
  lost(at: number): void {
    this.#lostAt = at;
    this.#shownAt.clear();
  }

  /** `setBackMs`: by how much clocks were wrong in that time at most. */
  called({ phone, at, says, isShown, isUncertain, isOfStep }: ShownAlert, setBackMs: number): void {
    const before = this.#shownAt.get(phone) ?? -Infinity;
    this.#shownAt.delete(phone);
    if (!isShown || isUncertain || says.every(({ status }) => status === 'resolved')) return;
    if (at - this.#lostAt > WAY_MS) this.#shownAt.set(phone, at);
    const isTooSoon = isOfStep !== true && at - before < this.#intervalMs - WAY_MS - setBackMs;
    if (isTooSoon && !this.#mayHaveEnded(before, at))
      this.#report(
        'a group is notified once in its interval',
        `${phone}: after ${Math.round((at - before) / 1_000)} s`,
      );
  }
}
