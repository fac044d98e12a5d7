import { parseOwnJson } from '../../lib/own-json.ts';
import { readFact, writeFact } from '../state/facts.ts';

/** The state of the channel. One row, written with each call, so that a restart changes nothing. */
export interface ChannelState {
  /** When its window began (ms), and the calls in it. */
  readonly since: number;
  readonly calls: number;
  /** No call before (ms). */
  readonly againAt: number;
  /** Calls that have failed in a row. */
  readonly failures: number;
  /** When the last call ended (ms), and why it failed; `detail` absent: it did not. */
  readonly last?: { readonly at: number; readonly detail?: string };
}

const FACT = 'escape';
const NEW: ChannelState = { since: 0, calls: 0, againAt: 0, failures: 0 };

export const readChannelState = (sql: SqlStorage): ChannelState =>
  parseOwnJson(readFact(sql, FACT) ?? JSON.stringify(NEW));

export const writeChannelState = (sql: SqlStorage, state: ChannelState): void =>
  writeFact(sql, FACT, JSON.stringify(state));
