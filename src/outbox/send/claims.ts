import type { AccountPolicy } from '../../config/compiled/config.ts';
import type { Totals } from '../../counts/counts.ts';
import type { Series } from '../../counts/series.ts';
import type { AttemptResult, NoCall } from '../../gateway/client.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { Reason } from '../../lib/reason.ts';
import { standingIn, contactsOf, type Standing } from '../../lib/shares.ts';
import { minTime, MINUTE } from '../../lib/time.ts';
import { restoreCounters, type Counters } from '../counters/counters.ts';
import type { Calls } from '../state/calls.ts';
import { messageRow, nextAttempt, parseAttempts, type End, type MessageRow } from '../state/message.ts';
import { contactAt, Contacts } from './contacts.ts';
import { isLimited, lineOf, Pace, PACE_MEMORY_MS, type PastSend, type ReadSends } from './pace.ts';
import { Queue, type Ready } from './queue.ts';

interface ClaimsDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly calls: Calls;
  readonly clock: () => number;
  readonly random: () => number;
}

/** How many may be claimed together if the last one is of a standing. */
type Capacity = Readonly<Record<Standing, number>>;

/** Returns the row to send, which may be newer; null if the message has ended, or is not sent now. */
type ToSend = (row: MessageRow) => MessageRow | null;

/** Rows that one claim reads at most: thousands of expired messages must not delay new ones. */
const MAX_LOOKS = 256;

