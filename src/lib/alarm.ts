import { MINUTE } from './time.ts';

/** The time after an object's constructor by which the alarm that started the object calls its handler (ms). */
export const ALARM_COMES_MS = 100;

/** An alarm of an object that runs may be late by this (ms). */
export const ALARM_LATE_MS = MINUTE;

const SKEW_HOLDS_MS = MINUTE;

/** The margin (ms). An alarm that comes a millisecond too early would come again and again. */
const MARGIN_MS = 50;

const MAX_SKEW_MS = 10 * MINUTE;

/**
 * The only alarm of a Durable Object, and its time. Each `setAlarm` costs a row written, so it is called only for a
 * change. It is called after the synchronous work around it, since a transaction that is undone would undo the alarm,
 * too. It is not awaited: the write is part of the same commit, and the platform's output gate waits for that.
 */
export class Alarm {
  readonly #storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>;
  readonly #clock: () => number;
  #at: number | null = null;
  /** The time that was requested from the platform (ms). */
  #set: number | null = null;
  /** The delay that is added to alarms, and the end of that (ms); null for no delay. */
  #later: { readonly by: number; readonly until: number } | null = null;
  #isRunning = false;

  constructor(storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>, clock: () => number) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** The time of the alarm (ms); null if none is pending, or while it runs. */
  get at(): number | null {
    return this.#at;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Reads the alarm from the platform, which drops it after a few failures. */
  async read(): Promise<void> {
    // One that was set just now reaches the platform first.
    await Promise.resolve();
    const at = await this.#storage.getAlarm();
    if (this.#isRunning || (at !== null && at === this.#set)) return;
    this.#at = at;
    this.#set = at;
  }

  /**
   * Notes that the alarm has started. It runs until {@link end}. `scheduledAt`: the time for which it was set, as the
   * platform reports it (ms). The platform's clock may be ahead of this machine's. Then nothing is due yet, and an
   * alarm for the same time would come at once, again and again until that time. So alarms are set later by that
   * difference for a while.
   */
  begin(scheduledAt?: number): void {
    this.#at = null;
    this.#set = null;
    this.#isRunning = true;
    const now = this.#clock();
    const skew = scheduledAt === undefined ? 0 : Math.ceil(scheduledAt - now);
    this.#later =
      skew > 0 && skew <= MAX_SKEW_MS ? { by: skew + MARGIN_MS, until: now + SKEW_HOLDS_MS } : null;
  }

  end(): void {
    this.#isRunning = false;
  }

  /**
   * Sets an alarm again that is overdue by more than this (ms) and has not come. After a crash, the platform may report
   * one that it has lost, and all later ones would wait behind it for ever.
   */
  renew(overdueMs: number): void {
    const now = this.#clock();
    if (!this.#isRunning && this.#at !== null && this.#at < now - overdueMs) this.set(now);
  }

  /** Sets the alarm for this time (ms), unless it is already set for an earlier one. Null changes nothing. */
  bringForward(at: number | null): void {
    if (at !== null && (this.#at === null || this.#at > at)) this.set(at);
  }

  /** Sets the alarm for this time (ms), even if that is later. */
  set(at: number): void {
    if (this.#at === at) return;
    const later = this.#later;
    const set = later !== null && this.#clock() < later.until ? at + later.by : at;
    this.#at = at;
    this.#set = set;
    queueMicrotask(() => void this.#storage.setAlarm(set));
  }
}
