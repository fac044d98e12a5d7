import { SERIES_METRICS } from '../../src/outbox/counters/counters.ts';
import { expect } from 'vitest';
import type { AccountPolicy } from '../../src/config/compiled/config.ts';
import type { AttemptResult, NoCall } from '../../src/gateway/client.ts';
import type { DraftMessage } from '../../src/outbox/state/acceptance.ts';
import { MAX_CALLS_PER_RUN } from '../../src/outbox/state/calls.ts';
import { createBase, type Base } from '../../src/outbox/base.ts';
import { Loop } from '../../src/outbox/loop.ts';
import { Messages } from '../../src/outbox/message.ts';
import type { RecordedAttempt } from '../../src/outbox/send/decide.ts';
import { Timing } from '../../src/outbox/send/timing.ts';
import type { MessageRow } from '../../src/outbox/state/message.ts';
import { ANSWERS, rowsFrom, START, UNPACED } from './support.ts';
import { bindings } from '../bindings.ts';

/** A call that the gateway has not answered yet. */
interface Call {
  readonly seq: number;
  readonly phone: string | null;
  readonly at: number;
  readonly timeoutMs: number;
  answer(result: AttemptResult | NoCall): Promise<void>;
  /** The bug that a call must not have. */
  fail(error: Error): Promise<void>;
}

interface Accepted {
  readonly source: string;
  readonly drafts: readonly DraftMessage[];
}

/** Lets everything run on that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

/**
 * A dispatch on real storage, with hands on all that is outside: a clock that stands still, a gateway that answers
 * when asked, and an alarm that runs when its time has come, as the object's own would.
 */
export class Bench {
  now = START;
  policy: AccountPolicy = UNPACED;
  blockedReason: string | null = null;
  onWritten: (row: MessageRow) => void = () => undefined;
  random = 0.5;
  /** Every call that was ever made, and those without an answer. */
  readonly made: Call[] = [];
  open: Call[] = [];
  readonly recorded: RecordedAttempt[] = [];
  readonly putBack: number[] = [];
  review: (row: MessageRow) => MessageRow | null = (row) => row;
  onNotify: () => void = () => undefined;
  onCall: (seq: number) => void = () => undefined;
  onEnd: () => void = () => undefined;
  /** Resolves when a commit is on disk. */
  flushed: () => Promise<void> = () => Promise.resolve();
  readonly faults: number[] = [];
  thrown: unknown = null;
  base: Base;
  timing: Timing;
  loop: Loop<Accepted, readonly number[]>;
  readonly #callsPerRun: number;
  readonly #storage: DurableObjectStorage;
  #timers: { readonly at: number; readonly ring: () => void }[] = [];

