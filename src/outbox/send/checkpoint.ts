import type { Counters } from '../counters/counters.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { InFlight } from './flight.ts';
import { lineOf, PACE_MEMORY_MS, type PastSend, type ReadSends } from './pace.ts';

/** So many sends make a block: until then they are in the checkpoint, 16 bytes each. */
const BLOCK_SENDS = 256;

/** The progress of an outbox that a start cannot read from the rows of messages. */
export interface Progress {
  readonly at: number;
  /** No fresh message up to this number waits. */
  readonly cursor: number;
  readonly tokens: number;
  /** The messages whose calls may be under way. Those with a record of the attempt in their rows are not. */
  readonly flight: readonly InFlight[];
}

interface CheckpointRow extends Record<string, SqlStorageValue> {
  at: number;
  cursor: number;
  tokens: number;
  flight: string;
  sends: ArrayBuffer;
}

/**
 * The one row with the progress of an outbox. Each commit that claims messages writes it, before their calls go out, so
 * that after a crash it shows which calls were made. A commit that only records calls does not write it: the messages
 * in flight are those in the row, without those whose own rows have a record.
 */
export class Checkpoint {
  readonly #storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  /** Time and line, alternating, of each send that is in no block. */
  #open: readonly number[];
  /** The progress as the start found it; null if nothing was ever claimed. */
  readonly last: Progress | null;

  constructor(storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>) {
    this.#storage = storage;
    const { sql } = storage;
    const row = sql
      .exec<CheckpointRow>('SELECT at, cursor, tokens, flight, sends FROM checkpoint')
      .toArray()[0];
    this.last = row === undefined ? null : readProgress(row);
    this.#open = row === undefined ? [] : [...new Float64Array(row.sends)];
  }

  /**
   * Reads the sends claimed after `since` (ms), in order, as far back as a limit looks: a restart reads the busiest
   * hour in bounded time and memory. The newest are in the checkpoint, the others in rows of a few hundred each, one of
   * which is in memory at a time.
   */
  readonly readSends: ReadSends = (since, onSend) => {
    const { sql } = this.#storage;
    const blocks = sql.exec<{ sends: ArrayBuffer }>(
      'SELECT sends FROM send_blocks WHERE last_at > ? ORDER BY id',
      since,
    );
    for (const { sends } of blocks) readPairs(new Float64Array(sends), since, onSend);
    readPairs(this.#open, since, onSend);
  };

  /**
   * `claimed`: the messages in flight that were claimed in this commit, oldest first. If it throws, nothing was
   * written.
   */
  write({ at, cursor, tokens, flight }: Progress, claimed: readonly PastSend[], counters: Counters): void {
    const { sql } = this.#storage;
    const more = claimed.flatMap((one) => [one.at, lineOf(one.phone, one.standing)]);
    const sends = [...this.#open, ...more];
    const isFull = sends.length >= 2 * BLOCK_SENDS;
    const open = isFull ? [] : sends;
    this.#storage.transactionSync(() => {
      if (isFull) writeBlock(sql, sends, Math.max(...claimed.map((one) => one.at)));
      sql.exec(
        'INSERT OR REPLACE INTO checkpoint (id, at, cursor, tokens, flight, sends, counted) VALUES (1, ?, ?, ?, ?, ?, ?)',
        at,
        cursor,
        tokens,
        JSON.stringify(flight.map((call): Written[number] => [call.seq, call.n, call.at])),
        Float64Array.from(open).buffer,
        counters.write(sql),
      );
    });
    this.#open = open;
    counters.written();
  }
}

/** Also deletes old blocks, so that there are never more than an hour's. */
function writeBlock(sql: SqlStorage, sends: readonly number[], at: number): void {
  // Blocks from a clock that was far ahead are deleted as well: they would count as new after each restart.
  const [before, after] = [at - PACE_MEMORY_MS, at + PACE_MEMORY_MS];
  sql.exec('DELETE FROM send_blocks WHERE last_at <= ? OR last_at > ?', before, after);
  const { buffer } = Float64Array.from(sends);
  sql.exec('INSERT INTO send_blocks (last_at, sends) VALUES (?, ?)', at, buffer);
}

function readPairs(pairs: ArrayLike<number>, since: number, onSend: Parameters<ReadSends>[1]): void {
  for (let index = 0; index < pairs.length; index += 2) {
    const [at = 0, line = 0] = [pairs[index], pairs[index + 1]];
    if (at > since) onSend(at, line);
  }
}

/** Messages in flight as the row has them, as JSON. */
type Written = readonly (readonly [seq: number, n: number, at: number])[];

const readProgress = ({ at, cursor, tokens, flight }: CheckpointRow): Progress => ({
  at,
  cursor,
  tokens,
  flight: parseOwnJson<Written>(flight).map(([seq, n, time]) => ({ seq, n, at: time })),
});
