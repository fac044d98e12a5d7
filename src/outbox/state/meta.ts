import { parseOwnJson } from '../../lib/json.ts';
import type { Reason } from '../../lib/reason.ts';
import { TAG_DIGITS } from './message.ts';
import { CLOSED, type Circuit, type Forbidden } from './circuit.ts';
import { randomBase32, type RandomBytes } from '../../lib/id.ts';

export const readFact = (sql: SqlStorage, key: string): string | null =>
  sql.exec<{ value: string }>('SELECT value FROM meta WHERE key = ?', key).toArray()[0]?.value ?? null;

export function writeFact(sql: SqlStorage, key: string, value: string | null): void {
  if (value === null) sql.exec('DELETE FROM meta WHERE key = ?', key);
  else sql.exec('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value);
}

/** Returns the facts whose keys begin with `kind` and a colon, by the rest of their keys. */
export function factsOf(sql: SqlStorage, kind: string): ReadonlyMap<string, string> {
  const rows = sql.exec<{ key: string; value: string }>(
    'SELECT key, value FROM meta WHERE key >= ? AND key < ?',
    `${kind}:`,
    // The character after the colon.
    `${kind};`,
  );
  return new Map(rows.toArray().map(({ key, value }) => [key.slice(kind.length + 1), value]));
}

const ACTIVATION = 'activation';

/** The newest activation that is known of. An older configuration, as an edge cache may have, is not in force. */
export const newestActivation = (sql: SqlStorage): number => Number(readFact(sql, ACTIVATION) ?? 0);

/** The registry says that this activation is in force. It is older than a known one if the registry was restored. */
export function settleActivation(sql: SqlStorage, activation: number): void {
  if (activation !== newestActivation(sql)) writeFact(sql, ACTIVATION, String(activation));
}

export function expectActivation(sql: SqlStorage, activation: number): void {
  if (activation > newestActivation(sql)) settleActivation(sql, activation);
}

/** `by`: `gateway` if it refused the account, otherwise the person who asked. */
export interface Pause extends Reason {
  readonly at: number;
  readonly by: string;
}

export const OUTBOX_KEY = 'key';
const KEY_DIGITS = 52;

/** The facts that an outbox keeps about itself: a row per fact, written only when it changes. */
export class Meta {
  readonly #sql: SqlStorage;
  #pause: Pause | null;
  #circuit: Circuit;
  #forbidden: Forbidden | null;
  /** The end of each message id of this outbox, so that ids of different outboxes never collide. */
  readonly tag: string;
  /** The key of the outbox's links and of its incidents' ids: 256 random bits. */
  readonly key: string;

  constructor(sql: SqlStorage, randomBytes: RandomBytes) {
    this.#sql = sql;
    this.tag = this.#random('tag', TAG_DIGITS, randomBytes);
    this.key = this.#random(OUTBOX_KEY, KEY_DIGITS, randomBytes);
    const json = (key: string): string => readFact(sql, key) ?? 'null';
    this.#pause = parseOwnJson(json('pause'));
    this.#circuit = parseOwnJson<Circuit | null>(json('circuit')) ?? CLOSED;
    this.#forbidden = parseOwnJson(json('forbidden'));
  }

  get pause(): Pause | null {
    return this.#pause;
  }

  set pause(pause: Pause | null) {
    writeFact(this.#sql, 'pause', pause && JSON.stringify(pause));
    this.#pause = pause;
  }

  get circuit(): Circuit {
    return this.#circuit;
  }

  /** Not written while closed: an eviction forgets its failures, a few more calls open it. */
  set circuit(circuit: Circuit) {
    const isOpen = circuit.probeAt !== null;
    if (isOpen || this.#circuit.probeAt !== null)
      writeFact(this.#sql, 'circuit', isOpen ? JSON.stringify(circuit) : null);
    this.#circuit = circuit;
  }

  get forbidden(): Forbidden | null {
    return this.#forbidden;
  }

  set forbidden(forbidden: Forbidden | null) {
    if (forbidden === this.#forbidden) return;
    writeFact(this.#sql, 'forbidden', forbidden && JSON.stringify(forbidden));
    this.#forbidden = forbidden;
  }

  #random(key: string, digits: number, randomBytes: RandomBytes): string {
    const known = readFact(this.#sql, key);
    if (known !== null) return known;
    const made = randomBase32(digits, randomBytes);
    writeFact(this.#sql, key, made);
    return made;
  }
}
