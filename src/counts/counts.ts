/**
 * Sums by kind and labels, separated by spaces, such as `event shop routed`. Plain data: it is stored in a row, and is
 * part of RPCs.
 */
export type Totals = Readonly<Record<string, number>>;

/** The kind that keeps the newest time (ms) in place of a sum. */
export const LAST = 'last';

/** The kinds whose first label is a source, or stands for several. */
export const OF_SOURCES = ['event', 'duplicate', 'message'] as const;

/** The kinds of sums, each with its labels. */
export type CountPath =
  | readonly ['event' | 'message', source: string, state: string]
  | readonly ['duplicate' | typeof LAST, source: string]
  | readonly ['rejection', source: string, reason: string]
  | readonly ['attempt', outcome: string]
  | readonly ['took', outcome: string, bucket: string]
  | readonly ['latency', bucket: string]
  | readonly ['escape', outcome: 'taken' | 'failed']
  | readonly ['digest'];

/** Sums that only grow. No name of a source, account or outcome contains a space. */
export class Counts {
  readonly #sums: Map<string, number>;

  constructor(totals: Totals = {}) {
    this.#sums = new Map(Object.entries(totals));
  }

  add(amount: number, ...path: CountPath): void {
    const key = path.join(' ');
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount);
  }

  /** The number of different sums. */
  get size(): number {
    return this.#sums.size;
  }

  get(...path: CountPath): number {
    return this.#sums.get(path.join(' ')) ?? 0;
  }

  /** Returns all sums of a kind, each with its labels. */
  of(kind: CountPath[0]): readonly (readonly [labels: readonly string[], sum: number])[] {
    return [...this.#sums].flatMap(([key, sum]) => {
      const [first, ...labels] = key.split(' ');
      return first === kind ? [[labels, sum] as const] : [];
    });
  }

  toJSON(): Totals {
    return Object.fromEntries(this.#sums);
  }
}

/** Makes a count for each of the labels. */
export const byLabel = <Label extends string>(
  labels: readonly Label[],
  count: (label: Label) => number,
): Record<Label, number> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has a property for each label.
  Object.fromEntries(labels.map((label) => [label, count(label)])) as Record<Label, number>;
