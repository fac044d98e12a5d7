import type { Report } from './report.ts';
import type { ShownAlert } from './statement.ts';

/** In any `perMs` a receiver gets `max` messages of a route at most. */
export interface Throttle {
  readonly max: number;
  readonly perMs: number;
}

/** A message that the gateway has surely taken. */
interface Taken {
  readonly at: number;
  /** The time when it was called first, by its retries. */
  readonly triedAt: number;
  readonly id: string;
}

/** Calls that were spaced rightly may come closer on their way, most of all behind a slow disk (ms). */
const WAY_MS = 4_000;

/**
 * No window of time has more messages of a route to a receiver than its throttle allows. A message that only resolves
 * passes, and so does a step, which may take a place or none: it was written before it came, and in quiet hours it takes
 * none. An uncertain message does not count: its retry is the same message. One that was retried counts in windows that have both its first call and the one
 * that was taken: the relay may have claimed its place with either. One that is sent again since its object was lost
 * has one place: the relay may not have written down that it was sent.
 */
export class ThrottleModel {
  readonly #report: Report;
  readonly #throttle: Throttle | null;
  readonly #taken = new Map<string, Taken[]>();
  readonly #tried = new Map<string, number>();
  readonly #losses: number[] = [];

  constructor(report: Report, throttle: Throttle | null) {
    this.#report = report;
    this.#throttle = throttle;
  }

  lost(at: number): void {
    this.#losses.push(at);
  }

  /**
   * `setBackMs`: by how much clocks were wrong in that time at most. `hadToWait`: it may have been due long before. `since`: the route
   * had another name until then (ms), and so another throttle.
   */
  called(
    { phone, at, says, isShown, isUncertain, isOfStep }: ShownAlert,
    {
      setBackMs,
      hadToWait,
      since = -Infinity,
    }: { readonly setBackMs: number; readonly hadToWait: boolean; readonly since?: number },
  ): void {
    if (this.#throttle === null) return;
    if (isOfStep === true || (says.length > 0 && says.every(({ status }) => status === 'resolved'))) return;
    const { max, perMs } = this.#throttle;
    const id = says.map(({ key, status }) => `${key} ${status}`).join(', ');
    const name = `${phone}: ${id}`;
    const triedAt = this.#tried.get(name) ?? at;
    if (!isShown || isUncertain) return void this.#tried.set(name, triedAt);
    this.#tried.delete(name);
    const from = Math.max(since, at - perMs + WAY_MS + setBackMs);
    const kept = (this.#taken.get(phone) ?? []).filter((one) => one.at > at - perMs - WAY_MS - setBackMs);
    const recent = kept.filter((one) => one.at > from);
    const last = recent.findLast((one) => one.id === id);
    if (last !== undefined && this.#losses.some((lostAt) => lostAt > last.at - WAY_MS)) return;
    this.#taken.set(phone, [...kept, { at, triedAt, id }]);
    if (triedAt > from && recent.filter((one) => one.triedAt > from).length >= max)
      this.#report(
        hadToWait ? 'delayed notifications keep the throttle' : 'the throttle of a route is kept',
        `${phone}: more than ${max} in ${perMs / 1_000} s`,
      );
  }
}
