import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Turns } from '../../../src/outbox/send/turns.ts';
import type { WaitingMessage } from '../../../src/outbox/send/waiting.ts';

const message = (seq: number, over: Partial<WaitingMessage> = {}): WaitingMessage => ({
  seq,
  source: 'shop',
  phone: `phone-${seq}`,
  isUrgent: false,
  place: seq,
  ...over,
});

const turnsOf = (...messages: readonly WaitingMessage[]): Turns => {
  const turns = new Turns();
  for (const one of messages) turns.add(one);
  return turns;
};

const always = (): number => 0;

/** Takes all that can go, each answered before the next. */
function takeAll(turns: Turns): readonly number[] {
  const seqs: number[] = [];
  for (let next = turns.take(0, always); next !== null; next = turns.take(0, always)) {
    seqs.push(next.seq);
    turns.release(next);
  }
  return seqs;
}

const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

describe('turns', () => {
  it('go to sources one after the other', () => {
    const flood = range(1, 6).map((seq) => message(seq, { source: 'form' }));
    const turns = turnsOf(...flood, message(7, { source: 'stripe' }), message(8, { source: null }));
    expect(takeAll(turns)).toEqual([1, 7, 8, 2, 3, 4, 5, 6]);
  });

  it('go to a source’s receivers one after the other', () => {
    const turns = turnsOf(
      ...range(1, 4).map((seq) => message(seq, { phone: 'a' })),
      message(5, { phone: 'b' }),
    );
    expect(takeAll(turns)).toEqual([1, 5, 2, 3, 4]);
  });

  it('of one receiver go in the order accepted, whichever source its messages are of', () => {
    const turns = turnsOf(
      message(1, { phone: 'a', source: 'form' }),
      message(2, { phone: 'a', source: 'form' }),
      message(3, { phone: 'a', source: 'stripe' }),
      message(4, { phone: 'b', source: 'stripe' }),
    );
    expect(takeAll(turns)).toEqual([1, 4, 2, 3]);
  });

  it('go to urgent messages first, but one in five to another source’s normal ones', () => {
    const urgent = range(1, 8).map((seq) => message(seq, { isUrgent: true, source: 'alerts' }));
    const turns = turnsOf(...urgent, message(9, { source: 'alerts' }), message(10, { source: 'stripe' }));
    expect(takeAll(turns)).toEqual([1, 2, 3, 4, 10, 5, 6, 7, 8, 9]);
  });

  it('pass a busy receiver until it is released', () => {
    const turns = turnsOf(message(1, { phone: 'a' }), message(2, { phone: 'a' }));
    expect(turns.take(0, always)?.seq).toBe(1);
    expect(turns.isReady).toBe(false);
    expect(turns.take(0, always)).toBeNull();
    turns.release({ seq: 1, phone: 'a' });
    expect(turns.take(0, always)?.seq).toBe(2);
  });

  it('pass a full receiver until its time, and ask about it once', () => {
    const turns = turnsOf(message(1, { phone: 'a' }), message(2, { phone: 'b' }));
    const asked: (string | null)[] = [];
    const opensAt = (phone: string | null): number => {
      asked.push(phone);
      return phone === 'a' ? 100 : 0;
    };
    expect(turns.take(50, opensAt)?.seq).toBe(2);
    expect(turns.take(50, opensAt)).toBeNull();
    expect(asked).toEqual(['a', 'b']);
    expect(turns.opensAt).toBe(100);
    turns.reopen(99);
    expect(turns.take(99, opensAt)).toBeNull();
    turns.reopen(100);
    expect(turns.take(100, opensAt)?.seq).toBe(1);
    expect(turns.opensAt).toBeNull();
  });

  it('of a message that was put behind the others come after those to the same receiver', () => {
    const turns = turnsOf(
      message(2, { phone: 'a' }),
      message(3, { phone: 'a' }),
      message(1, { phone: 'a', place: 3 }),
    );
    expect(takeAll(turns)).toEqual([2, 3, 1]);
  });

  it('are kept when more comes for the same receiver, and a message that waits is not added again', () => {
    const turns = turnsOf(message(1, { phone: 'a' }), message(2, { phone: 'b' }), message(3, { phone: 'a' }));
    turns.add(message(3, { phone: 'a' }));
    expect(turns.size).toBe(3);
    expect(takeAll(turns)).toEqual([1, 2, 3]);
  });
});

