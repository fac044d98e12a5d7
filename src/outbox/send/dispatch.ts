import type { AccountPolicy } from '../../config/config.ts';
import { NO_CALL, type AttemptResult, type NoCall } from '../../gateway/client.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import { Signal } from '../../lib/signal.ts';
import { callsOf, MAX_CALLS_OF_ONE, type Calls } from '../state/calls.ts';
import { afterCall } from '../state/circuit.ts';
import { claimMessages } from './claim.ts';
import type { AttemptKey, Counters } from '../counters/counters.ts';
import { decide, type Decision } from './decide.ts';
import { DispatchLog, type InFlight } from './dispatch-log.ts';
import { ACCOUNT_FORBIDDEN, forbiddenSoFar, isAccountForbidden, isOtherSent } from '../state/forbidden.ts';
import { attemptsText, type Attempt, type MessageRow } from '../state/message.ts';
import type { Standing } from '../notify/notice.ts';
import { FORGOTTEN } from '../operate/operate.ts';
import type { Meta } from '../state/meta.ts';
import { Pace } from './pace.ts';
import { Queue } from './queue.ts';
import { restoreCounters } from './recount.ts';

/** The platform opens no more than six connections at once for an object; a seventh call would only wait. */
export const MAX_IN_FLIGHT = 6;

/** An alarm may run for 15 minutes; a run stops claiming well before, and goes on in the next alarm. */
const MAX_RUN_MS = 10 * 60_000;

/**
 * What an alarm costs, as time awake: a row written ($1.00 a million) and a request ($0.15 a million), against $12.50 a
 * million GB-seconds of 128 MB. A shorter gap is waited for, a longer one is slept by alarm.
 */
export const MAX_WAIT_MS = 700;

/** Missing credentials come with a deploy, which restarts the object anyway: a slow look is enough. */
const OBSTACLE_RECHECK_MS = 60_000;

/** What is recorded of a call that was under way when the object stopped. */
const INTERRUPTED: AttemptResult = {
  outcome: 'uncertain',
  detail: 'the relay stopped before the answer came',
  duration_ms: 0,
};

/** An attempt that was just recorded, and how the account stood before it. */
export interface Recorded {
  readonly before: Standing;
  /** The message's row as it was before. */
  readonly row: MessageRow;
  readonly attempt: Attempt;
  readonly decision: Decision;
  /** From the webhook to the gateway's yes (ms); null: it is not sent. */
  readonly latencyMs: number | null;
}

/** A call that has its answer, until it is recorded. */
interface EndedCall {
  readonly entry: InFlight;
  readonly startedAt: number;
  readonly result: AttemptResult | NoCall;
}

/** What a run needs of the outside. */
export interface DispatchDeps {
  readonly sql: SqlStorage;
  readonly meta: Meta;
  /** The account's policy as it is now; asked for at each turn, since a publish may change it. */
  readonly policy: () => Promise<AccountPolicy>;
  /** One HTTP call for the message; never throws. */
  readonly call: (message: MessageRow, timeoutMs: number) => Promise<AttemptResult | NoCall>;
  /** What the run may still call. */
  readonly calls: Calls;
  /** Null when the account has its credentials; else what is missing, in words for its owner. */
  readonly obstacle: () => string | null;
  /** Resolves when what was written is on disk. */
  readonly flushed: () => Promise<void>;
  /** Told after each attempt, in the same commit. */
  readonly onRecorded: (recorded: Recorded) => void;
  /** Told of a message that was too old to be sent, in the same commit. */
  readonly onExpired: (row: MessageRow) => void;
  /** Told of a message whose call goes out now. */
  readonly onClaimed?: (row: MessageRow) => void;
  readonly clock: () => number;
  readonly random: () => number;
  /** Resolves after so many ms, or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Sends what is due: claims in order, calls the gateway, records each attempt, and says when to come back. */
export class Dispatch {
  readonly #deps: DispatchDeps;
  readonly #log: DispatchLog;
  readonly #pace: Pace;
  readonly #signal = new Signal();
  readonly #flight = new Map<number, InFlight>();
  readonly #ended: EndedCall[] = [];
  #interrupted: readonly InFlight[];
  #queue: Queue;
  /** The receivers' limit when they were looked at last. */
  #perHour: number | null = null;
  #running = false;
  #fault: Error | null = null;
  readonly counters: Counters;

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
    this.#log = new DispatchLog(deps.sql);
    const now = deps.clock();
    const last = this.#log.last();
    this.#queue = this.#openQueue(last?.cursor ?? 0);
    // A new outbox has its burst: the bucket is cut to its size at the first look.
    this.#pace = new Pace({
      tokens: last?.tokens ?? Number.MAX_SAFE_INTEGER,
      at: last?.at ?? now,
      past: { read: this.#log.readSends, count: () => this.#log.countSends() },
    });
    this.#interrupted = (last?.flight ?? []).filter((entry) => this.#isUnrecorded(entry));
    this.counters = restoreCounters(deps.sql, this.#log);
  }

