import type { Changes } from './changes.ts';
import type { ShownAlert, Statement } from './statement.ts';
import { UnsureCalls } from './unsure.ts';

/** What each phone was shown of incidents, and what was tried in vain. */
export class Phones {
  readonly #changes: Changes;
  readonly #shown = new Map<string, ShownAlert[]>();
  readonly unsure = new UnsureCalls();
  /** By phone and key: what the gateway refused for good, and when an opening was tried in vain first. */
  readonly #refused = new Set<string>();
  readonly #tried = new Map<string, number>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** A call for the phone, whether it shows it or not. */
  called(alert: ShownAlert): void {
    const { phone, says, at, isShown, isRefused } = alert;
    this.unsure.called(alert);
    for (const { key, status } of says) {
      const name = `${phone} ${key}`;
      if (isRefused) this.#refused.add(name);
      if (status !== 'firing') continue;
      if (!isShown && !this.#tried.has(name)) this.#tried.set(name, at);
    }
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

  /** What it was shown last of each incident; not of those that expired since. */
  lastOn(phone: string, now: number): ReadonlyMap<string, Statement['status']> {
    const last = new Map<string, Statement['status']>();
    for (const { says, at } of this.of(phone))
      for (const { key, status } of says) if (at > this.#changes.expiredAt(key, now)) last.set(key, status);
    return last;
  }

  wasRefused(phone: string, key: string): boolean {
    return this.#refused.has(`${phone} ${key}`);
  }

  triedAt(phone: string, key: string): number {
    return this.#tried.get(`${phone} ${key}`) ?? Infinity;
  }
}
