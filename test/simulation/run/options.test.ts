import { describe, expect, it } from 'vitest';
import { readOptions } from './options.ts';
import { FORMAT, seedNumber, seedText, UsageError } from './seed-text.ts';

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof UsageError) return thrown.message;
    throw thrown;
  }
  throw new Error('it was taken');
};

describe('the options of a simulation', () => {
  it('are a hundred seeds of a day, unless others are given', () => {
    expect(readOptions([], {})).toMatchObject({ seeds: 100, first: 1, hours: 24, seed: null, minutes: null });
    expect(readOptions(['--seeds', '1000', '--hours', '0.5'], {})).toMatchObject({ seeds: 1000, hours: 0.5 });
    expect(readOptions([], { SIMULATE_MINUTES: '30' })).toMatchObject({ minutes: 30 });
    expect(readOptions(['--seed', seedText(7), '--trace'], {})).toMatchObject({ seed: 7, isTrace: true });
  });

  it.each([
    [['--seeds', 'many'], '--seeds takes a whole number from 1 to 1000000000, not `many`'],
    [['--seeds', '0'], '--seeds takes a whole number from 1 to 1000000000, not `0`'],
    [['--hours=-1'], '--hours takes a number above 0, not `-1`'],
    [['--hours', '1e3'], '--hours takes a number above 0, not `1e3`'],
    [['--jobs', '1.5'], '--jobs takes a whole number from 1 to 64, not `1.5`'],
    [['--seed', 'x'], `\`x\` is no seed; a seed looks like ${FORMAT}-8231`],
  ])('%j are refused in one line', (args, message) => {
    expect(refusal(() => readOptions(args, {}))).toBe(message);
  });

  it('that do not exist are refused with those that do', () => {
    expect(refusal(() => readOptions(['--seedz', '5'], {}))).toMatch(
      /^Unknown option '--seedz'; there are --seeds, --first, .*--go-on$/,
    );
  });

  it('may be a variable, which is read as strictly', () => {
    expect(refusal(() => readOptions([], { SIMULATE_MINUTES: 'long' }))).toBe(
      'SIMULATE_MINUTES takes a number above 0, not `long`',
    );
  });
});

describe('a seed', () => {
  it('says its format, and is taken with or without it', () => {
    expect([seedNumber('8231'), seedNumber(seedText(8231))]).toEqual([8231, 8231]);
  });

  it('of another format would be another run, and is refused', () => {
    expect(refusal(() => seedNumber(`${FORMAT + 1}-8231`))).toBe(
      `the seed ${FORMAT + 1}-8231 is of format ${FORMAT + 1}, and the simulation is of format ${FORMAT} now: it would give another run`,
    );
  });
});
