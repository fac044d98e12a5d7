import { describe, expect, it } from 'vitest';
import { receiverLines } from '../../../src/outbox/send/lines.ts';
import { Bench } from '../bench.ts';
import { draft, HOUR, MINUTE, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const PER_RECIPIENT = { perHour: 2 };

const to = (phone: string, count: number) => Array.from({ length: count }, () => draft({ phone }));
const linesOf = (bench: Bench) => receiverLines(bench.claims, bench.policy, bench.now);

describe('the lines of receivers', () => {
  it('are nothing without a cap, or when nothing waits', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage);
      const nothing = { atCap: null, lastAt: START, isWhole: true };
      await bench.accept(...to('a', 2));
      expect(linesOf(bench)).toEqual(nothing);
      bench.policy = { ...bench.policy, perRecipient: PER_RECIPIENT };
      for (const seq of [1, 2]) await bench.answer(seq, 'sent');
      expect(linesOf(bench)).toEqual(nothing);
    }));

  it('know how long a line takes before its receiver is at its cap', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { perRecipient: PER_RECIPIENT });
      await bench.accept(...to('a', 4));
      expect(linesOf(bench)).toEqual({ atCap: null, lastAt: START + HOUR, isWhole: true });
    }));

  it('name those at their cap, how many wait for them, and from when to when', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { perRecipient: PER_RECIPIENT });
      await bench.accept(...to('a', 5), ...to('b', 3), draft({ phone: 'c' }), draft({ phone: null }));
      for (const seq of [1, 6, 2]) await bench.answer(seq, 'sent');
      bench.now += MINUTE;
      await bench.answer(7, 'sent');
      expect(linesOf(bench)).toEqual({
        atCap: { receivers: 2, messages: 4, nextAt: START + HOUR, lastAt: START + 2 * HOUR },
        lastAt: START + 2 * HOUR,
        isWhole: true,
      });
    }));

  it('say that they are not all when messages were not read yet', () =>
    inStorage(async ({ storage }) => {
      const bench = new Bench(storage, { perRecipient: PER_RECIPIENT });
      await bench.accept(...to('a', 4));
      bench.restart();
      expect(linesOf(bench).isWhole).toBe(false);
    }));
});
