import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decided,
  decidedTo,
  NEW,
  outcomeIn,
  runOf,
  type Incident,
} from '../../../src/outbox/incidents/incident.ts';

const items = (count: number): Incident => ({ ...NEW, items: count });

const outcomesOf = (one: Incident): readonly string[] =>
  Array.from({ length: one.items }, (_, index) => outcomeIn(runOf(one, index + 1), index + 1));

describe('an outcome', () => {
  it('is that of all items that had none', () => {
    const first = decided(items(2), { outcome: 'resolved' });
    expect(decided({ ...first, items: 4 }, { outcome: 'expired' }).outcomes).toEqual([
      { to: 2, outcome: 'resolved' },
      { to: 4, outcome: 'expired' },
    ]);
  });

  it('of items up to a number leaves later ones waiting', () => {
    const some = decided(items(3), { outcome: 'summarized', seq: 7 }, 2);
    expect(outcomesOf(some)).toEqual(['summarized', 'summarized', 'waiting']);
    expect(decidedTo(some)).toBe(2);
  });

  it('is never replaced', () => {
    const some = decided(items(3), { outcome: 'summarized', seq: 7 }, 2);
    expect(decided(some, { outcome: 'expired' }, 2)).toBe(some);
    expect(decided(some, { outcome: 'expired' }, 1)).toBe(some);
  });

  it('is `notified` for the item that the message is about, and `summarized` for the others', () => {
    const all = decided(items(3), { outcome: 'summarized', seq: 7, about: 3 });
    expect(outcomesOf(all)).toEqual(['summarized', 'summarized', 'notified']);
    expect(runOf(all, 1)?.seq).toBe(7);
  });

  it('is `waiting` where there is none', () => {
    expect(outcomesOf(items(2))).toEqual(['waiting', 'waiting']);
    expect(decidedTo(items(2))).toBe(0);
  });

  it('is kept for the last 32 changes; in which message older items were summarized is forgotten', () => {
    let one = items(0);
    for (let n = 1; n <= 100; n += 1)
      one = decided({ ...one, items: n }, { outcome: 'summarized', seq: n, about: n });
    expect(one.outcomes).toHaveLength(1 + 32);
    expect(one.outcomes[0]).toEqual({ to: 68, outcome: 'summarized' });
    expect(runOf(one, 69)).toEqual({ to: 69, outcome: 'summarized', seq: 69, about: 69 });
    expect(outcomesOf(one)).not.toContain('waiting');
  });

  it('is one for each item, in any order and number of changes', () => {
    const change = fc.record({ comes: fc.nat(3), decides: fc.nat(6), isExpired: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
        let one = items(0);
        let most = 0;
        for (const { comes, decides, isExpired } of changes) {
          const came = { ...one, items: one.items + comes };
          const to = Math.min(came.items, decidedTo(came) + decides);
          one = decided(came, { outcome: isExpired ? 'expired' : 'summarized' }, to);
          most = Math.max(most, to);
          expect(decidedTo(one)).toBe(most);
          expect(one.outcomes.length).toBeLessThanOrEqual(1 + 32);
          expect(outcomesOf(one).indexOf('waiting')).toBe(most === one.items ? -1 : most);
          const ends = one.outcomes.map(({ to: end }) => end);
          expect(ends).toEqual(ends.toSorted((a, b) => a - b));
        }
      }),
    );
  });
});