  /** The number up to which no fresh message waits; a floor for new numbers even when the table is empty. */
  get cursor(): number {
    return this.#queue.cursor;
  }

  /** How many messages wait at most, as far as that is known without counting; see {@link Queue.atMost}. */
  get waitingAtMost(): number {
    return this.#queue.atMost;
  }

  /** When the receiver of a waiting message, which is full for the hour, takes messages again (ms); null: it is not. */
  receiverOpensAt(phone: string | null): number | null {
    return this.#queue.turns.fullUntil(phone);
  }

  /** A message was given this moment (ms) from outside. */
  dueAt(at: number): void {
    this.#queue.dueAt(at);
  }

  get running(): boolean {
    return this.#running;
  }

  /** Whether this message's call is under way, or was when the object stopped. */
  isSending(seq: number): boolean {
    return this.#flight.has(seq) || this.#interrupted.some((entry) => entry.seq === seq);
  }

  /** The messages whose calls are under way, or were when the object stopped. */
  sendingSeqs(): readonly number[] {
    return [...new Set([...this.#flight.keys(), ...this.#interrupted.map(({ seq }) => seq)])];
  }

  /** When the pace allows the next send (ms). */
  nextSendAt(policy: AccountPolicy, now: number): number {
    return this.#pace.nextSendAt(policy.rate, now);
  }

  /** Keeps the counters in the surrounding commit if they have to be. */
  keepCounters(): void {
    if (!this.counters.mustKeep) return;
    const bare = { at: this.#deps.clock(), cursor: this.cursor, tokens: this.#pace.tokens };
    this.#log.carry(this.counters.keep(this.#openAttempts([])), bare);
  }

  /** The attempts that have no record yet, those of a claim that is being made among them. */
  #openAttempts(claimed: readonly InFlight[]): readonly AttemptKey[] {
    // A fault may have come after the record.
    const interrupted = this.#interrupted.filter((entry) => this.#isUnrecorded(entry));
    return [...this.#flight.values(), ...interrupted, ...claimed].map(({ seq, n }) => [seq, n]);
  }

  /** Tells a run under way that there is more to look at. */
  notify(): void {
    this.#signal.notify();
  }

  /** Sends until nothing can be sent now, or the run has made its calls. One run at a time; the alarm sees to that. */
  async run(): Promise<void> {
    this.#running = true;
    try {
      const stopAt = this.#deps.clock() + MAX_RUN_MS;
      for (;;) {
        const policy = await this.#deps.policy();
        this.#settleInterrupted(policy);
        this.#recordEnded(policy);
        if (this.#deps.clock() < stopAt) this.#claim(policy);
        if (this.#flight.size === 0 && !this.#isWorthWaiting(policy, stopAt)) return;
        // One commit at a time: calls that end while it is on its way to the disk are recorded together in the next.
        await this.#deps.flushed();
        await this.#untilNextTurn(policy);
        this.#throwFault();
      }
    } finally {
      this.#running = false;
    }
  }

  /** Whether the next message goes so soon that an alarm for it would cost more than the wait. */
  #isWorthWaiting(policy: AccountPolicy, stopAt: number): boolean {
    const now = this.#deps.clock();
    const nextAt = this.nextRunAt(policy);
    return nextAt !== null && nextAt > now && nextAt - now <= MAX_WAIT_MS && now < stopAt && this.#mayCall();
  }

  /** When a run is needed next (ms): now or earlier means at once, null that nothing waits. */
  nextRunAt(policy: AccountPolicy): number | null {
    const { meta, clock, obstacle } = this.#deps;
    const now = clock();
    if (this.#interrupted.length > 0) return now;
    if (meta.pause !== null) return null;
    this.#useLimit(policy);
    this.#queue.load(now);
    const nextAt = this.#queue.nextAt(now);
    if (nextAt === null) return null;
    if (obstacle() !== null) return now + OBSTACLE_RECHECK_MS;
    return Math.max(nextAt, this.opensAt(policy, now));
  }

  /** Claims what may be sent now. A queue that took messages out for a claim that failed is read anew. */
  #claim(policy: AccountPolicy): void {
    const cursor = this.cursor;
    try {
      this.#claimNext(policy);
    } catch (thrown) {
      this.#reopenQueue(cursor);
      throw thrown;
    }
  }

  /** What a run may send now, in the order of sending. The claim is one row, written before any call goes out. */
  #claimNext(policy: AccountPolicy): void {
    const { sql, clock, random } = this.#deps;
    const now = clock();
    const capacity = this.#capacity(policy, now);
    if (capacity <= 0) return;
    this.#useLimit(policy);
    const rows = claimMessages({
      sql,
      queue: this.#queue,
      policy,
      pace: this.#pace,
      now,
      capacity,
      calls: this.#deps.calls.forMessages,
      onExpired: (row) => this.#expire(row),
    });
    const claimed = rows.map((row) => {
      const n = nextAttempt(parseAttempts(row.attempts));
      return { row, entry: { seq: row.seq, n, at: now, phone: row.phone } };
    });
    for (const { entry } of claimed) this.#pace.record(entry, policy.rate, random());
    if (claimed.length > 0) {
      const entries = claimed.map(({ entry }) => entry);
      const flight = [...this.#flight.values(), ...entries];
      const text = (): string => this.counters.keep(this.#openAttempts(entries));
      const carried = { text, isDue: this.counters.mustKeep };
      this.#log.write({ at: now, cursor: this.cursor, tokens: this.#pace.tokens, flight }, carried);
    }
    this.keepCounters();
    for (const { entry } of claimed) this.#flight.set(entry.seq, entry);
    for (const { row, entry } of claimed) {
      this.#deps.calls.spend(callsOf(row));
      this.#deps.onClaimed?.(row);
      void this.#send(entry, row, policy);
    }
  }

  /** Reads what waits anew: the tables are the truth. */
  #reopenQueue(cursor: number): void {
    this.#queue = this.#openQueue(cursor);
    for (const entry of this.#flight.values()) this.#queue.turns.hold(entry);
  }

  #openQueue(cursor: number): Queue {
    const isInFlight = (seq: number): boolean => this.isSending(seq);
    return new Queue({ sql: this.#deps.sql, cursor, isInFlight });
  }

  /** A limit that was raised or lifted counts at once for those who were full by the old one. */
  #useLimit({ perRecipient }: AccountPolicy): void {
    const perHour = perRecipient?.perHour ?? null;
    if (perHour === this.#perHour) return;
    this.#perHour = perHour;
    this.#queue.turns.reopen(this.#deps.clock(), true);
  }

  #expire(row: MessageRow): void {
    this.counters.reached(row.source, 'expired');
    this.#deps.onExpired(row);
  }

  /** How many calls may go out now. */
  #capacity(policy: AccountPolicy, now: number): number {
    const { meta, obstacle } = this.#deps;
    if (meta.pause !== null || obstacle() !== null) return 0;
    if (!this.#mayCall()) return 0;
    return Math.min(this.#connections(now) - this.#flight.size, this.#pace.sendsAllowed(policy.rate, now));
  }

  /** Whether the run may call for one more message, whichever it is. */
  #mayCall(): boolean {
    return this.#deps.calls.forMessages >= MAX_CALLS_OF_ONE;
  }

  /** How many calls may be under way: while the circuit is open, one probe. */
  #connections(now: number): number {
    const { probeAt } = this.#deps.meta.circuit;
    return probeAt === null ? MAX_IN_FLIGHT : now >= probeAt ? 1 : 0;
  }

  async #send(entry: InFlight, row: MessageRow, policy: AccountPolicy): Promise<void> {
    const startedAt = this.#deps.clock();
    try {
      const result = await this.#deps.call(row, policy.timeoutMs);
      this.#ended.push({ entry, startedAt, result });
    } catch (thrown) {
      this.#interrupt(entry, thrown);
    }
    this.#signal.notify();
  }

  /** Records the calls that have ended since the last turn. */
  #recordEnded(policy: AccountPolicy): void {
    for (const { entry, startedAt, result } of this.#ended.splice(0)) {
      if (result === NO_CALL) {
        this.#putBack(entry);
        continue;
      }
      try {
        this.#record(entry.seq, startedAt, result, policy);
        this.#flight.delete(entry.seq);
        this.#queue.turns.release(entry);
      } catch (thrown) {
        this.#interrupt(entry, thrown);
      }
    }
  }

  /** The call was never made, so the message waits as before; the run claims no more, and the next one goes on. */
  #putBack(entry: InFlight): void {
    const { calls, clock } = this.#deps;
    calls.exhaust();
    this.#flight.delete(entry.seq);
    const cursor = Math.min(this.cursor, entry.seq - 1);
    this.#reopenQueue(cursor);
    // A crash must not find it in flight.
    const flight = [...this.#flight.values()];
    this.#log.write({ at: clock(), cursor, tokens: this.#pace.tokens, flight });
  }

  /** A bug, or a full disk. The message must not stay in flight for ever: it goes on as if the object had stopped. */
  #interrupt(entry: InFlight, thrown: unknown): void {
    this.#interrupted = [...this.#interrupted, entry];
    this.#flight.delete(entry.seq);
    this.#fault ??= new Error('an attempt could not be made or recorded', { cause: thrown });
  }

  /** Lets the alarm log what a call threw, and come back later. */
  #throwFault(): void {
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) throw fault;
  }

