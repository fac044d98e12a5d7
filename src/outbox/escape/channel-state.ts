import { parseOwnJson } from '../../lib/own-json.ts';
import { readFact, writeFact } from '../state/facts.ts';

/** The state of the channel. One row, written with each call, so that a restart changes nothing. */
export interface ChannelState {
  /** The time when its window began (ms), and the number of calls in it. */
  readonly since: number;
  readonly calls: number;
  /** No call is made before this time (ms). */
  readonly againAt: number;
  /** Calls that have failed in a row. */
  readonly failures: number;
  /** The time when the last call ended (ms), and the reason why it failed; `detail` is absent if it did not. */
  readonly last?: { readonly at: number; readonly detail?: string };
}

const FACT = 'escape';
const NEW: ChannelState = { since: 0, calls: 0, againAt: 0, failures: 0 };

export const readChannelState = (sql: SqlStorage): ChannelState =>
  parseOwnJson(readFact(sql, FACT) ?? JSON.stringify(NEW));

export const writeChannelState = (sql: SqlStorage, state: ChannelState): void =>
  writeFact(sql, FACT, JSON.stringify(state));
