import { expect, it } from 'vitest';
import { readOptions } from './options.ts';
import { FORMAT, seedNumber, seedText, UsageError } from './seed-text.ts';

it('the options of a simulation are a hundred seeds of a day, unless others are given', () => {
  expect(readOptions([], {})).toMatchObject({ seeds: 100, first: 1, hours: 24, seed: null, minutes: null });
  expect(readOptions(['--seed', seedText(7), '--hours', '0.5'], { SIMULATE_MINUTES: '30' })).toMatchObject({
    seed: 7,
    hours: 0.5,
    minutes: 30,
  });
});

it('an option that is not as it should be, or a seed of another format, is refused', () => {
  for (const args of [['--seeds', '0'], ['--hours=-1'], ['--jobs', '1.5'], ['--seed', 'x'], ['--seedz', '5']])
    expect(() => readOptions(args, {}), args.join(' ')).toThrow(UsageError);
  expect(() => readOptions([], { SIMULATE_MINUTES: 'long' })).toThrow(UsageError);
  expect([seedNumber('8231'), seedNumber(seedText(8231))]).toEqual([8231, 8231]);
  expect(() => seedNumber(`${FORMAT + 1}-8231`)).toThrow(UsageError);
});