  #record(seq: number, at: number, result: AttemptResult, policy: AccountPolicy): void {
    const { sql, meta, clock, random } = this.#deps;
    const now = clock();
    const row = this.#row(seq);
    const attempts = parseAttempts(row.attempts);
    const onUncertain = row.on_uncertain === 'hold' ? 'hold' : 'retry';
    const forbidden = forbiddenSoFar(attempts);
    const areOthersSent =
      result.outcome === 'forbidden' && forbidden !== null && isOtherSent(sql, forbidden.since);
    const decision = decide(
      {
        tries: row.tries,
        refusals: row.refusals,
        onUncertain,
        forbidden: forbidden?.count ?? 0,
        areOthersSent,
      },
      result,
      policy,
      now,
      random(),
    );
    const attempt: Attempt = {
      n: nextAttempt(attempts),
      at,
      duration_ms: result.duration_ms,
      outcome: result.outcome,
      ...(result.outcome !== 'sent' && { detail: result.detail }),
      ...(result.http_status !== undefined && { http_status: result.http_status }),
      // A gateway may repeat the message in its answer.
      ...(result.response !== undefined && row.forget === 0 && { response: result.response }),
    };
    sql.exec(
      `UPDATE messages SET state = ?, reason = ?, next_at = ?, tries = ?, refusals = ?, attempts = ?, sent_at = ?,
         params = CASE WHEN forget = 1 AND ? THEN '${FORGOTTEN}' ELSE params END WHERE seq = ?`,
      decision.state,
      decision.reason,
      decision.nextAt,
      decision.tries,
      decision.refusals,
      attemptsText([...attempts, attempt]),
      decision.state === 'sent' ? now : null,
      decision.state === 'sent' ? 1 : 0,
      seq,
    );
    if (decision.nextAt !== null) this.#queue.dueAt(decision.nextAt);
    const latencyMs = decision.state === 'sent' ? Math.max(0, now - this.#acceptedAt(row)) : null;
    this.counters.attempt(row.source, attempt, decision.state, latencyMs);
    const before = { pause: meta.pause, circuit: meta.circuit };
    // An interruption says nothing of the gateway: a deploy must not open the circuit.
    if (result !== INTERRUPTED) meta.circuit = afterCall(meta.circuit, result, policy.circuit, now);
    if (result.outcome === 'unauthorized') meta.pause ??= { at: now, by: 'gateway', reason: result.detail };
    if (result.outcome === 'forbidden') this.#noteForbidden(seq, now);
    if (decision.state === 'sent') meta.forbidden = null;
    this.#deps.onRecorded({ before, row, attempt, decision, latencyMs });
  }

