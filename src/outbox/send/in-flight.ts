import * as z from 'zod/mini';

/** A message in flight: its number, the attempt's number, when it was claimed (ms), and its receiver. */
export interface InFlight {
  readonly seq: number;
  readonly n: number;
  readonly at: number;
  readonly phone: string | null;
}

/** As it is written in rows. */
export const inFlightSchema = z.array(z.tuple([z.number(), z.number(), z.number(), z.nullable(z.string())]));

type Written = z.infer<typeof inFlightSchema>;

export const written = (entries: readonly InFlight[]): Written =>
  entries.map(({ seq, n, at, phone }) => [seq, n, at, phone]);

export const readWritten = (entries: Written): readonly InFlight[] =>
  entries.map(([seq, n, at, phone]) => ({ seq, n, at, phone }));

export const isSame = (one: InFlight, other: InFlight): boolean =>
  one.seq === other.seq && one.n === other.n && one.at === other.at;
