import type { Counters } from '../counters/counters.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { InFlight } from './flight.ts';
import { PACE_MEMORY_MS } from './pace.ts';
import { receiverKey } from './receiver-history.ts';
import { SendBlocks, type ReadSends } from './send-blocks.ts';

/** Where an outbox stands: what a start cannot read from the rows of messages. */
export interface Standing {
  /** When it was written (ms). */
  readonly at: number;
  /** No fresh message up to this number waits. */
  readonly cursor: number;
  /** How many tokens the account's bucket had. */
  readonly tokens: number;
  /** The messages whose calls may be under way. Those whose rows have a record of the attempt by now are not. */
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
 * The one row that says where an outbox stands. It is written in each commit that claims messages, before their calls go
 * out, so that after a crash it says which calls were made. A commit that only records calls writes none: what is in
 * flight is what the row says, less what the rows of messages say.
 */
export class Checkpoint {
  readonly #storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly #blocks: SendBlocks;
  /** As the start found it; null: nothing was ever claimed. */
  readonly last: Standing | null;

  constructor(storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>) {
    this.#storage = storage;
    const { sql } = storage;
    const row = sql
      .exec<CheckpointRow>('SELECT at, cursor, tokens, flight, sends FROM checkpoint')
      .toArray()[0];
    this.last = row === undefined ? null : readStanding(row);
    this.#blocks = new SendBlocks(
      sql,
      PACE_MEMORY_MS,
      row === undefined ? [] : [...new Float64Array(row.sends)],
    );
  }

  /** The sends claimed after `since` (ms), in order. */
  readonly readSends: ReadSends = (since, onSend) => this.#blocks.read(since, onSend);

  /** `claimed`: what of the flight was claimed in this commit. Whatever it throws, nothing of it counts. */
  write({ at, cursor, tokens, flight }: Standing, claimed: readonly InFlight[], counters: Counters): void {
    const { sql } = this.#storage;
    const sends = claimed.map((send) => [send.at, keyOf(send.phone)] as const);
    const open = this.#storage.transactionSync(() => {
      const left = this.#blocks.with(sends);
      sql.exec(
        'INSERT OR REPLACE INTO checkpoint (id, at, cursor, tokens, flight, sends, counted) VALUES (1, ?, ?, ?, ?, ?, ?)',
        at,
        cursor,
        tokens,
        JSON.stringify(written(flight)),
        Float64Array.from(left).buffer,
        counters.write(sql),
      );
      return left;
    });
    this.#blocks.keep(open);
    counters.written();
  }
}

const readStanding = ({ at, cursor, tokens, flight }: CheckpointRow): Standing => ({
  at,
  cursor,
  tokens,
  flight: readWritten(parseOwnJson<Written>(flight)),
});

const keyOf = (phone: string | null): number | null => (phone === null ? null : receiverKey(phone));

/** Messages in flight as rows have them, as JSON. */
type Written = readonly (readonly [seq: number, n: number, at: number, phone: string | null])[];

const written = (entries: readonly InFlight[]): Written =>
  entries.map(({ seq, n, at, phone }) => [seq, n, at, phone]);

const readWritten = (entries: Written): readonly InFlight[] =>
  entries.map(([seq, n, at, phone]) => ({ seq, n, at, phone }));
