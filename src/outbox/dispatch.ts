import type { AccountPolicy } from '../config/config.ts';
import type { AttemptResult } from '../gateway/client.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import { Signal } from '../lib/signal.ts';
import { afterCall } from './circuit.ts';
import { chooseMessages } from './claim.ts';
import { decide } from './decide.ts';
import { DispatchLog, type InFlight } from './dispatch-log.ts';
import type { Attempt, MessageRow } from './message.ts';
import type { Standing } from './notice.ts';
import { FORGOTTEN } from './operate.ts';
import type { Meta } from './meta.ts';
import { Pace } from './pace.ts';

/** The platform opens no more than six connections at once for an object; a seventh call would only wait. */
export const MAX_IN_FLIGHT = 6;

/** An alarm may run for 15 minutes; a run stops claiming well before, and goes on in the next alarm. */
const MAX_RUN_MS = 10 * 60_000;

/** Missing credentials come with a deploy, which restarts the object anyway: a slow look is enough. */
const OBSTACLE_RECHECK_MS = 60_000;

/** An attempt that was just recorded, and how the account stood before it. */
export interface Recorded {
  readonly before: Standing;
  readonly result: AttemptResult;
  readonly isDead: boolean;
}

/** What a run needs of the outside. */
export interface DispatchDeps {
  readonly sql: SqlStorage;
  readonly meta: Meta;
  /** The account's policy as it is now; asked for at each turn, since a publish may change it. */
  readonly policy: () => Promise<AccountPolicy>;
  /** One HTTP call for the message; never throws. */
  readonly call: (message: MessageRow, timeoutMs: number) => Promise<AttemptResult>;
  /** Null when the account has its credentials; else what is missing, in words for its owner. */
  readonly obstacle: () => string | null;
  /** Told after each attempt, in the same commit. */
  readonly onRecorded: (recorded: Recorded) => void;
  readonly clock: () => number;
  readonly random: () => number;
  /** Resolves after so many ms. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Sends what is due: claims in order, calls the gateway, records each attempt, and says when to come back. */
export class Dispatch {
  readonly #deps: DispatchDeps;
  readonly #log: DispatchLog;
  readonly #pace: Pace;
  readonly #signal = new Signal();
  readonly #flight = new Map<number, InFlight>();
  #interrupted: readonly InFlight[];
  #cursor: number;
  #running = false;

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
    this.#log = new DispatchLog(deps.sql);
    const now = deps.clock();
    const { last, sends } = this.#log.read(now);
    this.#cursor = last?.cursor ?? 0;
    // A new outbox has its burst: the bucket is cut to its size at the first look.
    this.#pace = new Pace({ tokens: last?.tokens ?? Number.MAX_SAFE_INTEGER, at: last?.at ?? now, sends });
    this.#interrupted = (last?.flight ?? []).filter((entry) => this.#isUnrecorded(entry));
  }

