import { parseOwnJson } from '../../lib/own-json.ts';
import { readFact, writeFact } from '../state/facts.ts';

/** The state of the channel. One row, written with each call, so that a restart changes nothing. */
export interface Standing {
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
const NEW: Standing = { since: 0, calls: 0, againAt: 0, failures: 0 };

export const readStanding = (sql: SqlStorage): Standing =>
  parseOwnJson(readFact(sql, FACT) ?? JSON.stringify(NEW));

export const writeStanding = (sql: SqlStorage, standing: Standing): void =>
  writeFact(sql, FACT, JSON.stringify(standing));
