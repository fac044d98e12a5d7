import type { ShownAlert } from './statement.ts';

/** An instance may die this long after a call began, or after its answer, and not have written down how it ended (ms). */
const UNWRITTEN_MS = 25_000;
/** A call that had left arrives this long after its instance was lost (ms). */
const WAY_MS = 1_000;

/** Calls of which the relay cannot know whether the phone showed the message: what they said may be said again. */
export class UnsureCalls {
  readonly #calls: { readonly alert: ShownAlert; isUnsure: boolean }[] = [];

  #lostAt = -Infinity;

  called(alert: ShownAlert): void {
    this.#calls.push({ alert, isUnsure: alert.isUncertain || alert.at - this.#lostAt < WAY_MS });
  }

  /** An object was lost, with what it had not written: nothing since its disk was full. */
  lost(at: number, fullSince: number | null = null): void {
    this.#lostAt = at;
    const from = Math.min(at, fullSince ?? at) - UNWRITTEN_MS;
    for (let index = this.#calls.length - 1; index >= 0; index -= 1) {
      const call = this.#calls[index];
      if (call === undefined || call.alert.at < from) return;
      call.isUnsure = true;
    }
  }

  /** True if an object was lost since then (ms): it may have written that it calls, and never called. */
  hasLostSince(at: number): boolean {
    return this.#lostAt >= at;
  }

  /** True if the phone may have been notified that the incident is firing. */
  mayKnow(phone: string, key: string): boolean {
    return this.#any(phone, [key], -Infinity, ({ says }) =>
      says.some((one) => one.key === key && one.status !== 'resolved'),
    );
  }

  /** True if a message to the phone about one of these since then (ms) may not have arrived. */
  since(phone: string, keys: Iterable<string>, from: number): boolean {
    return this.#any(phone, [...keys], from, () => true);
  }

  #any(phone: string, keys: readonly string[], from: number, holds: (alert: ShownAlert) => boolean): boolean {
    return this.#calls.some(
      ({ alert, isUnsure }) =>
        isUnsure &&
        alert.at >= from &&
        alert.phone === phone &&
        alert.says.some(({ key }) => keys.includes(key)) &&
        holds(alert),
    );
  }
}
