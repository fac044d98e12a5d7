interface Span {
  readonly from: number;
  until: number;
}

/** Who is on a list, and when. */
export class Members {
  readonly #inForceBy: (from: number) => number;
  readonly #spans = new Map<string, Span[]>();

  /** `inForceBy`: when a change of the list that was made then is in force everywhere. */
  constructor(inForceBy: (from: number) => number) {
    this.#inForceBy = inForceBy;
  }

  joined(phone: string, at: number): void {
    const spans = this.#spans.get(phone) ?? [];
    this.#spans.set(phone, spans);
    spans.push({ from: at, until: Infinity });
  }

  left(phone: string, at: number): void {
    const last = this.#spans.get(phone)?.at(-1);
    if (last !== undefined) last.until = at;
  }

  /** All that ever were. */
  get phones(): Iterable<string> {
    return this.#spans.keys();
  }

  /** Whether it may be notified as one of the list then. */
  has(phone: string, at: number): boolean {
    return this.#of(phone).some(({ from, until }) => at >= from && at <= this.#inForceBy(until));
  }

  /** When it joined last, if it is there (ms); -Infinity: it always was. */
  joinedAt(phone: string): number {
    return this.#of(phone).at(-1)?.from ?? Infinity;
  }

  hasLeft(phone: string, at: number): boolean {
    return (this.#of(phone).at(-1)?.until ?? Infinity) <= at;
  }

  /** It left, and may be back. */
  everLeft(phone: string): boolean {
    return this.#of(phone).some(({ until }) => until < Infinity);
  }

  /** It never joined or left. */
  isSteady(phone: string): boolean {
    return !this.everLeft(phone) && this.#of(phone).every(({ from }) => from === -Infinity);
  }

  get hasAnyLeft(): boolean {
    return [...this.phones].some((phone) => this.everLeft(phone));
  }

  #of(phone: string): readonly Span[] {
    return this.#spans.get(phone) ?? [];
  }
}
