import type { Changes } from './changes.ts';

/** A change of the configuration is in force everywhere after a minute; calls under way and clocks that are wrong take theirs. */
export const SETTLING_MS = 200_000;

/** A silence of a key. Times in ms. */
export interface Silence {
  readonly key: string;
  /** It holds back warnings only. */
  readonly isOfWarnings: boolean;
  /** It may hold back from then on. */
  readonly from: number;
  /** It surely does once this change is in force everywhere; Infinity: nobody knows whether it was made. */
  addedAt: number;
  /** It surely does until then. */
  until: number;
  /** It may do so until then. */
  mayLastUntil: number;
  /** It was pressed, so it is of the route as it was named then. */
  isPressed?: true;
}

/**
 * The reasons that keep openings, repeats and flapping notices of an incident from being sent: silences, and an
 * incident that inhibits it.
 */
export class Holds {
  readonly #changes: Changes;
  readonly #inhibitor: string | null;
  readonly #inForceBy: (from: number) => number;
  readonly #silences: Silence[] = [];

  /**
   * `inhibitor`: the key that holds back all others while it is open; null: there is none. `inForceBy`: when a change of the
   * configuration that was made then is in force everywhere.
   */
  constructor(changes: Changes, inhibitor: string | null, inForceBy: (from: number) => number) {
    this.#changes = changes;
    this.#inhibitor = inhibitor;
    this.#inForceBy = inForceBy;
  }

  silenced(key: string, from: number, until: number, isOfWarnings = false): Silence {
    const mayLastUntil = until + SETTLING_MS;
    const silence = { key, isOfWarnings, from, addedAt: from, until, mayLastUntil };
    this.#silences.push(silence);
    return silence;
  }

  /** It was ended before its time: not before `from`, and by `to`. */
  ended(silence: Silence, from: number, to: number): void {
    silence.until = Math.min(silence.until, from);
    silence.mayLastUntil = Math.min(silence.mayLastUntil, this.#inForceBy(to));
  }

  /** Nobody knows any more of what was silenced since `from`. */
  restored(from: number, at: number): void {
    for (const one of this.#silences) if (one.from >= from - SETTLING_MS) one.until = Math.min(one.until, at);
  }

  /** The incident that holds the key back while it is open; null: there is none. */
  inhibitorOf(key: string): string | null {
    return this.#inhibitor === key ? null : this.#inhibitor;
  }

  /** The reason that surely holds the key back now; null if none surely does. */
  on(key: string, at: number): 'a silence' | 'an inhibition' | null {
    const isSilenced = this.#silences.some(
      (one) =>
        one.key === key &&
        at > this.#inForceBy(one.addedAt) &&
        at < one.until &&
        (one.isPressed !== true || !this.#isRenamed(one.from, at)) &&
        (!one.isOfWarnings || this.#isSurelyWarning(key, at)),
    );
    if (isSilenced) return 'a silence';
    const inhibitor = this.inhibitorOf(key);
    const openSince = inhibitor === null ? null : this.#changes.openSince(inhibitor, at);
    // A message that was sent just before takes its time.
    return openSince !== null && at > openSince + SETTLING_MS ? 'an inhibition' : null;
  }

  /** True if something may have held the key back at some time from `from` until now. */
  mayHold(key: string, from: number, at: number): boolean {
    const mayBeSilenced = this.#silences.some(
      (one) =>
        one.key === key &&
        one.from <= at &&
        one.mayLastUntil >= from &&
        (!one.isOfWarnings || this.#changes.severities(key, from, at).has('warning')),
    );
    if (mayBeSilenced) return true;
    const inhibitor = this.inhibitorOf(key);
    return inhibitor !== null && (this.#changes.overSince(inhibitor, at) ?? Infinity) > from;
  }

  #isRenamed(from: number, at: number): boolean {
    return this.#changes.renames.some((rename) => rename.until > from && rename.from < at);
  }

  /** A message that was claimed while it was critical takes its time. */
  #isSurelyWarning(key: string, at: number): boolean {
    const severities = this.#changes.severities(key, at - SETTLING_MS, at);
    return severities.size === 1 && severities.has('warning');
  }
}
