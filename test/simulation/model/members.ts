interface Span {
  readonly from: number;
  until: number;
}

export class Members {
  readonly #inForceBy: (from: number) => number;
  readonly #spans = new Map<string, Span[]>();
  readonly #turns = new Map<string, number>();

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

  /** The list has changed: by its new order, this one has had the turn since then (ms), whoever had it by the old one. */
  hasTurn(phone: string, since: number): void {
    this.#turns.set(phone, Math.max(since, this.#turns.get(phone) ?? -Infinity));
  }

  /** The time when its turn began, by any order that was in force (ms). -Infinity if it always had it. */
  turnBeganAt(phone: string): number {
    return Math.max(this.joinedAt(phone), this.#turns.get(phone) ?? -Infinity);
  }

  /** The same, by the order of which it began first: whoever was notified since then has been notified in that turn. */
  turnMayHaveBegunAt(phone: string): number {
    return Math.min(this.joinedAt(phone), this.#turns.get(phone) ?? Infinity);
  }

  hasAnyJoinedSince(at: number): boolean {
    return [...this.phones].some((phone) => this.#of(phone).some(({ from }) => from >= at));
  }

  /** All that ever were. */
  get phones(): Iterable<string> {
    return this.#spans.keys();
  }

  /** True if the phone may be notified then as one of the list. */
  has(phone: string, at: number): boolean {
    return this.#of(phone).some(({ from, until }) => at >= from && at <= this.#inForceBy(until));
  }

  /** The time when it joined last, if it is there (ms). -Infinity if it always was. */
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
