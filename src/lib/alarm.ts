/** When an alarm starts an object, its handler is called well within this time after the constructor (ms). */
export const ALARM_COMES_MS = 100;

/**
 * The one alarm of a Durable Object, and when it is due. Each `setAlarm` costs a row written, so it is called only for
 * a change. It is not awaited: the write is part of the surrounding commit, and the platform's output gate waits for
 * that.
 */
export class Alarm {
  readonly #storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>;
  #at: number | null = null;
  #isRunning = false;

  constructor(storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>) {
    this.#storage = storage;
  }

  /** When it is due (ms); null when none is pending, or it is running. */
  get at(): number | null {
    return this.#at;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Reads the alarm from the platform, which gives it up after a few failures. */
  async read(): Promise<void> {
    const at = await this.#storage.getAlarm();
    if (!this.#isRunning) this.#at = at;
  }

  /** The alarm has started; until {@link end} it is running. */
  begin(): void {
    this.#at = null;
    this.#isRunning = true;
  }

  end(): void {
    this.#isRunning = false;
  }

  /** Sets the alarm for this time (ms), unless it is set for an earlier one; null: leaves it as it is. */
  bringForward(at: number | null): void {
    if (at !== null && (this.#at === null || this.#at > at)) this.set(at);
  }

  /** Sets the alarm for this time (ms), even if that is later. */
  set(at: number): void {
    if (this.#at === at) return;
    this.#at = at;
    void this.#storage.setAlarm(at);
  }
}
