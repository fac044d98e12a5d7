import type { ContestantName } from './contestants.ts';
import { median, type Measured } from './measure.ts';

/** All rounds' runs, in the order measured. */
export class Results {
  readonly #runs = new Map<string, Measured[]>();

  add(name: ContestantName, load: LoadName, measured: Measured): void {
    const key = `${name}/${load}`;
    this.#runs.set(key, [...(this.#runs.get(key) ?? []), measured]);
  }

  /** The number of rounds. */
  get rounds(): number {
    return Math.max(0, ...[...this.#runs.values()].map((runs) => runs.length));
  }

  /** One figure of each round; empty: it was not measured, or has no such figure. */
  each(name: ContestantName, load: LoadName, figure: Figure): readonly number[] {
    return (this.#runs.get(`${name}/${load}`) ?? []).flatMap((run) => run[figure] ?? []);
  }

  /** The median of the rounds' ratios: whatever else the machine did in a round met both. */
  ratio(of: ContestantName, to: ContestantName, load: LoadName, figure: Figure): Spread | null {
    const [above, below] = [this.each(of, load, figure), this.each(to, load, figure)];
    return spread(above.flatMap((value, round) => value / (below[round] ?? Number.NaN)));
  }
}

/** A number of connections; or one event at a time, each delivered before the next is sent. */
export type LoadName = number | 'alone';
export type Figure = keyof Measured;

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export const spread = (values: readonly number[]): Spread | null =>
  values.length === 0 || values.some((value) => Number.isNaN(value))
    ? null
    : { median: median(values), min: Math.min(...values), max: Math.max(...values) };

/** A figure as the tables have it. */
export const number = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : value >= 10
      ? value.toFixed(1)
      : value.toFixed(2);
