/**
 * A block is written when this many sends, or claims, are not in one yet. It has 16 KB and is read in some
 * microseconds.
 */
const BLOCK_SENDS = 1_000;

/** No receiver, in a block: a status has none. */
const NO_RECEIVER = -1;

/** Gives the sends after `since` (ms), oldest first; `receiver` by `receiverKey`, null for a status. */
export type ReadSends = (since: number, onSend: (at: number, receiver: number | null) => void) => void;

/**
 * Times and receivers of sends, as far back as a limit looks: about a thousand sends in a row, 16 bytes each, so that a
 * restart reads the busiest hour in bounded time and memory. The sends of the newest claims are in no block yet; they
 * are in memory, and in the claims' rows.
 */
export class SendBlocks {
  readonly #sql: SqlStorage;
  readonly #windowMs: number;
  #claimTo: number;
  /** Time and receiver, alternating, of each send that is in no block. */
  #open: number[] = [];

  /** `windowMs`: how far back sends matter. */
  constructor(sql: SqlStorage, windowMs: number) {
    this.#sql = sql;
    this.#windowMs = windowMs;
    const { claim } = sql.exec<{ claim: number | null }>('SELECT max(claim) AS claim FROM send_blocks').one();
    this.#claimTo = claim ?? 0;
  }

  /** The sends of all claims up to this number are in blocks. */
  get claimTo(): number {
    return this.#claimTo;
  }

  /**
   * Adds a claim's sends, oldest first, of which none is after `at` (ms). To be called in the claim's commit, or with the
   * content of its row.
   */
  add(claim: number, at: number, sends: readonly (readonly [at: number, receiver: number | null])[]): void {
    for (const [sentAt, receiver] of sends) this.#open.push(sentAt, receiver ?? NO_RECEIVER);
    if (this.#open.length >= 2 * BLOCK_SENDS || claim - this.#claimTo >= BLOCK_SENDS) this.#write(claim, at);
  }

  /** How many sends {@link read} gives at most. */
  get count(): number {
    const { bytes } = this.#sql
      .exec<{ bytes: number }>('SELECT coalesce(sum(length(sends)), 0) AS bytes FROM send_blocks')
      .one();
    return (bytes / Float64Array.BYTES_PER_ELEMENT + this.#open.length) / 2;
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
  #write(claim: number, at: number): void {
    const sends = Float64Array.from(this.#open);
    // Blocks from a clock that was far ahead are deleted as well: they would count as new after each restart.
    const [before, after] = [at - this.#windowMs, at + this.#windowMs];
    this.#sql.exec('DELETE FROM send_blocks WHERE last_at <= ? OR last_at > ?', before, after);
    this.#sql.exec(
      'INSERT INTO send_blocks (claim, last_at, sends) VALUES (?, ?, ?)',
      claim,
      at,
      sends.buffer,
    );
    this.#claimTo = claim;
    this.#open = [];
  }
}

function readPairs(pairs: ArrayLike<number>, since: number, onSend: Parameters<ReadSends>[1]): void {
  for (let index = 0; index < pairs.length; index += 2) {
    const at = pairs[index] ?? 0;
    const receiver = pairs[index + 1] ?? NO_RECEIVER;
    if (at > since) onSend(at, receiver === NO_RECEIVER ? null : receiver);
  }
}
