import type { Source, SourceLimit } from '../../config/config.ts';
import type { Refusal } from '../../outbox/state/acceptance.ts';

type Kind = Exclude<Refusal['by'], 'storage' | 'load'>;

/** The answer of an outbox for a source that is over its limit. */
interface Remembered {
  readonly limit: SourceLimit;
  readonly account: string;
  /** Webhooks of fewer bytes may still be accepted. Those of fewer messages, too, but it takes all the work to know. */
  readonly fromBytes: number;
  /** Measured from the start of the refused request: never later than the outbox meant (ms). */
  readonly until: number;
  /** Measured from the answer: never earlier than the outbox meant (ms). */
  readonly saidUntil: number;
}

/**
 * Which sources are over their limit, as far as this isolate knows: a flood is refused before its bodies are parsed,
 * without a call to the outbox. Only the outbox decides: an entry expires with the time that it named, or when the
 * source's limit or account changes.
 */
export class LimitMemory {
  readonly #bySource = new Map<string, Remembered>();

  /** The number of sources that it remembers. */
  get size(): number {
    return this.#bySource.size;
  }

  /** `askedAt` and `answeredAt` (ms): when the refused request came in, and when the outbox answered. */
  remember(source: Source, bytes: number, refusal: Refusal, askedAt: number, answeredAt: number): void {
    const { id, limit, account } = source;
    if (limit === null || refusal.by === 'storage' || refusal.by === 'load') return;
    // A source that was removed is asked for no more.
    for (const [key, { until }] of this.#bySource) if (until <= askedAt) this.#bySource.delete(key);
    this.#bySource.set(keyOf(id, refusal.by), {
      limit,
      account,
      fromBytes: refusal.by === 'requests' ? 0 : bytes,
      until: askedAt + refusal.waitMs,
      saidUntil: answeredAt + refusal.waitMs,
    });
  }

  /** How long a webhook of this size is still refused (ms); null: ask the outbox. */
  waitMs(source: Source, bytes: number, now: number): number | null {
    const waits = (['requests', 'bytes', 'messages'] as const).map((by) =>
      this.#wait(source, by, bytes, now),
    );
    const longest = Math.max(...waits);
    return longest > 0 ? longest : null;
  }

  #wait({ id, limit, account }: Source, by: Kind, bytes: number, now: number): number {
    const key = keyOf(id, by);
    const known = this.#bySource.get(key);
    if (known === undefined) return 0;
    if (now >= known.until || account !== known.account || !isSame(limit, known.limit)) {
      this.#bySource.delete(key);
      return 0;
    }
    return bytes < known.fromBytes ? 0 : known.saidUntil - now;
  }
}

const keyOf = (source: string, by: string): string => `${by} ${source}`;

const isSame = (one: SourceLimit | null, other: SourceLimit): boolean =>
  one !== null &&
  one.perMinute === other.perMinute &&
  one.burst === other.burst &&
  one.bytesPerHour === other.bytesPerHour &&
  one.messagesPerMinute === other.messagesPerMinute;
