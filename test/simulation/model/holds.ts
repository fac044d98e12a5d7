/** A change of the configuration is in force everywhere after a minute; calls under way and clocks that are wrong take theirs. */
export const SETTLING_MS = 200_000;

/** What keeps openings, repeats and flapping notices of an incident from being sent. */
export interface Hold {
  readonly by: 'a silence';
  /** Surely so since then. */
  readonly since: number;
}

interface Silence {
  readonly key: string;
  readonly from: number;
  until: number;
}

/** Silences, by key. */
export class Holds {
  readonly #inForceBy: (from: number) => number;
  readonly #silences: Silence[] = [];

  /** `inForceBy`: when a change of the configuration that was made then is in force everywhere. */
  constructor(inForceBy: (from: number) => number) {
    this.#inForceBy = inForceBy;
  }

  silenced(key: string, from: number): { until: number } {
    const silence = { key, from, until: Infinity };
    this.#silences.push(silence);
    return silence;
  }

  /** What surely holds the key back then. */
  on(key: string, at: number): Hold | null {
    for (const silence of this.#silences) {
      if (silence.key !== key || at >= silence.until) continue;
      const since = this.#inForceBy(silence.from);
      if (at > since) return { by: 'a silence', since };
    }
    return null;
  }
}
