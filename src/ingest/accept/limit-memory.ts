import type { Source } from '../../config/compiled/config.ts';
import type { Refusal } from '../../outbox/state/acceptance.ts';

/** An outbox's answer for a source that is over its limit. */
interface Remembered {
  /** The limit, and the account whose outbox refused the webhook, as one text. */
  readonly of: string;
  /**
   * Webhooks of fewer bytes may still be accepted. So may webhooks of fewer messages, but only after all the work of
   * counting those.
   */
  readonly fromBytes: number;
  /** Somewhat later than the outbox meant, by the time that its answer took to arrive (ms). */
  readonly until: number;
}

/**
 * Remembers the sources that are over their limit, as far as this isolate knows. So a flood is refused before its
 * bodies are parsed, and without calling the outbox. Only the outbox decides: its last refusal of a source expires at
 * the time that it named, or when the source's limit or account changes.
 */
export class LimitMemory {
  readonly #bySource = new Map<string, Remembered>();

  /** The number of sources in memory. */
  get size(): number {
    return this.#bySource.size;
  }

  /** `now`: when the outbox answered (ms). */
  remember(source: Source, bytes: number, { by, waitMs }: Refusal, now: number): void {
    if (source.limit === null || by === 'storage' || by === 'load' || by === 'address') return;
    // A source that was removed is never looked up again.
    for (const [id, { until }] of this.#bySource) if (until <= now) this.#bySource.delete(id);
    const fromBytes = by === 'requests' ? 0 : bytes;
    this.#bySource.set(source.id, { of: textOf(source), fromBytes, until: now + waitMs });
  }

  /** Returns the time for which a webhook of this size is still refused (ms); null: ask the outbox. */
  waitMs(source: Source, bytes: number, now: number): number | null {
    const known = this.#bySource.get(source.id);
    if (known === undefined || bytes < known.fromBytes) return null;
    if (now < known.until && known.of === textOf(source)) return known.until - now;
    this.#bySource.delete(source.id);
    return null;
  }
}

const textOf = ({ account, limit }: Source): string => JSON.stringify([account, limit]);