  constructor(
    storage: DurableObjectStorage,
    over: Partial<AccountPolicy> = {},
    callsPerRun = MAX_CALLS_PER_RUN,
  ) {
    this.#callsPerRun = callsPerRun;
    this.#storage = storage;
    this.policy = { ...UNPACED, ...over };
    ({ base: this.base, timing: this.timing, loop: this.loop } = this.#open());
  }

  get meta(): Base['meta'] {
    return this.base.meta;
  }

  get claims(): Base['claims'] {
    return this.base.claims;
  }

  get calls(): Base['calls'] {
    return this.base.calls;
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** The messages whose calls are under way, in the order of the calls; below, of all calls that were ever made. */
  get calling(): readonly number[] {
    return this.open.map(({ seq }) => seq);
  }

  get called(): readonly number[] {
    return this.made.map(({ seq }) => seq);
  }

  /** The time of the next run that is needed; null if none is. */
  get nextRun(): number | null {
    return this.timing.nextRunAt(this.policy);
  }

  accept(...drafts: readonly DraftMessage[]): Promise<readonly number[]> {
    return this.acceptFrom('shop', ...drafts);
  }

  async acceptFrom(source: string, ...drafts: readonly DraftMessage[]): Promise<readonly number[]> {
    const accepted = this.loop.accept({ source, drafts });
    await settle();
    return accepted;
  }

  /** Wakes the loop, as the object does when there is more to send. */
  async wake(): Promise<void> {
    this.claims.queue.changed(this.now);
    if (this.loop.running) this.loop.wake();
    else this.start();
    await settle();
  }

  /** As the object does; see `intake.ts`. */
  #accept({ source, drafts }: Accepted): readonly number[] {
    const rows = rowsFrom(source, this.#storage.sql, this.now, ...drafts);
    const seqs = rows.map(({ seq }) => seq);
    const { counters, queue } = this.claims;
    counters.queued(source, seqs.length, this.now);
    queue.accepted(rows.map((row) => ({ row, receivedAt: this.now })));
    return seqs;
  }

  start(): void {
    this.calls.begin();
    this.thrown = null;
    void this.loop.run().catch((thrown: unknown) => {
      this.thrown = thrown;
    });
  }

  /** Moves the clock, rings what is due on the way, and runs the alarm when nothing runs. */
  async pass(ms: number): Promise<void> {
    this.now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { ring } of due) ring();
    await settle();
    const next = this.nextRun;
    if (!this.loop.running && next !== null && next <= this.now) this.start();
    await settle();
  }

  /** Moves the clock to when a run is needed next, and says whether one is. */
  async passToNextRun(): Promise<boolean> {
    const next = this.nextRun;
    if (next !== null) await this.pass(Math.max(0, next - this.now));
    return next !== null;
  }

  /** The call under way for this message. */
  call(seq: number): Call {
    const call = this.open.find((one) => one.seq === seq);
    if (call === undefined) throw new Error(`no call is under way for message ${seq}`);
    return call;
  }

  answer = (seq: number, outcome: keyof typeof ANSWERS): Promise<void> =>
    this.call(seq).answer(ANSWERS[outcome]);

  /** Answers each call as it comes until none is open, and says whose they were. */
  async answerAll(): Promise<readonly (string | null)[]> {
    const phones: (string | null)[] = [];
    for (let [call] = this.open; call !== undefined; [call] = this.open) {
      phones.push(call.phone);
      await this.answer(call.seq, 'sent');
    }
    return phones;
  }

  /** The object is gone, with its calls and timers, and another one opens the same storage and counts on. */
  restart(): void {
    this.open = [];
    this.#timers = [];
    const totals = this.claims.totals();
    const series = this.#series();
    ({ base: this.base, timing: this.timing, loop: this.loop } = this.#open());
    expect(this.claims.counters.totals).toEqual(totals);
    expect(this.#series()).toEqual(series);
  }

  /** The counts by time, of each metric. */
  #series(): unknown {
    const { series } = this.claims;
    return SERIES_METRICS.map((metric) =>
      series.read(metric, undefined, 0, 10 ** 14).toSorted((one, other) => one.at - other.at),
    );
  }

  /** The object deletes all that is finished, but the newest message, as it does with what is old. */
  sweep(): void {
    const { claims } = this;
    const { flight } = claims;
    this.#storage.sql.exec(
      `DELETE FROM messages WHERE state NOT IN ('queued', 'retrying', 'uncertain')
         AND seq < (SELECT max(seq) FROM messages) AND seq NOT IN (${flight.seqs().join() || 0})`,
    );
  }

  #open(): { readonly base: Base; readonly timing: Timing; readonly loop: Bench['loop'] } {
    const ctx = {
      storage: this.#storage,
      id: { name: 'bench', equals: () => false },
      waitUntil: () => undefined,
    };
    const base = createBase(
      ctx,
      bindings({ CALLS_PER_RUN: String(this.#callsPerRun) }),
      () => this.now,
      () => this.random,
    );
    Object.assign(base.owner, { recorded: (one: RecordedAttempt) => this.recorded.push(one) });
    const { calls, meta, claims, clock } = base;
    const timing = new Timing({ meta, claims, calls, blockedReason: () => this.blockedReason, clock });
    return { base, timing, loop: this.#openLoop(base, timing) };
  }

  #openLoop(base: Base, timing: Timing): Bench['loop'] {
    const { calls, claims, clock } = base;
    const messages = new Messages(base);
    messages.tell({
      fellBack: () => undefined,
      handedOn: () => undefined,
      record: (row) => this.onWritten(row),
    });
    return new Loop({
      messages,
      claims,
      timing,
      calls,
      alarm: { isRunning: false, bringForward: () => undefined },
      policy: () => Promise.resolve(this.policy),
      policyNow: () => this.policy,
      isAsked: () => false,
      call: (row, { timeoutMs }) => this.#call(row, timeoutMs),
      begin: () => undefined,
      accept: (group) => group.map((one) => this.#accept(one)),
      notify: () => this.onNotify(),
      review: (row) => this.review(row),
      onFault: ({ seq }) => this.faults.push(seq),
      onPutBack: (row) => this.putBack.push(row.seq),
      isSuppressed: () => false,
      end: (row, end) => messages.end(row, end),
      onClaimed: () => undefined,
      onWritten: () => this.onEnd(),
      wakeIfStopped: () => undefined,
      onChanged: () => undefined,
      onRunEnded: () => undefined,
      onRunFailed: (thrown) => (this.thrown = thrown),
      group: { flushed: () => this.flushed(), sizeOf: () => 1, refused: () => [] },
      clock,
      sleep: (ms, signal) => this.#sleep(ms, signal),
    });
  }

  #call({ seq, phone }: MessageRow, timeoutMs: number): Promise<AttemptResult | NoCall> {
    const { promise, resolve, reject } = Promise.withResolvers<AttemptResult | NoCall>();
    const end = async (how: () => void): Promise<void> => {
      this.open = this.open.filter((one) => one !== call);
      how();
      await settle();
    };
    const call: Call = {
      seq,
      phone,
      at: this.now,
      timeoutMs,
      answer: (result) => end(() => resolve(result)),
      fail: (error) => end(() => reject(error)),
    };
    this.made.push(call);
    this.open.push(call);
    this.onCall(seq);
    return promise;
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = { at: this.now + ms, ring: resolve };
    this.#timers.push(timer);
    signal.addEventListener('abort', () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
      resolve();
    });
    return promise;
  }
}
