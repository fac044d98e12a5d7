import type { Standing } from '../../lib/shares.ts';
import type { Beyond, BeyondRef } from './beyond.ts';
import { nameOfShared } from './entries.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { miss } from './subscribers.ts';

/** What one event changes of the counts of incidents beyond the bounds. */
export class Counting {
  readonly #beyond: Beyond;
  readonly #open: OpenIncidents;
  readonly #byGroup = new Map<
    string,
    {
      readonly ref: BeyondRef;
      readonly keys: (string | null)[];
      readonly over: Set<string>;
      standing: Standing;
    }
  >();

  constructor(beyond: Beyond, open: OpenIncidents) {
    this.#beyond = beyond;
    this.#open = open;
  }

  /** Counts an item, if it belongs to no incident, or its incident. */
  add(ref: BeyondRef, key: string | null, standing: Standing): void {
    const of = this.#of(ref);
    of.standing = standing;
    of.keys.push(key);
    if (key !== null) of.over.delete(key);
  }

  /** An incident is over, or is kept by itself. */
  end(ref: BeyondRef, key: string): void {
    // In most accounts nothing is only counted.
    if (this.#byGroup.size === 0 && this.#beyond.nextAt() === null) return;
    const { keys, over } = this.#of(ref);
    over.add(key);
    const at = keys.lastIndexOf(key);
    if (at >= 0) keys.splice(at, 1);
  }

  write(now: number): void {
    for (const { ref, keys, over, standing } of this.#byGroup.values()) {
      if (over.size > 0) {
        const missed = this.#beyond.end(ref, over, this.#isTold(ref), now);
        const subscriber = this.#open.subscribers.get(ref);
        if (subscriber !== null && subscriber.held !== null)
          miss(subscriber, 'resolved', { at: now, count: missed });
      }
      if (keys.length > 0) this.#beyond.add(ref, keys, standing, now);
    }
  }

  /** True if a message about the group is still to be written. */
  #isTold(ref: BeyondRef): boolean {
    const name = nameOfShared(ref.grouped);
    const subscriber = this.#open.subscribers.get(ref);
    if (subscriber === null || !subscriber.groups.has(name)) return false;
    return !subscriber.messages.some(({ isCalling, groups }) => isCalling && groups.has(name));
  }

  #of(ref: BeyondRef) {
    const { source, route, phone, grouped } = ref;
    const name = JSON.stringify([source, route, phone, grouped]);
    const known = this.#byGroup.get(name) ?? {
      ref,
      keys: [],
      over: new Set<string>(),
      standing: 'signed',
    };
    this.#byGroup.set(name, known);
    return known;
  }
}
