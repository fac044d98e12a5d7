import { byStanding, numberOf, STANDINGS, standingIn, type Standing } from '../../lib/shares.ts';
import { DUE_SQL, newestSeq, type MessageRow } from '../state/message.ts';
import { Turns } from './turns.ts';

/** `receivedAt`: when its webhook came in, or it was sent by hand (ms). */
export interface Ready {
  readonly row: MessageRow;
  readonly receivedAt: number;
}

/** Rows that are read together, of at most this length: a backlog is sent roughly in order. */
const AHEAD = 32;
const MAX_AHEAD_CHARACTERS = 16_384;

/** The maximum number of rows that are kept, and of characters of their parameters: a few MB of an object's 128. */
const MAX_ROWS = 2_000;
const MAX_CHARACTERS = 2_000_000;

interface ReadDeps {
  readonly sql: SqlStorage;
  readonly turns: Turns;
  readonly isInFlight: (seq: number) => boolean;
}

/**
 * The messages that wait. One that this object has just accepted comes with its row. The rest is read from the table in
 * slices: fresh ones by their numbers, those with a `next_at` (retries, delayed and urgent ones) once that time has come.
 * If many wait for one receiver, only a share of them is in memory.
 */
export class Queue {
  readonly turns = new Turns();
  readonly #sql: SqlStorage;
  /** Of fresh messages. Those beyond the limits are read when they are claimed. */
  readonly #rows = new Map<number, Ready>();
  #characters = 0;
  readonly #fresh: FreshMessages;
  readonly #due: Readonly<Record<Standing, DueMessages>>;

  /** `cursor`: no fresh message up to this number waits. */
  constructor({ cursor, ...from }: Omit<ReadDeps, 'turns'> & { readonly cursor: number }) {
    const deps = { ...from, turns: this.turns };
    this.#sql = from.sql;
    this.#fresh = new FreshMessages(deps, cursor);
    this.#due = byStanding((standing) => new DueMessages(deps, standing));
  }

  get cursor(): number {
    return this.#fresh.cursor;
  }

  /** The maximum number of waiting messages, without those that are not due yet. */
  get atMost(): number {
    return this.turns.size + this.#fresh.others;
  }

  get newest(): number {
    return this.#fresh.newest;
  }

