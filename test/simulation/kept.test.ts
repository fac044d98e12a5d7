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

/** True if a seed draws an option that today's format did not have when its kept seeds were found. */
const isNewSince = (seed: string): boolean => {
  const { worsens, maxAge, fallbacks } = plan(seed);
  return worsens || maxAge !== null || fallbacks !== null;
};

/** True if a seed draws an option that the format before today's did not have. */
const isNew = (seed: string): boolean => {
  const { escalation, opting } = plan(seed);
  return escalation !== null || opting !== null || isNewSince(seed);
};

describe('the seeds that are kept', () => {
  it('are of today’s format, and each is there once', () => {
    expect(new Set(KEPT.map(seedNumber)).size).toBe(KEPT.length);
    expect(KEPT.filter((seed) => !seed.startsWith(`${FORMAT}-`))).toEqual([]);
  });

  it('are as many as the page says, and as many of them draw nothing that is new', () => {
    const ofToday = KEPT.filter((seed) => !OF_OLDER_FORMATS.includes(seed));
    const today = ofToday.filter(isNewSince).length;
    const older = OF_OLDER_FORMATS.filter(isNew).length;
    const text = PAGE.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`today it is ${FORMAT}`);
    expect(text).toContain(
      `Found in today's format:** ${ofToday.length} seeds. ${ofToday.length - today} of them draw no option that was added later`,
    );
    expect(text).toContain(`The other ${today} are new days, as good as any other number.`);
    expect(text).toContain(
      `Found in an older format:** ${OF_OLDER_FORMATS.length} seeds, under today's format. ${OF_OLDER_FORMATS.length - older} of them draw neither`,
    );
    expect(text).toContain(`The other ${older} are new days.`);
  });
});
