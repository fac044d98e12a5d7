import type { Changes } from './changes.ts';

/** A change of the configuration is in force everywhere after a minute; calls under way and clocks that are wrong take theirs. */
export const SETTLING_MS = 200_000;

/** What keeps openings, repeats and flapping notices of an incident from being sent. */
export interface Hold {
  readonly by: 'a silence' | 'an inhibition';
  /** Surely so since then. */
  readonly since: number;
}

interface Silence {
  readonly key: string;
  readonly from: number;
  until: number;
}

interface HoldsOptions {
  readonly changes: Changes;
  /** The incident that holds back all others while it is open; null: there is none. */
  readonly inhibitor: string | null;
  /** When a change of the configuration that was made then is in force everywhere. */
  readonly inForceBy: (from: number) => number;
}

/** Silences and inhibition, by key. */
export class Holds {
  readonly #options: HoldsOptions;
  readonly #silences: Silence[] = [];

  constructor(options: HoldsOptions) {
    this.#options = options;
  }

  silenced(key: string, from: number): { until: number } {
    const silence = { key, from, until: Infinity };
    this.#silences.push(silence);
    return silence;
  }

  /** Whether another incident holds the key back while that is open. */
  isInhibited(key: string): boolean {
    const { inhibitor } = this.#options;
    return inhibitor !== null && inhibitor !== key;
  }

  /** What surely holds the key back now. */
  on(key: string, at: number): Hold | null {
    const { changes, inhibitor, inForceBy } = this.#options;
    for (const silence of this.#silences) {
      if (silence.key !== key || at >= silence.until) continue;
      const since = inForceBy(silence.from);
      if (at > since) return { by: 'a silence', since };
    }
    if (!this.isInhibited(key) || inhibitor === null) return null;
    const openSince = changes.openSince(inhibitor, at);
    // What was sent just before takes its time.
    const since = openSince === null ? Infinity : openSince + SETTLING_MS;
    return at > since ? { by: 'an inhibition', since } : null;
  }

  /** Whether something may have held the key back at some time from `from` until now. */
  mayHold(key: string, from: number, at: number): boolean {
    const { changes, inhibitor } = this.#options;
    if (this.#silences.some((one) => one.key === key && one.from <= at && one.until + SETTLING_MS >= from))
      return true;
    if (!this.isInhibited(key) || inhibitor === null) return false;
    return (changes.overSince(inhibitor, at) ?? Infinity) > from;
  }
}
