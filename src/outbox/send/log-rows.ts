import { parseOwnJson } from '../../lib/own-json.ts';
import type { Anchor } from './claim-tail.ts';
import { readWritten, written, type InFlight, type Written } from './in-flight.ts';

/** What a claim writes before its calls go out. After a crash this row says which calls were made. */
export interface Claim {
  readonly at: number;
  /** No fresh message up to this number waits. */
  readonly cursor: number;
  /** How many tokens the account's bucket had after the claim. */
  readonly tokens: number;
  /** The highest number of a message; see {@link Anchor}. */
  readonly newest: number;
  /** All that is in flight: this claim's messages (their `at` is the claim's), and those of earlier claims. */
  readonly flight: readonly InFlight[];
}

/** A row of `dispatch_log`. */
export interface LogRow extends Record<string, SqlStorageValue> {
  id: number;
  at: number;
  cursor: number;
  tokens: number;
  newest: number;
  flight: string;
  /** The messages of this claim, and of those between the row before and this one. */
  sends: string;
}

export const SELECT_CLAIM = 'SELECT id, at, cursor, tokens, newest, flight, sends FROM dispatch_log';

/** Messages in flight as a row has them. */
export const flightText = (entries: readonly InFlight[]): string => JSON.stringify(written(entries));

const read = (entries: string): readonly InFlight[] => readWritten(parseOwnJson<Written>(entries));

export const readRow = ({ at, cursor, tokens, newest, flight }: LogRow): Claim => ({
  at,
  cursor,
  tokens,
  newest,
  flight: read(flight),
});

/** The messages that were claimed since the row before. */
export const sendsOf = ({ sends }: LogRow): readonly InFlight[] => read(sends);

export const anchorOf = (row: LogRow | null): Anchor =>
  row === null
    ? { id: 0, newest: 0, flight: [] }
    : { id: row.id, newest: row.newest, flight: read(row.flight) };
