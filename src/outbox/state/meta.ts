import * as z from 'zod/mini';
import { OUTBOX_TAG_DIGITS } from './message.ts';
import { CLOSED, type Circuit } from './circuit.ts';
import { randomBase32, type RandomBytes } from '../../lib/id.ts';

/** Why an account is paused, since when (ms), and by whom: `gateway` when it refused the account, else who asked. */
export interface Pause {
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

const pauseSchema = z.object({ at: z.number(), by: z.string(), reason: z.string() });
const circuitSchema = z.object({ failures: z.number(), probeAt: z.nullable(z.number()) });

/** What an outbox keeps about itself: a row for each fact, written only when it changes. */
export class Meta {
  readonly #sql: SqlStorage;
  #pause: Pause | null;
  #circuit: Circuit;
  #isWatched: boolean;
  #forbidden: number | null;
  /** Ends each message id of this outbox, so that ids of different outboxes never collide. */
  readonly tag: string;

  constructor(sql: SqlStorage, randomBytes: RandomBytes) {
    this.#sql = sql;
    this.tag = this.#read('tag') ?? this.#write('tag', randomBase32(OUTBOX_TAG_DIGITS, randomBytes));
    this.#pause = this.#readJson('pause', pauseSchema);
    this.#circuit = this.#readJson('circuit', circuitSchema) ?? CLOSED;
    this.#isWatched = this.#read('watched') !== null;
    const forbidden = this.#read('forbidden');
    this.#forbidden = forbidden === null ? null : Number(forbidden);
  }

  get pause(): Pause | null {
    return this.#pause;
  }

  set pause(pause: Pause | null) {
    if (pause !== null) this.#write('pause', JSON.stringify(pause));
    else if (this.#pause !== null) this.#sql.exec("DELETE FROM meta WHERE key = 'pause'");
    this.#pause = pause;
  }

  get circuit(): Circuit {
    return this.#circuit;
  }

  /**
   * A closed circuit is not written. An eviction forgets its failures, which costs a few more calls before it opens.
   */
  set circuit(circuit: Circuit) {
    const wasOpen = this.#circuit.probeAt !== null;
    this.#circuit = circuit;
    if (circuit.probeAt !== null) this.#write('circuit', JSON.stringify(circuit));
    else if (wasOpen) this.#sql.exec("DELETE FROM meta WHERE key = 'circuit'");
  }

  /** Whether somebody watches the tail, as far as this outbox knows. */
  get isWatched(): boolean {
    return this.#isWatched;
  }

  set isWatched(isWatched: boolean) {
    if (isWatched) this.#write('watched', '1');
    else this.#sql.exec("DELETE FROM meta WHERE key = 'watched'");
    this.#isWatched = isWatched;
  }

  /** The number of the first message that the gateway forbade since one was sent; null: none. */
  get forbidden(): number | null {
    return this.#forbidden;
  }

  set forbidden(seq: number | null) {
    if (seq === this.#forbidden) return;
    if (seq === null) this.#sql.exec("DELETE FROM meta WHERE key = 'forbidden'");
    else this.#write('forbidden', String(seq));
    this.#forbidden = seq;
  }

  #read(key: string): string | null {
    return (
      this.#sql.exec<{ value: string }>('SELECT value FROM meta WHERE key = ?', key).toArray()[0]?.value ??
      null
    );
  }

  #readJson<T>(key: string, schema: z.ZodMiniType<T>): T | null {
    const text = this.#read(key);
    return text === null ? null : schema.parse(JSON.parse(text));
  }

  #write(key: string, value: string): string {
    this.#sql.exec('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value);
    return value;
  }
}