export class Claims {
  readonly #deps: ClaimsDeps;
  readonly #checkpoint: Checkpoint;
  #queue: Queue;
  readonly flight: Flight;
  readonly pace: Pace;
  readonly contacts: Contacts;
  readonly counters: Counters;
  readonly series: Series;
  /** The time when the checkpoint was last written (ms); 0 if this instance has not yet. */
  #writtenAt = 0;
  /** True if the checkpoint has a call that was not made. */
  #isPutBack = false;

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
    const { sql } = deps.storage;
    this.#checkpoint = new Checkpoint(deps.storage);
    const { last, readSends } = this.#checkpoint;
    this.flight = new Flight(sql, last?.flight ?? []);
    this.#queue = this.#openQueue(last?.cursor ?? 0);
    this.contacts = new Contacts(sql);
    // A new outbox has its whole burst: the first refill cuts the bucket to its size.
    const { tokens = Number.MAX_SAFE_INTEGER, at = deps.clock() } = last ?? {};
    this.pace = new Pace({ tokens, at, past: readSends });
    ({ counters: this.counters, series: this.series } = restoreCounters(sql, last ?? {}));
  }

  get queue(): Queue {
    return this.#queue;
  }

  /** When its receiver's cap lets a message through. */
  opensFor(row: MessageRow, { perRecipient }: Pick<AccountPolicy, 'perRecipient'>, now: number): number {
    const to = { phone: row.phone, standing: standingIn(row) };
    const at = (ahead: number): number => this.pace.nextSendToAt(perRecipient, to, now, ahead);
    return at(0) > now ? at(this.#queue.turns.ahead(row)) : now;
  }

  /** When its receiver may get its first message: `now` if it had one, or the message is urgent. */
  contactFor(row: MessageRow, policy: Pick<AccountPolicy, 'newContacts'>, now: number): number {
    const standing = standingIn(row);
    const left = this.#contactsLeft(row.phone, standing, policy, now);
    if (left === Infinity) return now;
    const ahead = this.#queue.turns.newBefore(row.phone ?? '', standing);
    const perDay = standing === 'open' ? Infinity : (policy.newContacts?.perDay ?? Infinity);
    return contactAt(perDay, left, ahead, now);
  }

  /** How many first messages may be sent, beside those under way; Infinity if this is none, or they are not limited. */
  #contactsLeft(
    phone: string | null,
    standing: Standing,
    { newContacts }: Pick<AccountPolicy, 'newContacts'>,
    now: number,
    chosen: readonly Ready[] = [],
  ): number {
    if (newContacts === null || phone === null || standing === 'urgent' || this.contacts.isKnown(phone))
      return Infinity;
    const going = [...this.flight.calls, ...chosen].map(({ row }) => row.phone);
    return this.contacts.left(standing, newContacts.perDay, going, now);
  }

  /** In the order of sending. If it fails, the queue is read again, since messages were taken out of it. */
  claim(policy: AccountPolicy, capacity: Capacity, toSend: ToSend): readonly Call[] {
    const { cursor } = this.#queue;
    const { tokens } = this.pace;
    try {
      return this.#claim(policy, capacity, toSend);
    } catch (thrown) {
      this.#queue = this.#openQueue(cursor);
      this.pace.forget(tokens);
      throw thrown;
    }
  }

  #claim(policy: AccountPolicy, capacity: Capacity, toSend: ToSend): readonly Call[] {
    const { clock, random } = this.#deps;
    const now = clock();
    this.contacts.use(policy.newContacts !== null, now);
    const calls = this.#choose(policy, capacity, toSend, now).map((one): Call => {
      const { seq, attempts } = one.row;
      return { ...one, seq, n: nextAttempt(parseAttempts(attempts)), at: now, ended: null, againAt: null };
    });
    const sends = calls.map(({ row, at }) => ({ at, phone: row.phone, standing: standingIn(row) }));
    // Before the checkpoint is written, which has the tokens.
    for (const send of sends) this.pace.record(send, policy, random());
    if (calls.length > 0) this.#write([...this.flight.calls, ...calls], isLimited(policy) ? sends : []);
    for (const call of calls) this.flight.set(call.seq, call);
    return calls;
  }

  #choose(policy: AccountPolicy, capacity: Capacity, toSend: ToSend, now: number): readonly Ready[] {
    const queue = this.#queue;
    const chosen: Ready[] = [];
    queue.load(now);
    const opensAt = (phone: string | null, standing: Standing): number =>
      this.pace.nextSendToAt(policy.perRecipient, { phone, standing }, now);
    /** When to check again if a receiver may get its first message: `now` if it may, or had one. */
    const newUntil = (phone: string, standing: Standing, seq: number): number => {
      if (this.#contactsLeft(phone, standing, policy, now, chosen) > 0) return now;
      const row = messageRow(this.#deps.storage, seq);
      // It is taken so that it ends.
      return row !== null && this.#isUnmet(row, policy, now) ? now : contactAt(Infinity, 0, 0, now);
    };
    const may = (standing: Standing): boolean => chosen.length < capacity[standing];
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const next = queue.turns.take(now, opensAt, newUntil, may);
      if (next === null) break;
      const ready = queue.takeRow(next.seq, now);
      const row = ready && toSend(ready.row);
      if (ready === null || row === null) queue.turns.giveBack(next);
      else chosen.push({ ...ready, row });
    }
    return chosen;
  }

  /** True if no first contact was left for an open source's message on the day when it could have been sent. */
  #isUnmet(row: MessageRow, { newContacts }: AccountPolicy, now: number): boolean {
    const { phone, created_at, next_at } = row;
    if (newContacts === null || phone === null || standingIn(row) !== 'open') return false;
    const since = Math.max(created_at, next_at ?? 0);
    return !this.contacts.isKnown(phone) && this.contacts.isOver(newContacts.perDay, since, now);
  }

  /** The end of a message that waited for too long; null if it may be sent. */
  expiryOf(row: MessageRow, policy: AccountPolicy, now: number): End | null {
    if (this.#isUnmet(row, policy, now))
      return { state: 'expired', reason: notMet(policy.newContacts?.perDay ?? 0) };
    return row.expires_at !== null && row.expires_at <= now
      ? { state: 'expired', reason: { code: 'expired' } }
      : null;
  }

  #write(flight: readonly Call[] = this.flight.calls, claimed: readonly PastSend[] = []): void {
    const { pace, counters } = this;
    const { cursor } = this.#queue;
    const at = this.#deps.clock();
    this.#checkpoint.write({ at, cursor, tokens: pace.tokens, flight }, claimed, counters);
    this.#writtenAt = at;
    this.#isPutBack = false;
  }

  #openQueue(cursor: number): Queue {
    const { sql } = this.#deps.storage;
    const queue = new Queue({ sql, cursor, isInFlight: (seq) => this.flight.has(seq) });
    for (const { row } of this.flight.calls) queue.turns.hold(row);
    return queue;
  }

  /** The platform refused the call: its message waits as before, and the run makes no further claims. */
  putBack(call: Call): void {
    this.#deps.calls.exhaust();
    this.flight.delete(call.seq);
    this.#queue = this.#openQueue(Math.min(this.#queue.cursor, call.seq - 1));
    // It must not count as in flight after a crash.
    this.#isPutBack = true;
  }

  /** Writes the checkpoint if it is wrong, or for the counters: at once when idle, else once a minute. */
  keep(isRunning: boolean): void {
    const isSoon = isRunning || (this.#queue.turns.size > 0 && this.#deps.clock() - this.#writtenAt < MINUTE);
    if (this.#isPutBack || (this.counters.isUnkept && !isSoon)) this.#write();
  }

  /** The counts. They are on disk before somebody sees them, so that no total falls in a crash. */
  totals(): Totals {
    if (this.counters.isUnkept) this.#write();
    return this.counters.totals;
  }
}

const notMet = (perDay: number): Reason => ({
  code: 'no-first-contact',
  params: { open: String(contactsOf('open', perDay)), per_day: String(perDay) },
});

/** The time for which a message rests after a fault (ms). */
export const FAULT_MS = 30_000;

/** The result of a call that was under way when the object stopped: it is unknown whether it arrived. */
export const INTERRUPTED: AttemptResult = { outcome: 'uncertain', code: 'interrupted', duration_ms: 0 };

/** A call as the checkpoint has it: message, number of the attempt, and when it was claimed (ms). */
type InFlight = Readonly<Record<'seq' | 'n' | 'at', number>>;

/** A call: its claim is written, it ends, and it is recorded, which may have to wait. */
export interface Call extends Ready, InFlight {
  ended: CallEnd | null;
  /** By when its record, which could not be written, is tried again (ms); null if it was not tried yet. */
  againAt: number | null;
}

/** The end of a call: the times when it began and ended (ms), and its result. */
export interface CallEnd {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: AttemptResult | NoCall;
}

/** The calls that have no record yet. Each keeps its receiver busy, and its connection. */
export class Flight extends Map<number, Call> {
  #fault: unknown = null;

  /** `last`: the messages in flight by the newest claim. Those without a record were interrupted. */
  constructor(sql: SqlStorage, last: readonly InFlight[]) {
    super();
    for (const { seq, n, at } of last) {
      const row = messageRow({ sql }, seq);
      if (row === null || nextAttempt(parseAttempts(row.attempts)) > n) continue;
      const ended = { startedAt: at, endedAt: at, result: INTERRUPTED };
      this.set(seq, { row, receivedAt: row.created_at, seq, n, at, ended, againAt: null });
    }
  }

  /** The number of calls, without those whose record could not be written. */
  get open(): number {
    return this.calls.filter(({ againAt }) => againAt === null).length;
  }

  get calls(): readonly Call[] {
    return [...this.values()];
  }

  /** True if a call has ended that no commit has tried to record. */
  get isBehind(): boolean {
    return this.calls.some(({ ended, againAt }) => ended !== null && againAt === null);
  }

  /** The time by which a record that could not be written is tried again (ms); null if there is none. */
  get lateAt(): number | null {
    return minTime(this.calls.map(({ againAt }) => againAt));
  }

  seqs(): readonly number[] {
    return [...this.keys()];
  }

  /** Its record could not be written. True if the fault is to be reported. */
  recordLater(call: Call, now: number): boolean {
    const isNew = (call.againAt ?? 0) <= now;
    if (isNew) call.againAt = now + FAULT_MS;
    return isNew;
  }

  fail(thrown: unknown): void {
    this.#fault ??= thrown;
  }

  /** Throws the exception of a call, so that the alarm logs it and comes back later. */
  throwFault(): void {
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) throw fault;
  }
}

