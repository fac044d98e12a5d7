/** Hours of the day at a place; `from` may be later than `to`: over midnight. */
export interface Quiet {
  readonly from: number;
  readonly to: number;
  readonly timezone: string;
}

/** No quiet hours are shorter. */
const STEP_MS = 1_800_000;

export class QuietHours {
  readonly #quiet: Quiet | null;
  readonly #edgeMs: number;
  readonly #local: Intl.DateTimeFormat | null;

  /** `edgeMs`: what was sent just before the hours begin may arrive so late, and what is sent after them so early. */
  constructor(quiet: Quiet | null, edgeMs: number) {
    this.#quiet = quiet;
    this.#edgeMs = edgeMs;
    this.#local =
      quiet === null
        ? null
        : new Intl.DateTimeFormat('en', {
            timeZone: quiet.timezone,
            hour: 'numeric',
            minute: 'numeric',
            hourCycle: 'h23',
          });
  }

  has(at: number): boolean {
    return this.#isIn(at - this.#edgeMs) && this.#isIn(at + this.#edgeMs);
  }

  /** True if some of the time from `from` to `to` may be inside the quiet hours. */
  mayBe(from: number, to: number): boolean {
    for (let at = from; at < to + STEP_MS; at += STEP_MS) if (this.#isIn(Math.min(at, to))) return true;
    return false;
  }

  #isIn(at: number): boolean {
    if (this.#quiet === null) return false;
    const { from, to } = this.#quiet;
    const hour = this.#hourAt(at);
    return from < to ? hour >= from && hour < to : hour >= from || hour < to;
  }

  #hourAt(at: number): number {
    const parts = this.#local?.formatToParts(at) ?? [];
    const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
    return of('hour') + of('minute') / 60;
  }
}
