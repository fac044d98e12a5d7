import { eventIdFloor } from '../../lib/id.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { Amounts } from './sliding-sum.ts';
import type { Quota } from '../state/acceptance.ts';
import { factsOf, readFact, writeFact } from '../state/meta.ts';
import { SourceUsage, type OverLimit } from './source-usage.ts';
import { MINUTE } from '../../lib/time.ts';

/** The last hour's bytes are written each time they have grown by this, so a restart forgets less than this. */
const KEPT_EACH_BYTES = 1_048_576;

/** The maximum number of events of the last minute that are read back when a source is first seen. */
const MAX_READ_BACK = 10_000;

const KIND = 'bytes';

const keyOf = (source: string): string => `${KIND}:${source}`;

interface Tracked {
  readonly usage: SourceUsage;
  unkeptBytes: number;
}

/**
 * The part of their limits that the sources of an outbox have used, in memory. After a restart, the last minute's
 * requests and their messages are read back from the events, and the last hour's bytes from one row per source. A
 * source without a limit costs nothing.
 */
export class SourceLimits {
  readonly #sql: SqlStorage;
  readonly #bySource = new Map<string, Tracked>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Null if it is within the limit. */
  over(source: string, { limit, ...size }: Quota, now: number): OverLimit | null {
    return this.#tracked(source, limit, now).usage.over(limit, size, now);
  }

  /** Counts a webhook, in the commit that accepts it. */
  take(source: string, { limit, ...size }: Quota, now: number): void {
    const tracked = this.#tracked(source, limit, now);
    tracked.usage.take(limit, size, now);
    tracked.unkeptBytes += size.bytes;
    if (tracked.unkeptBytes < KEPT_EACH_BYTES || limit.bytesPerHour === null) return;
    const kept = JSON.stringify(tracked.usage.bytes(now));
    writeFact(this.#sql, keyOf(source), kept);
    tracked.unkeptBytes = 0;
  }

  /** Runs a transaction. If it throws, the counts are read again: some of them were never written. */
  within<Answer>(transaction: () => Answer): Answer {
    try {
      return transaction();
    } catch (thrown) {
      this.#bySource.clear();
      throw thrown;
    }
  }

  /** Forgets sources that are not configured any more. */
  forgetSources(isConfigured: (source: string) => boolean): void {
    for (const source of factsOf(this.#sql, KIND).keys())
      if (!isConfigured(source)) writeFact(this.#sql, keyOf(source), null);
    for (const source of this.#bySource.keys()) if (!isConfigured(source)) this.#bySource.delete(source);
  }

  #tracked(source: string, limit: Quota['limit'], now: number): Tracked {
    const known = this.#bySource.get(source);
    if (known !== undefined) return known;
    const usage = new SourceUsage(this.#keptBytes(source));
    // The clock of the Worker that received them may be ahead.
    for (const { at, messages } of this.#lastMinute(source, now))
      usage.take(limit, { bytes: 0, messages }, Math.min(at, now));
    const tracked = { usage, unkeptBytes: 0 };
    this.#bySource.set(source, tracked);
    return tracked;
  }

  #keptBytes(source: string): Amounts {
    return parseOwnJson<Amounts>(readFact(this.#sql, keyOf(source)) ?? '[]');
  }

  /**
   * Returns the times of the source's events in the last minute (ms), and the number of messages that each made;
   * oldest first. Ids are in the order of time.
   */
  #lastMinute(source: string, now: number): readonly { readonly at: number; readonly messages: number }[] {
    return this.#sql
      .exec<{ at: number; messages: number }>(
        `SELECT received_at AS at, message_count + json_array_length(items) AS messages FROM (
           SELECT source, received_at, message_count, items, replay_of FROM events WHERE id >= ? ORDER BY id DESC LIMIT ${MAX_READ_BACK}
         ) WHERE source = ? AND replay_of IS NULL`,
        eventIdFloor(now - MINUTE),
        source,
      )
      .toArray()
      .toReversed();
  }
}
