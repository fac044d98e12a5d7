import { expect, it } from 'vitest';
import { checkVerdict, coldSection, REFERENCE, type Cold } from './cold-tables.ts';
import { KINDS } from './cold-webhooks.ts';

const ABOUT = { rounds: 3, machine: 'one core', setKib: (sources: number) => sources };

/** An isolate for each kind and size; `first`: ms of the first kind with 50 sources. */
const colds = (first: number, start: number, speed = 1): readonly Cold[] =>
  [50, 1, 5, 500].flatMap((sources) =>
    KINDS.map((kind) => {
      const ms = kind === KINDS[0] && sources === 50 ? first : 8;
      return { kind, sources, first: ms * speed, next: 1, start, reference: REFERENCE.usual * speed };
    }),
  );

it('a first webhook may take 10 ms of CPU, 50 sources 5 ms more than one, and a start 100 ms', () => {
  const missed = (first: number, start: number): number => coldSection(colds(first, start), ABOUT).missed;
  expect([missed(10, 100), missed(10.2, 100), missed(13.1, 100), missed(10, 101)]).toEqual([0, 1, 2, 1]);
  expect(coldSection([], ABOUT).missed).toBe(KINDS.length + 2);
});

it('a check is of ratios to a fixed piece of work: the speed of the machine is not in it', () => {
  for (const speed of [0.5, 1, 4])
    expect([24, 26].map((first) => checkVerdict(colds(first, 90, speed)).missed)).toEqual([0, 1]);
  expect(checkVerdict([]).missed).toBe(KINDS.length);
});
