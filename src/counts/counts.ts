/**
 * Sums by kind and labels, separated by spaces, such as `event shop routed`. Plain data: it is stored in a row, and is
 * part of RPCs.
 */
export type Totals = Readonly<Record<string, number>>;

/** The kind that keeps the newest time (ms) in place of a sum. */
export const LAST = 'last';

/** Sums that only grow. No name of a source, account or outcome contains a space. */
export class Counts {
  readonly #sums: Map<string, number>;

  constructor(totals: Totals = {}) {
    this.#sums = new Map(Object.entries(totals));
  }

  add(amount: number, ...path: readonly string[]): void {
    const key = path.join(' ');
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount);
  }

  /** Keeps the newest time for these labels. */
  last(at: number, ...labels: readonly string[]): void {
    const key = [LAST, ...labels].join(' ');
    this.#sums.set(key, Math.max(this.#sums.get(key) ?? 0, at));
  }

  /** The number of different sums. */
  get size(): number {
    return this.#sums.size;
  }

  get(...path: readonly string[]): number {
    return this.#sums.get(path.join(' ')) ?? 0;
  }

  /** Returns all sums of a kind, each with its labels. */
  of(kind: string): readonly (readonly [labels: readonly string[], sum: number])[] {
    return [...this.#sums].flatMap(([key, sum]) => {
      const [first, ...labels] = key.split(' ');
      return first === kind ? [[labels, sum] as const] : [];
    });
  }

  /** Deletes the sums that do not match. */
  keepOnly(matches: (path: readonly string[]) => boolean): void {
    for (const key of this.#sums.keys()) if (!matches(key.split(' '))) this.#sums.delete(key);
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