/** So many sends make a block: until then they are in the checkpoint, 16 bytes each. */
const BLOCK_SENDS = 256;

/** The progress of an outbox that a start cannot read from the rows of messages. */
type Progress = Record<'at' | 'cursor' | 'tokens', number> & {
  /** The messages whose calls may be under way. Those with a record of the attempt in their rows are not. */
  readonly flight: readonly InFlight[];
};

/** Written before claimed calls go out, so that a crash shows which were made: what has no record is in flight. */
export class Checkpoint {
  readonly #storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  /** Time and line, alternating, of each send that is in no block. */
  #open: readonly number[];
  /** The progress as the start found it, with the counts; null if nothing was ever claimed. */
  readonly last: (Progress & { readonly counted: string }) | null;

  constructor(storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>) {
    this.#storage = storage;
    const { sql } = storage;
    const [row] = sql
      .exec<Omit<Progress, 'flight'> & Record<'flight' | 'counted', string> & { sends: ArrayBuffer }>(
        'SELECT * FROM checkpoint',
      )
      .toArray();
    const flight = parseOwnJson<readonly (readonly [number, number, number])[]>(row?.flight ?? '[]');
    this.last = row === undefined ? null : { ...row, flight: flight.map(([seq, n, at]) => ({ seq, n, at })) };
    this.#open = row === undefined ? [] : [...new Float64Array(row.sends)];
  }

