/** A message in flight: its number, the attempt's number, when it was claimed (ms), and its receiver. */
export interface InFlight {
  readonly seq: number;
  readonly n: number;
  readonly at: number;
  readonly phone: string | null;
}

/** Messages in flight as rows have them, as JSON. */
export type Written = readonly (readonly [seq: number, n: number, at: number, phone: string | null])[];

export const written = (entries: readonly InFlight[]): Written =>
  entries.map(({ seq, n, at, phone }) => [seq, n, at, phone]);

export const readWritten = (entries: Written): readonly InFlight[] =>
  entries.map(([seq, n, at, phone]) => ({ seq, n, at, phone }));
