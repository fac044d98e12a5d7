import * as z from 'zod/mini';
import { OUTBOX_TAG_DIGITS } from './message.ts';
import { CLOSED, type Circuit } from './circuit.ts';
import type { Forbidden } from './forbidden.ts';
import { readFact, writeFact } from './facts.ts';
import { randomBase32, type RandomBytes } from '../../lib/id.ts';

/**
 * The reason why an account is paused, the time since when (ms), and who paused it: `gateway` if it refused the
 * account, otherwise the person who asked.
 */
export interface Pause {
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

const pauseSchema = z.object({ at: z.number(), by: z.string(), reason: z.string() });
const circuitSchema = z.object({
  failures: z.number(),
  probeAt: z.nullable(z.number()),
  last: z.optional(z.object({ at: z.number(), detail: z.string() })),
});

const forbiddenSchema = z.object({
  witnesses: z.array(
    z.object({ event: z.string(), text: z.number(), source: z.nullable(z.string()), isOpen: z.boolean() }),
  ),
  since: z.nullable(z.number()),
});

/** The name of the fact that holds an outbox's key. */
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
    this.tag = this.#random('tag', OUTBOX_TAG_DIGITS, randomBytes);
    this.key = this.#random(OUTBOX_KEY, KEY_DIGITS, randomBytes);
    this.#pause = this.#readJson('pause', pauseSchema);
    this.#circuit = this.#readJson('circuit', circuitSchema) ?? CLOSED;
    this.#forbidden = this.#readJson('forbidden', forbiddenSchema);
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

  /**
   * A closed circuit is not written. An eviction forgets its failures, which costs a few more calls before it opens.
   */
  set circuit(circuit: Circuit) {
    const isOpen = circuit.probeAt !== null;
    if (isOpen || this.#circuit.probeAt !== null)
      writeFact(this.#sql, 'circuit', isOpen ? JSON.stringify(circuit) : null);
    this.#circuit = circuit;
  }

  /** The messages that the gateway forbade since one was sent; null if there are none. */
  get forbidden(): Forbidden | null {
    return this.#forbidden;
  }

  set forbidden(forbidden: Forbidden | null) {
    if (forbidden === this.#forbidden) return;
    writeFact(this.#sql, 'forbidden', forbidden && JSON.stringify(forbidden));
    this.#forbidden = forbidden;
  }

  /** A fact that is made at the outbox's first start. */
  #random(key: string, digits: number, randomBytes: RandomBytes): string {
    const known = readFact(this.#sql, key);
    if (known !== null) return known;
    const made = randomBase32(digits, randomBytes);
    writeFact(this.#sql, key, made);
    return made;
  }

  #readJson<T>(key: string, schema: z.ZodMiniType<T>): T | null {
    const text = readFact(this.#sql, key);
    return text === null ? null : schema.parse(JSON.parse(text));
  }
}