describe('whatever waits', () => {
  const messages = fc
    .array(
      fc.record({
        source: fc.constantFrom('a', 'b', 'c', null),
        phone: fc.constantFrom('1', '2', '3', '4', null),
        isUrgent: fc.boolean(),
      }),
      { maxLength: 60 },
    )
    .map((all) => all.map((one, index) => message(index + 1, one)));

  it('goes once, in order a receiver and class, with calls under way ended in any order', () => {
    fc.assert(
      fc.property(messages, fc.array(fc.nat(5)), (all, ends) => {
        const turns = turnsOf(...all);
        const open: WaitingMessage[] = [];
        const taken: WaitingMessage[] = [];
        const step = (end: number): void => {
          for (let next = open.length < 6 ? turns.take(0, always) : null; next !== null;) {
            expect(next.phone !== null && open.some(({ phone }) => phone === next?.phone)).toBe(false);
            open.push(next);
            taken.push(next);
            next = open.length < 6 ? turns.take(0, always) : null;
          }
          const [ended] = open.splice(end % Math.max(1, open.length), 1);
          if (ended !== undefined) turns.release(ended);
        };
        for (const end of ends) step(end);
        while (taken.length < all.length || open.length > 0) step(0);
        expect(taken.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(all.map(({ seq }) => seq));
        for (const phone of ['1', '2', '3', '4']) {
          for (const isUrgent of [true, false]) {
            const seqs = taken
              .filter((one) => one.phone === phone && one.isUrgent === isUrgent)
              .map(({ seq }) => seq);
            expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
          }
        }
        expect([turns.size, turns.isReady]).toEqual([0, false]);
      }),
    );
  });

  it('gives each source that could go a turn before any has two more than it', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(counts, (sizes) => {
        let seq = 0;
        const all = sizes.flatMap((size, source) =>
          Array.from({ length: size }, () => message((seq += 1), { source: `s${source}` })),
        );
        const turns = turnsOf(...all);
        const left = [...sizes];
        const had = sizes.map(() => 0);
        for (const taken of takeAll(turns)) {
          const source = Number(all[taken - 1]?.source?.slice(1));
          had[source] = (had[source] ?? 0) + 1;
          left[source] = (left[source] ?? 0) - 1;
          const waiting = had.filter((_, index) => (left[index] ?? 0) > 0);
          if (waiting.length > 0) expect(had[source]).toBeLessThanOrEqual(Math.min(...waiting) + 1);
        }
      }),
    );
  });
});

describe('a message that is removed', () => {
  it('has no turn any more, and the next one of its receiver has it', () => {
    const turns = turnsOf(
      message(1, { phone: 'a', source: 'form' }),
      message(2, { phone: 'a', source: 'stripe' }),
      message(3, { phone: 'b' }),
    );
    turns.remove({ seq: 1, phone: 'a' });
    expect([turns.has(1), turns.size]).toEqual([false, 2]);
    expect(new Set(takeAll(turns))).toEqual(new Set([2, 3]));
  });

  it('leaves nothing behind when it was the last', () => {
    const turns = turnsOf(message(1, { phone: 'a', isUrgent: true }), message(2, { phone: null }));
    turns.remove({ seq: 1, phone: 'a' });
    turns.remove({ seq: 2, phone: null });
    expect([turns.size, turns.isReady]).toEqual([0, false]);
    expect(turns.take(0, always)).toBeNull();
  });

  it('that is not there changes nothing, nor does one whose call is under way', () => {
    const turns = turnsOf(message(1, { phone: 'a' }), message(2, { phone: 'a' }));
    expect(turns.take(0, always)?.seq).toBe(1);
    turns.remove({ seq: 1, phone: 'a' });
    turns.remove({ seq: 9, phone: 'c' });
    expect(turns.take(0, always)).toBeNull();
    turns.release({ seq: 1, phone: 'a' });
    expect(turns.take(0, always)?.seq).toBe(2);
  });
});

const many = () =>
  turnsOf(
    ...range(1, 3).map((seq) => message(seq, { phone: 'a' })),
    ...range(4, 9).map((seq) => message(seq, { phone: null })),
    ...range(13, 9).map((seq) => message(seq, { phone: 'b', isUrgent: true })),
  );

describe('a receiver with many messages', () => {
  it('is crowded above the number, of normal messages alone', () => {
    expect(many().isCrowded(3)).toBe(false);
    expect(many().takeCrowded(2)).toEqual(['a']);
    expect(many().waitingFor('a')).toEqual([1, 2, 3]);
    expect(many().waitingFor('nobody')).toEqual([]);
  });

  it('is looked at again when it gets one more, or the number changes', () => {
    const turns = many();
    expect(turns.takeCrowded(2)).toEqual(['a']);
    expect(turns.takeCrowded(2)).toEqual([]);
    turns.add(message(30, { phone: 'a' }));
    expect(turns.takeCrowded(2)).toEqual(['a']);
    expect(turns.takeCrowded(3)).toEqual(['a']);
  });
});

const ahead = (turns: Turns, seq: number, priority = 0): number => turns.ahead({ seq, phone: 'a', priority });

describe('the line of a receiver', () => {
  it('is counted up to a message, by its class, and not for one that does not wait here', () => {
    const turns = turnsOf(
      ...range(1, 3).map((seq) => message(seq, { phone: 'a' })),
      message(4, { phone: 'b' }),
      message(5, { phone: 'a', isUrgent: true }),
    );
    expect([1, 2, 3, 9].map((seq) => ahead(turns, seq))).toEqual([0, 1, 2, 0]);
    expect(ahead(turns, 5, 1)).toBe(0);
    expect(turns.ahead({ seq: 4, phone: null, priority: 0 })).toBe(0);
  });

  it('is counted to a thousand at most', () => {
    const turns = turnsOf(...range(1, 1_500).map((seq) => message(seq, { phone: 'a' })));
    expect([ahead(turns, 1_000), ahead(turns, 1_400)]).toEqual([999, 1_000]);
  });

  it('is shown with those of other receivers, full ones first, as many as asked for', () => {
    const turns = turnsOf(
      ...range(1, 3).map((seq) => message(seq)),
      message(4, { phone: 'full' }),
      message(5, { phone: 'full', isUrgent: true }),
    );
    turns.take(0, (phone) => (phone === 'full' ? 100 : 0));
    expect(turns.lines(2)).toEqual([
      { phone: 'full', waiting: 2 },
      { phone: 'phone-1', waiting: 0 },
    ]);
    expect([turns.lines(9).length, turns.receivers]).toEqual([4, 4]);
  });
});