  /** Messages were accepted, in the order of their numbers. */
  accepted(messages: readonly Ready[]): void {
    for (const ready of messages) {
      const { next_at: at } = ready.row;
      if (at !== null) this.dueAt(at, standingIn(ready.row));
      if (this.#fresh.accepted(ready.row)) this.#keep(ready);
    }
  }

  /** Rows were changed in some other way. */
  changed(now: number): void {
    this.#rows.clear();
    this.#characters = 0;
    this.#fresh.changed();
    for (const due of Object.values(this.#due)) due.changed(now);
  }

  /** Null if it was cancelled, postponed or deleted since it was read. */
  takeRow(seq: number, now: number): Ready | null {
    const ready = this.#rows.get(seq);
    if (ready !== undefined) {
      this.#rows.delete(seq);
      this.#characters -= ready.row.params.length;
      return ready;
    }
    const read = readAhead(this.#sql, seq, now);
    for (const one of read) if (one.row.next_at === null && this.turns.has(one.row.seq)) this.#keep(one);
    return read.find(({ row }) => row.seq === seq) ?? null;
  }

  #keep(ready: Ready): void {
    const { params, seq } = ready.row;
    if (this.#rows.size >= MAX_ROWS || this.#characters + params.length > MAX_CHARACTERS) return;
    this.#rows.set(seq, ready);
    this.#characters += params.length;
  }

  load(now: number): void {
    this.turns.reopen(now);
    this.#fresh.load();
    for (const due of Object.values(this.#due)) due.load(now, this.newest);
  }

  /** A message now has this `next_at` (ms), which may be before times that were read already. */
  dueAt(at: number, standing: Standing): void {
    this.#due[standing].dueAt(at);
  }

  /** When the next message may go; null: never. `opensAt`: when pace and circuit allow one of a standing. */
  nextAt(now: number, opensAt: (standing: Standing) => number = () => now): number | null {
    const ready = this.turns.ready.map(opensAt);
    const due = STANDINGS.map((standing) => Math.max(this.#due[standing].nextAt, opensAt(standing)));
    // No fresh message is urgent. Those of a full receiver may be.
    const fresh = this.#fresh.isUnread ? opensAt('signed') : Infinity;
    const full = Math.max(this.turns.opensAt ?? Infinity, opensAt('urgent'));
    const first = Math.min(...ready, ...due, fresh, full);
    return Number.isFinite(first) ? Math.max(now, first) : null;
  }
}

/** The row, and those that are likely to be claimed after it. */
const readAhead = (sql: SqlStorage, seq: number, now: number): readonly Ready[] =>
  sql
    .exec<MessageRow & { received_at: number | null }>(
      `SELECT *, (SELECT received_at FROM events WHERE id = event_id) AS received_at FROM messages WHERE seq >= ? AND seq < ? AND state IN ${DUE_SQL} AND (next_at IS NULL OR next_at <= ?)
         AND (seq = ? OR length(params) <= ${MAX_AHEAD_CHARACTERS})`,
      seq,
      seq + AHEAD,
      now,
      seq,
    )
    .toArray()
    .map(({ received_at: receivedAt, ...row }) => ({ row, receivedAt: receivedAt ?? row.created_at }));

/** Some 500 bytes each. Due ones have what fresh ones leave, and urgent ones what both leave. */
const ROOM = { fresh: 40_000, due: 45_000, urgent: 50_000 } as const;
type Kind = keyof typeof ROOM;

/** A receiver may take one eighth of the remaining room, … */
const PARTS = 8;

/** … and at least this many messages. */
const LEAST = 16;

/** Messages of open sources may take this many, whoever their receivers are. */
const MOST_OPEN = ROOM.fresh / 4;

/** Retries are in one line with their receiver's fresh messages, and have a share of their own. */
const EXTRA = { fresh: 0, due: ROOM.fresh / PARTS, urgent: 0 } as const;

/** Rows that are read at once: a few milliseconds, so that other calls hardly wait. */
const SLICE = 2_000;

/** The maximum number of slices that one step reads, while everything in them is passed over. */
const SLICES_AT_ONCE = 8;

/** Numbers that are read at once for a receiver, and receivers that one step looks at. */
const RANGE = 8_000;
const RECEIVERS_AT_ONCE = 4;

type Columns = Pick<MessageRow, 'seq' | 'source' | 'phone'>;

type WaitingRow = Columns & Pick<MessageRow, 'standing'>;

/** In place of a receiver: the share of all open sources together. */
const ALL = '';

/** Messages that are not in memory: where they begin (a number, or a `next_at`), and how many there are at most. */
type Unloaded = Readonly<Record<'from' | 'count', number>>;

/** How many messages of a kind and standing may be in memory, so that there is always space for others. */
class Share {
  readonly #turns: Turns;
  readonly #kind: Kind;
  readonly standing: Standing;
  /** Those who had reached it, a receiver or {@link ALL}. */
  readonly passedOver = new Map<string, Unloaded>();

  constructor(turns: Turns, kind: Kind, standing: Standing) {
    this.#turns = turns;
    this.#kind = kind;
    this.standing = standing;
  }

  get isFull(): boolean {
    return this.#turns.load >= ROOM[this.#kind];
  }

  /** Those of whom more must be read. */
  get low(): readonly string[] {
    return [...this.passedOver.keys()].filter((whose) => this.leftFor(whose) > this.#part(whose) / 2);
  }

  /** Returns whose share is reached: the receiver's, that of {@link ALL}, or nobody's (null). */
  reachedBy(phone: string | null): string | null {
    if (phone !== null && this.leftFor(phone) <= 0) return phone;
    return this.standing === 'open' && this.leftFor(ALL) <= 0 ? ALL : null;
  }

  passOver(whose: string, at: number): void {
    const { from, count } = this.passedOver.get(whose) ?? { from: at, count: 0 };
    this.passedOver.set(whose, { from: Math.min(from, at), count: count + 1 });
  }

  leftFor(whose: string): number {
    const count = whose === ALL ? this.#turns.open : this.#turns.countFor(whose, this.standing);
    return EXTRA[this.#kind] + this.#part(whose) - count;
  }

  #part(whose: string): number {
    if (whose === ALL) return MOST_OPEN;
    const { load, open } = this.#turns;
    const free = this.standing === 'open' ? MOST_OPEN - open : ROOM[this.#kind] - load;
    return Math.max(LEAST, Math.floor(free / PARTS));
  }
}

/** Wait only for their turn. Each number is read once; those beyond a share are passed over, and found again. */
class FreshMessages {
  readonly #deps: ReadDeps;
  readonly #shares: Readonly<Record<Standing, Share>>;
  /** All messages up to this number were read, or passed over. */
  #readTo: number;
  /** The highest number of a message; null if it is still to be read. */
  #newest: number | null = null;
  #cursor: number;

  constructor(deps: ReadDeps, cursor: number) {
    this.#deps = deps;
    this.#shares = byStanding((standing) => new Share(deps.turns, 'fresh', standing));
    this.#readTo = cursor;
    this.#cursor = cursor;
  }

  /** No message up to this number waits. It only grows, so each number is examined once; new ones are higher. */
  get cursor(): number {
    const end = Math.min(this.#readTo, ...this.#unloaded.map(({ from }) => from - 1));
    // Numbers may have gaps of any length.
    if (this.#deps.turns.size === 0) this.#cursor = end;
    while (this.#cursor < end && !this.#deps.turns.has(this.#cursor + 1)) this.#cursor += 1;
    return this.#cursor;
  }

  /** The maximum number of waiting messages that are not in memory. */
  get others(): number {
    const passedOver = this.#unloaded.reduce((sum, { count }) => sum + count, 0);
    return Math.max(0, this.newest - this.#readTo) + passedOver;
  }

  get #unloaded(): readonly Unloaded[] {
    return STANDINGS.flatMap((standing) => [...this.#shares[standing].passedOver.values()]);
  }

  get newest(): number {
    return (this.#newest ??= newestSeq(this.#deps.sql));
  }

  /** In the order of their numbers. True if it is fresh and in memory. */
  accepted(row: WaitingRow & Pick<MessageRow, 'next_at'>): boolean {
    const { seq } = row;
    if (this.#newest !== null) this.#newest = seq;
    if (this.#readTo !== seq - 1 || this.#isFull) return false;
    this.#readTo = seq;
    return row.next_at === null && this.#add(row);
  }

  changed(): void {
    this.#newest = null;
  }

  get isUnread(): boolean {
    return this.#low.length > 0 || (!this.#isFull && this.newest > this.#readTo);
  }

  /** There is one room for all standings. */
  get #isFull(): boolean {
    return this.#shares.signed.isFull;
  }

  get #low() {
    return Object.values(this.#shares).flatMap((share) => share.low.map((whose) => ({ share, whose })));
  }

  load(): void {
    for (const { share, whose } of this.#low.slice(0, RECEIVERS_AT_ONCE)) this.#readFor(share, whose);
    for (let slices = 0; slices < SLICES_AT_ONCE && !this.#loadSlice(); slices += 1);
  }

  /** Reads a slice. Returns true if there is enough for now. */
  #loadSlice(): boolean {
    const { sql, isInFlight } = this.#deps;
    const { newest } = this;
    if (this.#isFull || newest <= this.#readTo) return true;
    // A range of numbers, not a number of rows: behind a message that waits for long, thousands may have been sent.
    const to = this.#readTo + SLICE;
    const rows = sql
      .exec<WaitingRow>(
        `SELECT seq, source, phone, standing FROM messages
           WHERE seq > ? AND seq <= ? AND state = 'queued' AND next_at IS NULL ORDER BY seq`,
        this.#readTo,
        to,
      )
      .toArray();
    let added = 0;
    for (const row of rows) if (!isInFlight(row.seq) && this.#add(row)) added += 1;
    // Old messages are deleted, so numbers may have gaps of any length: on to the place before the next one.
    const isGap = rows.length === 0 && to < newest;
    const next = isGap ? sql.exec<{ seq: number | null }>(NEXT, to).one().seq : null;
    this.#readTo = next === null ? Math.min(to, newest) : next - 1;
    return added > 0 || rows.length === 0;
  }

  #add({ seq, source, phone, standing: number }: WaitingRow): boolean {
    const standing = standingIn({ standing: number });
    const share = this.#shares[standing];
    const own = phone !== null && share.passedOver.has(phone) ? phone : share.reachedBy(phone);
    // What comes after a message that is passed over is passed over as well.
    const whose = own === null && share.passedOver.has(ALL) ? ALL : own;
    if (whose === null) this.#deps.turns.add({ seq, source, phone, standing, place: seq });
    else share.passOver(whose, seq);
    return whose === null;
  }

  /** The next ones that were passed over. */
  #readFor(share: Share, whose: string): void {
    const { sql, turns, isInFlight } = this.#deps;
    const { passedOver, standing } = share;
    const { from, count } = passedOver.get(whose) ?? { from: Infinity, count: 0 };
    const to = Math.min(this.#readTo, from + RANGE);
    const most = whose === ALL ? RANGE / 4 : Math.max(1, share.leftFor(whose));
    const rows = sql
      .exec<Columns>(
        `SELECT seq, source, phone FROM messages
           WHERE seq >= ? AND seq <= ? AND standing = ? AND (phone = ? OR ?4 = '') AND state = 'queued'
             AND next_at IS NULL ORDER BY seq LIMIT ?`,
        from,
        to,
        numberOf(standing),
        whose,
        most,
      )
      .toArray();
    for (const { seq, source, phone } of rows) {
      // A receiver that has reached its own share gets these from its own rest, in order.
      const isOwn = phone !== null && (passedOver.has(phone) || share.leftFor(phone) <= 0);
      if (whose === ALL && isOwn) share.passOver(phone, seq);
      else if (!isInFlight(seq)) turns.add({ seq, source, phone, standing, place: seq });
    }
    const last = rows.length === most ? (rows.at(-1)?.seq ?? to) : to;
    // The others come first the next time.
    passedOver.delete(whose);
    if (last < this.#readTo)
      passedOver.set(whose, { from: last + 1, count: Math.max(1, count - rows.length) });
  }
}

const NEXT = 'SELECT min(seq) AS seq FROM messages WHERE seq > ?';

/** Urgent messages of open sources go before their others: their places are lower. */
const BEFORE = 2 ** 50;

const LAST = Number.MAX_SAFE_INTEGER;

type DueRow = Columns & Record<'next_at' | 'priority' | 'forbidden', number>;

/** The messages of one standing with a `next_at`, read by the index `messages_due` once that time has come. */
class DueMessages {
  readonly #deps: ReadDeps;
  readonly #standing: Standing;
  readonly #share: Share;
  /** Everything before this in the index was read. */
  #position = { at: 0, seq: 0 };
  /** The first `next_at` behind the position (ms; Infinity: none); null if it is still to be read. */
  #from: number | null = null;

  constructor(deps: ReadDeps, standing: Standing) {
    this.#deps = deps;
    this.#standing = standing;
    this.#share = new Share(deps.turns, standing === 'urgent' ? 'urgent' : 'due', standing);
  }

  /** A message now has this `next_at` (ms), which may be before the position. */
  dueAt(at: number): void {
    if (at <= this.#position.at) this.#position = { at, seq: 0 };
    if (this.#from !== null) this.#from = Math.min(this.#from, at);
  }

  changed(now: number): void {
    this.dueAt(now);
    this.#from = null;
  }

  /** The time from which there may be something to read (ms; Infinity if there is nothing, or no room for it). */
  get nextAt(): number {
    return this.#share.isFull ? Infinity : (this.#lowFrom ?? this.#fromAt());
  }

  #fromAt(): number {
    return (this.#from ??= this.#read<{ next_at: number }>('next_at', LAST, 1)[0]?.next_at ?? Infinity);
  }

  #read<Row extends Record<string, SqlStorageValue>>(columns: string, until: number, most: number) {
    const { at, seq } = this.#position;
    return this.#deps.sql
      .exec<Row>(
        `SELECT ${columns} FROM messages WHERE next_at IS NOT NULL AND standing = ? AND (next_at, seq) > (?, ?)
           AND next_at <= ? ORDER BY next_at, seq LIMIT ?`,
        numberOf(this.#standing),
        at,
        seq,
        until,
        most,
      )
      .toArray();
  }

  /** Reads the next slice. `behind`: the place of messages that go behind all others. */
  load(now: number, behind: number): void {
    // The clock was ahead and was set back: messages that were postponed since then are before the position.
    if (this.#position.at > now) this.#readFrom(0);
    if (this.#share.isFull) return;
    const lowFrom = this.#lowFrom;
    if (lowFrom !== null) {
      // Rows that are in memory already are not added twice.
      this.#share.passedOver.clear();
      this.#readFrom(lowFrom);
    }
    if (this.#fromAt() > now) return;
    const rows = this.#read<DueRow>(
      `seq, source, phone, next_at, priority, json_extract(attempts, '$[#-1].outcome') IS 'forbidden' AS forbidden`,
      now,
      SLICE,
    );
    for (const row of rows) this.#add(row, behind);
    const last = rows.length === SLICE ? rows.at(-1) : undefined;
    this.#position = { at: last?.next_at ?? now, seq: last?.seq ?? LAST };
    this.#from = null;
  }

  /** The first `next_at` that was passed over, if somebody has room again. */
  get #lowFrom(): number | null {
    const { low, passedOver } = this.#share;
    return low.length === 0 ? null : Math.min(...[...passedOver.values()].map(({ from }) => from));
  }

  #readFrom(at: number): void {
    this.#position = { at, seq: 0 };
    this.#from = null;
  }

  #add({ seq, source, phone, next_at: at, priority, forbidden }: DueRow, behind: number): void {
    const { turns, isInFlight } = this.#deps;
    if (isInFlight(seq) || turns.has(seq)) return;
    const standing = this.#standing;
    const whose = this.#share.reachedBy(phone);
    if (whose !== null) return this.#share.passOver(whose, at);
    // A 403 may be this message's own fault, so it goes behind all waiting messages.
    const isBefore = standing === 'open' && priority === 1;
    const place = forbidden === 1 ? Math.max(seq, behind) : isBefore ? seq - BEFORE : seq;
    turns.add({ seq, source, phone, standing, place });
  }
}