  #noteForbidden(seq: number, now: number): void {
    const { meta } = this.#deps;
    if (isAccountForbidden(meta.forbidden, seq))
      meta.pause ??= { at: now, by: 'gateway', reason: ACCOUNT_FORBIDDEN };
    meta.forbidden ??= seq;
  }

  /** When the webhook came in that the message is about; for one sent by hand, when it was queued (ms). */
  #acceptedAt(row: MessageRow): number {
    const event = this.#deps.sql
      .exec<{ received_at: number }>('SELECT received_at FROM events WHERE id = ?', row.event_id)
      .toArray()[0];
    return event?.received_at ?? row.created_at;
  }

  /** Calls that were under way when the object stopped: nobody knows whether they arrived. */
  #settleInterrupted(policy: AccountPolicy): void {
    for (const entry of this.#interrupted) {
      if (this.#isUnrecorded(entry)) this.#record(entry.seq, entry.at, INTERRUPTED, policy);
      this.#queue.turns.release(entry);
    }
    this.#interrupted = [];
  }

  /** Whether an attempt of the last claim has no record: its call was under way when the object stopped. */
  #isUnrecorded({ seq, n }: InFlight): boolean {
    const row = this.#deps.sql
      .exec<{ attempts: string }>('SELECT attempts FROM messages WHERE seq = ?', seq)
      .toArray()[0];
    return row !== undefined && nextAttempt(parseAttempts(row.attempts)) <= n;
  }

  /** While calls are under way: waits until one is done, more is accepted, or a moment comes to look again. */
  async #untilNextTurn(policy: AccountPolicy): Promise<void> {
    const { clock, sleep } = this.#deps;
    const now = clock();
    const at = this.#nextTurnAt(policy, now);
    const alarmClock = new AbortController();
    await this.#signal.wait(at === null ? null : sleep(at - now, alarmClock.signal));
    // A timer left behind would keep the object in memory, and billed, until it rings.
    alarmClock.abort();
  }

  /** What may be sent now and was not chosen waits for a call to end; of the rest, this is the first moment (ms). */
  #nextTurnAt(policy: AccountPolicy, now: number): number | null {
    const { meta, obstacle } = this.#deps;
    const isFull = this.#flight.size > 0 && this.#flight.size >= this.#connections(now);
    if (isFull || !this.#mayCall() || meta.pause !== null || obstacle() !== null) return null;
    const opensAt = this.opensAt(policy, now);
    return opensAt > now ? opensAt : this.#queue.nextAt(now);
  }

  /** When pace and circuit allow the next call: `now` means at once. */
  opensAt(policy: AccountPolicy, now: number): number {
    return Math.max(now, this.#pace.nextSendAt(policy.rate, now), this.#deps.meta.circuit.probeAt ?? now);
  }

  #row(seq: number): MessageRow {
    return this.#deps.sql.exec<MessageRow>('SELECT * FROM messages WHERE seq = ?', seq).one();
  }
}

/** Attempts are numbered from 1; the number goes on when the oldest are not kept any more. */
const nextAttempt = (attempts: readonly Attempt[]): number => (attempts.at(-1)?.n ?? 0) + 1;

/** The attempts in a message's row, oldest first. */
export const parseAttempts = (json: string): readonly Attempt[] => parseOwnJson<readonly Attempt[]>(json);
