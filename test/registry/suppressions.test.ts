import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/lib/duration.ts';
import { StoredSuppressions } from '../../src/registry/suppressions.ts';
import { tables } from './tables.ts';

const NOW = Date.UTC(2100, 0, 1);
const row = (phone: string) => ({ phone, by: 'Anna', reason: 'x' });

it('the text of those who have opted out has each of them once, whoever comes and goes', () => {
  const step = fc.record({ phone: fc.constantFrom('49', '491', '4915', '15', '5'), isOut: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const stored = new StoredSuppressions(tables().sql);
      const out = new Set<string>();
      for (const { phone, isOut } of steps) {
        if (isOut && !out.has(phone)) expect(stored.add(row(phone), NOW)).toMatchObject({ phone });
        if (!isOut) expect(stored.remove(phone) !== null).toBe(out.has(phone));
        out[isOut ? 'add' : 'delete'](phone);
        const text: unknown = JSON.parse(stored.json() ?? '""');
        expect(text).toBe([...out].join('\n'));
      }
    }),
    { numRuns: 50 },
  );
});

it('a receiver opts in by a link twice in a day, and says from when they may again; others are not held up', () => {
  const stored = new StoredSuppressions(tables().sql);
  const answers = ([0, 1, 2, 23.9, 24, 24.1] as const).map((hour) =>
    stored.noteOptIn('4915', NOW + hour * HOUR),
  );
  expect(answers).toEqual([null, null, NOW + DAY, NOW + DAY, null, NOW + HOUR + DAY]);
  expect(stored.noteOptIn('4916', NOW + HOUR)).toBeNull();
});
