import { parseOwnJson } from '../../lib/own-json.ts';
import { isSame, readWritten, written, type InFlight, type Written } from './in-flight.ts';

/** The newest row of `dispatch_log`, as far as the claims after it depend on it. */
export interface Anchor {
  /** 0: there is no row yet. */
  readonly id: number;
  /** The highest number of a message when it was written: what rows up to this say of a claim is in the log. */
  readonly newest: number;
  readonly flight: readonly InFlight[];
}

/** What a claim leaves for the next one: see `Claim` in `log-rows.ts`. */
export interface After {
  readonly at: number;
  readonly cursor: number;
  readonly tokens: number;
  readonly newest: number;
}

/**
 * After how many claimed messages a row of the log is written again. A restart reads their rows, one in a few starts: a
 * row read costs a thousandth of one written, so that about here both cost the same.
 */
const MAX_CLAIMED = 32;
/** The same for messages that were accepted: a restart reads what is behind the log's newest row. */
const MAX_ACCEPTED = 512;

/** A claim in the row of a message, as JSON. */
type Ride = readonly [
  anchor: number,
  nth: number,
  after: readonly [at: number, cursor: number, tokens: number, newest: number],
  entries: Written,
];

interface MarkRow extends Record<string, SqlStorageValue> {
  seq: number;
  at: number;
  phone: string | null;
  tokens: number;
  ride: string | null;
}

/**
 * The claims after the newest row of `dispatch_log`. They are in rows of messages that their commit writes anyway, so
 * they cost none:
 *
 * - A message that is claimed in the commit that accepts it has `claimed`: the tokens left, or fewer.
 * - A claim of messages that were accepted earlier is in the row of one that is recorded as sent in the same commit
 *   (`next_claim`), where it stays.
 *
 * A restart finds the former by their numbers, behind `Anchor.newest`. The latter it finds from claim to claim: what was
 * recorded had been claimed before.
 */
export class ClaimTail {
  readonly #sql: SqlStorage;
  #anchor: Anchor;
  #entries: InFlight[] = [];
  /** How many claims are in rows of messages that were recorded. */
  #rides = 0;
  #after: After | null = null;

  constructor(sql: SqlStorage, anchor: Anchor) {
    this.#sql = sql;
    this.#anchor = anchor;
    this.#read();
  }

  /** The messages of these claims, in the order of their times. */
  get entries(): readonly InFlight[] {
    return this.#entries;
  }

  /** What the newest of these claims left; null: there is none. `cursor` may be lower than it was. */
  get after(): After | null {
    return this.#after;
  }

  /** Whether the next claim may be written here, where `newest` is the highest number of a message. */
  mayFollow(newest: number): boolean {
    return this.#entries.length < MAX_CLAIMED && newest - this.#anchor.newest < MAX_ACCEPTED;
  }

  has(entry: InFlight): boolean {
    return [...this.#anchor.flight, ...this.#entries].some((one) => isSame(one, entry));
  }

  /** Messages were claimed, of which their own rows say so. */
  add(entries: readonly InFlight[], after: After): void {
    this.#entries.push(...entries);
    this.#after = after;
  }

  /** Other messages were claimed: `host` writes the text into the row of one that is being recorded. */
  ride(entries: readonly InFlight[], after: After, host: (text: string) => void): void {
    const { at, cursor, tokens, newest } = after;
    const ride: Ride = [this.#anchor.id, this.#rides + 1, [at, cursor, tokens, newest], written(entries)];
    host(JSON.stringify(ride));
    this.#rides += 1;
    this.add(entries, after);
  }

  /** A row of the log was written, which has all of this. */
  anchored(anchor: Anchor): void {
    this.#anchor = anchor;
    this.#entries = [];
    this.#rides = 0;
    this.#after = null;
  }

  #read(): void {
    const { newest } = this.#anchor;
    const marks = this.#sql
      .exec<MarkRow>(
        `SELECT seq, created_at AS at, phone, claimed AS tokens, next_claim AS ride FROM messages
           WHERE seq > ? AND claimed IS NOT NULL ORDER BY seq`,
        newest,
      )
      .toArray();
    const rides = this.#ridesFrom(marks).toSorted(([, one], [, other]) => one - other);
    const entries = marks.map(({ seq, at, phone }): InFlight => ({ seq, n: 1, at, phone }));
    for (const ride of rides) entries.push(...readWritten(ride[3]));
    this.#entries = entries.toSorted((one, other) => one.at - other.at);
    this.#rides = rides.length;
    const ride = rides.at(-1);
    if (ride !== undefined) this.#after = afterOf(ride);
    const mark = marks.at(-1);
    if (mark === undefined || mark.seq <= (this.#after?.newest ?? 0)) return;
    const { at, tokens, seq } = mark;
    this.#after = { at, tokens, cursor: this.#after?.cursor ?? 0, newest: seq };
  }

  /** The claims in the rows of these messages and of those in flight before, and in the rows of those that they claimed. */
  #ridesFrom(marks: readonly MarkRow[]): readonly Ride[] {
    const rides = marks.flatMap(({ ride }) => this.#parse(ride));
    const known = new Set(marks.map(({ seq }) => seq));
    const unread = [
      ...this.#anchor.flight.map(({ seq }) => seq),
      ...rides.flatMap(([, , , entries]) => entries.map(([seq]) => seq)),
    ];
    for (let seq = unread.pop(); seq !== undefined; seq = unread.pop()) {
      if (known.has(seq)) continue;
      known.add(seq);
      const row = this.#sql
        .exec<{ ride: string | null }>('SELECT next_claim AS ride FROM messages WHERE seq = ?', seq)
        .toArray()[0];
      const found = this.#parse(row?.ride ?? null);
      rides.push(...found);
      unread.push(...found.flatMap(([, , , entries]) => entries.map(([claimed]) => claimed)));
    }
    return rides;
  }

  /** None: there is no claim, or it is one of before the newest row of the log. */
  #parse(text: string | null): Ride[] {
    const ride = text === null ? null : parseOwnJson<Ride>(text);
    return ride?.[0] === this.#anchor.id ? [ride] : [];
  }
}

const afterOf = ([, , [at, cursor, tokens, newest]]: Ride): After => ({ at, cursor, tokens, newest });
