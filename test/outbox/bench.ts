import type { Reason } from '../../src/lib/reason.ts';
import { SERIES_METRICS } from '../../src/outbox/counters/counters.ts';
import { expect } from 'vitest';
import type { AccountPolicy } from '../../src/config/compiled/config.ts';
import type { AttemptResult, NoCall } from '../../src/gateway/client.ts';
import type { DraftMessage } from '../../src/outbox/state/acceptance.ts';
import { MAX_CALLS_PER_RUN } from '../../src/outbox/state/calls.ts';
import { createParts, type OutboxParts } from '../../src/outbox/parts.ts';
import type { RecordedAttempt } from '../../src/outbox/send/decide.ts';
import { messageSeq, type MessageRow } from '../../src/outbox/state/message.ts';
import { eventSample } from './samples.ts';
import { ANSWERS, START, UNPACED } from './support.ts';
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
  blockedReason: Reason | null = null;
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
  parts: OutboxParts;
  readonly #callsPerRun: number;
  readonly #storage: DurableObjectStorage;
  #timers: { readonly at: number; readonly ring: () => void }[] = [];
  readonly #work: Promise<unknown>[] = [];

  constructor(
    storage: DurableObjectStorage,
    over: Partial<AccountPolicy> = {},
    callsPerRun = MAX_CALLS_PER_RUN,
  ) {
    this.#callsPerRun = callsPerRun;
    this.#storage = storage;
    this.policy = { ...UNPACED, ...over };
    this.parts = this.#open();
  }

  get meta(): OutboxParts['meta'] {
    return this.parts.meta;
  }

  get claims(): OutboxParts['claims'] {
    return this.parts.claims;
  }

  get calls(): OutboxParts['calls'] {
    return this.parts.calls;
  }

  get timing(): OutboxParts['timing'] {
    return this.parts.timing;
  }

  get loop(): OutboxParts['loop'] {
    return this.parts.loop;
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
    const isOpen = source.startsWith('open');
    const event = eventSample(this.now, { source, isOpen });
    const accepted = this.loop.accept({ event, messages: drafts });
    await settle();
    return (await accepted).messages.map((id) => messageSeq(id, this.parts.tag) ?? 0);
  }

  /** Wakes the loop, as the object does when there is more to send. */
  async wake(): Promise<void> {
    this.claims.queue.changed(this.now);
    if (this.loop.running) this.loop.wake();
    else this.start();
    await settle();
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
    this.parts = this.#open();
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

  /** What goes on in the background is done. */
  async settled(): Promise<void> {
    while (this.#work.length > 0) await Promise.all(this.#work.splice(0));
  }

  #open(): OutboxParts {
    const storage = this.#storage;
    storage.sync = () => this.flushed();
    const waitUntil = (work: Promise<unknown>) => void this.#work.push(work);
    const ctx = { storage, id: { name: 'bench', equals: () => false }, waitUntil };
    const parts = createParts(ctx, bindings({ CALLS_PER_RUN: String(this.#callsPerRun) }), {
      clock: () => this.now,
      random: () => this.random,
      call: (row, { timeoutMs }) => this.#call(row, timeoutMs),
      sleep: (ms, signal) => this.#sleep(ms, signal),
    });
    const { alarm, config, incidents, loop, messages, owner } = parts;
    Object.assign(alarm, { bringForward: () => undefined });
    Object.assign(config, {
      policy: () => Promise.resolve(this.policy),
      policyNow: () => this.policy,
      blockedReason: () => this.blockedReason,
    });
    Object.assign(incidents, {
      load: () => undefined,
      isAnyWaiting: () => false,
      nextAt: () => null,
      notify: () => this.onNotify(),
      review: (row: MessageRow) => this.review(row),
      putBack: (row: MessageRow) => this.putBack.push(row.seq),
      record: (row: MessageRow) => this.onWritten(row),
    });
    Object.assign(loop, { armLost: () => this.onEnd(), failed: (thrown: unknown) => (this.thrown = thrown) });
    Object.assign(messages, { failed: ({ seq }: MessageRow) => this.faults.push(seq) });
    Object.assign(owner, { recorded: (one: RecordedAttempt) => this.recorded.push(one) });
    return parts;
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

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = { at: this.now + ms, ring: resolve };
    this.#timers.push(timer);
    signal?.addEventListener('abort', () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
      resolve();
    });
    return promise;
  }
}