  /** In order, in bounded memory: the newest are in the checkpoint, the others in rows of a few hundred each. */
  readonly readSends: ReadSends = (since, onSend) => {
    const { sql } = this.#storage;
    const blocks = sql.exec<{ sends: ArrayBuffer }>(
      'SELECT sends FROM send_blocks WHERE last_at > ? ORDER BY id',
      since,
    );
    for (const { sends } of blocks) readPairs(new Float64Array(sends), since, onSend);
    readPairs(this.#open, since, onSend);
  };

  /** `claimed`: those of the messages in flight that this commit claims. If it throws, nothing was written. */
  write({ at, cursor, tokens, flight }: Progress, claimed: readonly PastSend[], counters: Counters): void {
    const { sql } = this.#storage;
    const more = claimed.flatMap((one) => [one.at, lineOf(one.phone, one.standing)]);
    const sends = [...this.#open, ...more];
    const isFull = sends.length >= 2 * BLOCK_SENDS;
    const open = isFull ? [] : sends;
    this.#storage.transactionSync(() => {
      if (isFull) writeBlock(sql, sends, Math.max(...claimed.map((one) => one.at)));
      sql.exec(
        'INSERT OR REPLACE INTO checkpoint (id, at, cursor, tokens, flight, sends, counted) VALUES (1, ?, ?, ?, ?, ?, ?)',
        at,
        cursor,
        tokens,
        JSON.stringify(flight.map(({ seq, n, at: claimedAt }) => [seq, n, claimedAt])),
        Float64Array.from(open).buffer,
        counters.write(sql),
      );
    });
    this.#open = open;
    counters.written();
  }
}

/** Also deletes old blocks, so that there are never more than an hour's. */
function writeBlock(sql: SqlStorage, sends: readonly number[], at: number): void {
  // Blocks from a clock that was far ahead are deleted as well: they would count as new after each restart.
  const [before, after] = [at - PACE_MEMORY_MS, at + PACE_MEMORY_MS];
  sql.exec('DELETE FROM send_blocks WHERE last_at <= ? OR last_at > ?', before, after);
  const { buffer } = Float64Array.from(sends);
  sql.exec('INSERT INTO send_blocks (last_at, sends) VALUES (?, ?)', at, buffer);
}

function readPairs(pairs: ArrayLike<number>, since: number, onSend: Parameters<ReadSends>[1]): void {
  for (let index = 0; index < pairs.length; index += 2) {
    const [at = 0, line = 0] = [pairs[index], pairs[index + 1]];
    if (at > since) onSend(at, line);
  }
}