  /** The number up to which no fresh message waits; a floor for new numbers even when the table is empty. */
  get cursor(): number {
    return this.#cursor;
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

  /** Tells a run under way that there is more to look at. */
  notify(): void {
    this.#signal.notify();
  }

  /** Sends until nothing can be sent now. Only one run at a time; the alarm sees to that. */
  async run(): Promise<void> {
    this.#running = true;
    try {
      const stopAt = this.#deps.clock() + MAX_RUN_MS;
      for (;;) {
        const policy = await this.#deps.policy();
        this.#settleInterrupted(policy);
        if (this.#deps.clock() < stopAt) this.#claim(policy);
        if (this.#flight.size === 0) return;
        await this.#signal.wait(this.#untilNextSend(policy));
      }
    } finally {
      this.#running = false;
    }
  }

  /** When a run is needed next (ms): now or earlier means at once, null that nothing waits. */
  nextRunAt(policy: AccountPolicy): number | null {
    const { meta, clock, obstacle } = this.#deps;
    const now = clock();
    if (this.#interrupted.length > 0) return now;
    const dueAt = meta.pause === null ? this.#earliestDue(now) : null;
    if (dueAt === null) return null;
    if (obstacle() !== null) return now + OBSTACLE_RECHECK_MS;
    return Math.ceil(Math.max(dueAt, this.#pace.nextSendAt(policy.rate, now), meta.circuit.probeAt ?? now));
  }

  /** What a run may send now, in the order of sending. The claim is one row, written before any call goes out. */
  #claim(policy: AccountPolicy): void {
    const { sql, clock, random } = this.#deps;
    const now = clock();
    const room = this.#room(policy, now);
    if (room <= 0) return;
    const inFlight = new Set(this.#flight.keys());
    const busyPhones = new Set(
      [...this.#flight.values()].flatMap(({ phone }) => (phone === null ? [] : [phone])),
    );
    const rules = { sql, policy, pace: this.#pace, now, cursor: this.#cursor, inFlight, busyPhones, room };
    const { chosen, cursor } = chooseMessages(rules);
    this.#cursor = cursor;
    if (chosen.length === 0) return;
    const rows = chosen.map(({ seq }) => this.#row(seq));
    for (const { seq, phone, attempts } of rows) {
      this.#flight.set(seq, { seq, n: parseAttempts(attempts).length + 1, at: now, phone });
      this.#pace.record({ at: now, phone }, policy.rate, random());
    }
    this.#log.write({ at: now, cursor, tokens: this.#pace.tokens, flight: [...this.#flight.values()] });
    for (const row of rows) void this.#send(row, policy);
  }

  /** How many calls may go out now. */
  #room(policy: AccountPolicy, now: number): number {
    const { meta, obstacle } = this.#deps;
    if (meta.pause !== null || obstacle() !== null) return 0;
    const { probeAt } = meta.circuit;
    const connections = probeAt === null ? MAX_IN_FLIGHT : now >= probeAt ? 1 : 0;
    return Math.min(connections - this.#flight.size, this.#pace.sendsAllowed(policy.rate, now));
  }

  async #send(row: MessageRow, policy: AccountPolicy): Promise<void> {
    const startedAt = this.#deps.clock();
    const result = await this.#deps.call(row, policy.timeoutMs);
    this.#record(row.seq, startedAt, result, policy);
    this.#flight.delete(row.seq);
    this.#signal.notify();
  }

  #record(seq: number, at: number, result: AttemptResult, policy: AccountPolicy): void {
    const { sql, meta, clock, random } = this.#deps;
    const now = clock();
    const row = this.#row(seq);
    const attempts = parseAttempts(row.attempts);
    const onUncertain = row.on_uncertain === 'hold' ? 'hold' : 'retry';
    const decision = decide(
      { tries: row.tries, refusals: row.refusals, onUncertain },
      result,
      policy,
      now,
      random(),
    );
    const attempt: Attempt = {
      n: attempts.length + 1,
      at,
      duration_ms: result.duration_ms,
      outcome: result.outcome,
      ...(result.outcome !== 'sent' && { detail: result.detail }),
      ...(result.http_status !== undefined && { http_status: result.http_status }),
      ...(result.response !== undefined && { response: result.response }),
    };
    sql.exec(
      `UPDATE messages SET state = ?, reason = ?, next_at = ?, tries = ?, refusals = ?, attempts = ?, sent_at = ?,
         params = CASE WHEN forget = 1 AND ? THEN '${FORGOTTEN}' ELSE params END WHERE seq = ?`,
      decision.state,
      decision.reason,
      decision.nextAt,
      decision.tries,
      decision.refusals,
      JSON.stringify([...attempts, attempt]),
      decision.state === 'sent' ? now : null,
      decision.state === 'sent' ? 1 : 0,
      seq,
    );
    const before = { pause: meta.pause, circuit: meta.circuit };
    meta.circuit = afterCall(meta.circuit, result, policy.circuit, now);
    if (result.outcome === 'unauthorized') meta.pause ??= { at: now, by: 'gateway', reason: result.detail };
    this.#deps.onRecorded({ before, result, isDead: decision.state === 'dead' });
  }

  /** Calls that were under way when the object stopped: nobody knows whether they arrived. */
  #settleInterrupted(policy: AccountPolicy): void {
    const result = {
      outcome: 'uncertain',
      detail: 'the relay stopped before the answer came',
      duration_ms: 0,
    } as const;
    for (const { seq, at } of this.#interrupted) this.#record(seq, at, result, policy);
    this.#interrupted = [];
  }

  /** Whether an attempt of the last claim has no record: its call was under way when the object stopped. */
  #isUnrecorded({ seq, n }: InFlight): boolean {
    const row = this.#deps.sql
      .exec<{ attempts: string }>('SELECT attempts FROM messages WHERE seq = ?', seq)
      .toArray()[0];
    return row !== undefined && parseAttempts(row.attempts).length < n;
  }

  /** While calls are under way: the wait for the pace's next send, if it alone holds one back. */
  #untilNextSend(policy: AccountPolicy): Promise<void> | null {
    const { clock, sleep } = this.#deps;
    const now = clock();
    const at = this.nextRunAt(policy);
    return at !== null && at > now ? sleep(at - now) : null;
  }

  #earliestDue(now: number): number | null {
    const { sql } = this.#deps;
    const fresh = sql
      .exec(
        "SELECT 1 FROM messages WHERE seq > ? AND state = 'queued' AND next_at IS NULL LIMIT 1",
        this.#cursor,
      )
      .toArray();
    if (fresh.length > 0) return now;
    const nexts = [0, 1].flatMap((priority) =>
      sql
        .exec<{ next_at: number }>(
          'SELECT next_at FROM messages WHERE next_at IS NOT NULL AND priority = ? ORDER BY next_at LIMIT 1',
          priority,
        )
        .toArray(),
    );
    return nexts.length === 0 ? null : Math.min(...nexts.map(({ next_at }) => next_at));
  }

  #row(seq: number): MessageRow {
    return this.#deps.sql.exec<MessageRow>('SELECT * FROM messages WHERE seq = ?', seq).one();
  }
}

/** The attempts in a message's row, oldest first. */
export const parseAttempts = (json: string): readonly Attempt[] => parseOwnJson<readonly Attempt[]>(json);
