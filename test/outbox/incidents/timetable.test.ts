import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Timetable, type Timed } from '../../../src/outbox/incidents/timetable.ts';

const timed = (): Timed => ({ lookAt: Infinity });

describe('a timetable', () => {
  it('says what is next, by the times that were set last', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.record({ entry: fc.nat(9), at: fc.nat(50), isFirm: fc.boolean() }),
            fc.record({ take: fc.nat(50) }),
          ),
        ),
        (steps) => {
          const table = new Timetable<Timed>();
          const entries = Array.from({ length: 10 }, timed);
          const times = entries.map(() => Infinity);
          for (const step of steps) {
            if ('take' in step) {
              const due = entries.filter((_, index) => (times[index] ?? Infinity) <= step.take);
              const taken = table.take(step.take);
              expect(new Set(taken)).toEqual(new Set(due));
              expect(taken).toHaveLength(due.length);
              for (const [index, at] of times.entries()) if (at <= step.take) times[index] = Infinity;
            } else {
              const entry = entries[step.entry] ?? timed();
              if (step.isFirm) table.set(entry, step.at);
              else table.bringForward(entry, step.at);
              times[step.entry] = step.isFirm ? step.at : Math.min(times[step.entry] ?? 0, step.at);
            }
            const next = Math.min(...times);
            expect(table.nextAt()).toBe(next === Infinity ? null : next);
          }
        },
      ),
    );
  });

  it('does not look at what has no time any more', () => {
    const table = new Timetable<Timed>();
    const entry = timed();
    table.set(entry, 5);
    table.set(entry, Infinity);
    expect(table.nextAt()).toBeNull();
    expect(table.take(10)).toEqual([]);
  });
});

describe('places that are old', () => {
  it('are taken out: what is looked at again and again takes no more memory', () => {
    const table = new Timetable<Timed>();
    const entries = Array.from({ length: 10 }, (): Timed => ({ lookAt: Infinity }));
    for (let turn = 0; turn < 10_000; turn += 1)
      for (const entry of entries) {
        table.bringForward(entry, turn);
        table.take(turn);
        // Much later, as an incident that expires in a week.
        table.bringForward(entry, turn + 1_000_000);
      }
    expect(table.size).toBeLessThan(100);
    expect(table.nextAt()).toBe(1_009_999);
    expect(table.take(1_009_999)).toHaveLength(entries.length);
    expect(table.nextAt()).toBeNull();
  });
});
