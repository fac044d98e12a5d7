/**
 * The maximum number of rows that one page reads: a rare filter over millions of rows is answered in several pages,
 * not in one long block.
 */
export const MAX_SCAN = 20_000;

/** Conditions joined by AND, with their bound values; a condition without a value is left out. */
export class Where {
  readonly #conditions: string[] = [];
  readonly values: (string | number)[] = [];

  add(condition: string, value: string | number | undefined): this {
    if (value === undefined) return this;
    this.#conditions.push(condition);
    this.values.push(value);
    return this;
  }

  /** For conditions that this code wrote. */
  addRaw(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  get clause(): string {
    return this.#conditions.length === 0 ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}
