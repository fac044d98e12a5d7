import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEPT, OF_OLDER_FORMATS } from './kept.ts';
import { SeededRandom } from './platform/random.ts';
import { planOf, type Plan } from './world/plan.ts';
import { FORMAT, seedNumber } from './run/seed-text.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/guarantees/simulation.md'), 'utf8');

/** As the world draws it. */
const plan = (seed: string): Plan =>
  planOf(new SeededRandom(`seed ${seedNumber(seed)}`).fork('world').fork('plan'));

/** True if a seed draws an option that the format before today's did not have. */
const isNew = (seed: string): boolean => {
  const { escalation, opting, worsens } = plan(seed);
  return escalation !== null || opting !== null || worsens;
};

const NUMBERS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

describe('the seeds that are kept', () => {
  it('are of today’s format, and each is there once', () => {
    expect(new Set(KEPT.map(seedNumber)).size).toBe(KEPT.length);
    expect(KEPT.filter((seed) => !seed.startsWith(`${FORMAT}-`))).toEqual([]);
  });

  it('are as many as the page says, and as many of older formats draw nothing that is new', () => {
    const changed = OF_OLDER_FORMATS.filter(isNew).length;
    const same = OF_OLDER_FORMATS.length - changed;
    expect(PAGE).toContain(`today it is ${FORMAT}`);
    expect(PAGE).toContain(`Found in today's format:** ${KEPT.length - OF_OLDER_FORMATS.length} seeds.`);
    const text = PAGE.replaceAll(/\s+/g, ' ');
    expect(text.toLowerCase()).toContain(
      `found in an older format:** ${OF_OLDER_FORMATS.length} seeds, under today's format. ${NUMBERS[same]} of them draw none`,
    );
    expect(text).toContain(`The other ${NUMBERS[changed]} are new days`);
  });
});
