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
