/** A block is written when this many sends are not in one yet: until then they are in the checkpoint, 16 bytes each. */
const BLOCK_SENDS = 256;

/** No receiver, in a block: a status has none. */
const NO_RECEIVER = -1;

/** One send, its receiver by `receiverKey`; null: a status. `at` in ms. */
type Send = readonly [at: number, receiver: number | null];

/** Gives the sends after `since` (ms), oldest first; `receiver` by `receiverKey`, null for a status. */
export type ReadSends = (since: number, onSend: (at: number, receiver: number | null) => void) => void;

/**
 * Times and receivers of sends, as far back as a limit looks, so that a restart reads the busiest hour in bounded time
 * and memory. The newest are in the checkpoint, the others in rows of a few hundred each.
 */
export class SendBlocks {
  readonly #sql: SqlStorage;
  readonly #windowMs: number;
  /** Time and receiver, alternating, of each send that is in no block. */
  #open: readonly number[];

  /** `windowMs`: how far back sends matter. `open`: what {@link SendBlocks.with} returned for the newest checkpoint. */
  constructor(sql: SqlStorage, windowMs: number, open: readonly number[]) {
    this.#sql = sql;
    this.#windowMs = windowMs;
    this.#open = open;
  }

  /**
   * Adds sends, oldest first, in the transaction of a checkpoint, and returns what the checkpoint has to keep.
   * {@link SendBlocks.keep} takes it once the transaction stands.
   */
  with(sends: readonly Send[]): readonly number[] {
    const open = [...this.#open, ...sends.flatMap(([at, receiver]) => [at, receiver ?? NO_RECEIVER])];
    if (open.length < 2 * BLOCK_SENDS) return open;
    this.#write(open, Math.max(...sends.map(([at]) => at)));
    return [];
  }

  keep(open: readonly number[]): void {
    this.#open = open;
  }

  /** See {@link ReadSends}. One block is in memory at a time. */
  read(since: number, onSend: Parameters<ReadSends>[1]): void {
    const rows = this.#sql.exec<{ sends: ArrayBuffer }>(
      'SELECT sends FROM send_blocks WHERE last_at > ? ORDER BY id',
      since,
    );
    for (const { sends } of rows) readPairs(new Float64Array(sends), since, onSend);
    readPairs(this.#open, since, onSend);
  }

  /** Also deletes old blocks, so that there are never more than an hour's. */
  #write(sends: readonly number[], at: number): void {
    // Blocks from a clock that was far ahead are deleted as well: they would count as new after each restart.
    const [before, after] = [at - this.#windowMs, at + this.#windowMs];
    this.#sql.exec('DELETE FROM send_blocks WHERE last_at <= ? OR last_at > ?', before, after);
    const { buffer } = Float64Array.from(sends);
    this.#sql.exec('INSERT INTO send_blocks (last_at, sends) VALUES (?, ?)', at, buffer);
  }
}

function readPairs(pairs: ArrayLike<number>, since: number, onSend: Parameters<ReadSends>[1]): void {
  for (let index = 0; index < pairs.length; index += 2) {
    const at = pairs[index] ?? 0;
    const receiver = pairs[index + 1] ?? NO_RECEIVER;
    if (at > since) onSend(at, receiver === NO_RECEIVER ? null : receiver);
  }
}
