/** An alarm that starts an object is called well within this after the constructor. */
export const ALARM_COMES_MS = 100;

/**
 * The one alarm of a Durable Object, and when it is pending. Each `setAlarm` is a row written, so nothing is written that
 * changes nothing. It is not awaited: the write is part of the surrounding commit, which the platform's output gate
 * waits for.
 */
export class Alarm {
  readonly #storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>;
  #at: number | null = null;
  #isRunning = false;

  constructor(storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm'>) {
    this.#storage = storage;
  }

  /** When it comes (ms); null when there is none, or it is running. */
  get at(): number | null {
    return this.#at;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Asks the platform, which gives an alarm up after a few failures. */
  async read(): Promise<void> {
    const at = await this.#storage.getAlarm();
    if (!this.#isRunning) this.#at = at;
  }

  /** The alarm has come; until {@link end} it is running. */
  begin(): void {
    this.#at = null;
    this.#isRunning = true;
  }

  end(): void {
    this.#isRunning = false;
  }

  /** Has it come at this moment (ms) or before; null: whenever it comes. */
  bringForward(at: number | null): void {
    if (at !== null && (this.#at === null || this.#at > at)) this.set(at);
  }

  /** Has it come at this moment (ms), even if that is later. */
  set(at: number): void {
    if (this.#at === at) return;
    this.#at = at;
    void this.#storage.setAlarm(at);
  }
}
