import type { Changes } from './changes.ts';
import type { ShownAlert, Statement } from './statement.ts';
import { UnsureCalls } from './unsure.ts';

/** The statements about incidents that each phone was shown, and those that were tried in vain. */
export class Phones {
  readonly #changes: Changes;
  readonly #shown = new Map<string, ShownAlert[]>();
  readonly unsure = new UnsureCalls();
  /** By phone and key: what the gateway refused for good. */
  readonly #refused = new Set<string>();
  readonly #refusedAt = new Map<string, number>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** A call for the phone, whether it shows it or not. */
  called(alert: ShownAlert): void {
    this.unsure.called(alert);
    const { at, phone, says, isRefused } = alert;
    if (!isRefused) return;
    this.#refusedAt.set(phone, at);
    for (const { key } of says) this.#refused.add(`${phone} ${key}`);
  }

  shows(alert: ShownAlert): void {
    const shown = this.#shown.get(alert.phone) ?? [];
    this.#shown.set(alert.phone, shown);
    shown.push(alert);
  }

  /** All that it was shown. */
  of(phone: string): readonly ShownAlert[] {
    return this.#shown.get(phone) ?? [];
  }

  /** The last status that it was shown of each incident, without those that expired since. */
  lastOn(phone: string, now: number): ReadonlyMap<string, Statement['status']> {
    const last = new Map<string, Statement['status']>();
    for (const { says, at } of this.of(phone))
      for (const { key, status } of says) if (at > this.#changes.expiredAt(key, now)) last.set(key, status);
    return last;
  }

  /** The last status that it was ever shown of an incident, under the name that its route has. */
  lastEver(phone: string, key: string): Statement['status'] | undefined {
    const since = this.#changes.renames.at(-1)?.from ?? -Infinity;
    const named = this.of(phone).findLast(
      ({ says, at }) => at > since && says.some((one) => one.key === key),
    );
    return named?.says.findLast((one) => one.key === key)?.status;
  }

  /**
   * The incidents of which it was notified that they are firing. One that was only listed beside another one is not
   * among them: it may have been listed while somebody had it, or after a call whose answer was lost.
   */
  notifiedOn(phone: string, now: number): ReadonlySet<string> {
    const notified = new Set<string>();
    for (const { says, at } of this.of(phone))
      for (const { key, status, isNew } of says) {
        if (at <= this.#changes.expiredAt(key, now)) continue;
        if (status === 'resolved') notified.delete(key);
        else if (status === 'flapping' || isNew) notified.add(key);
      }
    return notified;
  }

  /** The last statement that it was shown of an incident, and that did not only repeat it. */
  newsOf(phone: string, key: string): Statement | undefined {
    return this.of(phone)
      .toReversed()
      .flatMap(({ says }) => says.filter((one) => one.key === key && (one.isNew || one.status !== 'firing')))
      .at(0);
  }

  /** The last time when the gateway refused something for it for good (ms). */
  refusedAt(phone: string): number {
    return this.#refusedAt.get(phone) ?? -Infinity;
  }

  wasRefused(phone: string, key: string): boolean {
    return this.#refused.has(`${phone} ${key}`);
  }
}
