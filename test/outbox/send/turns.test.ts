import fc from 'fast-check';
import { expect, it } from 'vitest';
import { STANDINGS } from '../../../src/lib/shares.ts';
import { Turns, type WaitingMessage } from '../../../src/outbox/send/turns.ts';

const message = (seq: number, over: Partial<WaitingMessage> = {}): WaitingMessage => ({
  seq,
  source: 'shop',
  phone: `phone-${seq}`,
  standing: 'signed',
  place: seq,
  ...over,
});

const turnsOf = (...messages: readonly WaitingMessage[]): Turns => {
  const turns = new Turns();
  for (const one of messages) turns.add(one);
  return turns;
};

/** Messages with these numbers that are alike. */
const many = (from: number, count: number, over: Partial<WaitingMessage>) =>
  Array.from({ length: count }, (_, index) => message(from + index, over));

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

/** Messages numbered from 1, by source and receiver; `!`: urgent. */
const read = (text: string): readonly WaitingMessage[] =>
  text.split(' ').map((one, index) => {
    const [source = '', phone = `phone-${index}`] = one.replace('!', '').split('/');
    return message(index + 1, { source, phone, standing: one.endsWith('!') ? 'urgent' : 'signed' });
  });

it.for([
  ['to sources one after the other', 'form form form form form form shop stripe', '1 7 8 2 3 4 5 6'],
  ['to a source’s receivers one after the other', 'form/a form/a form/a form/a form/b', '1 5 2 3 4'],
  ['to one receiver’s messages in order, of whichever source', 'form/a form/a shop/a shop/b', '1 4 2 3'],
  [
    'to urgent messages first, but one in five to another source’s normal ones',
    'alerts! alerts! alerts! alerts! alerts! alerts! alerts! alerts! alerts shop',
    '1 2 3 4 10 5 6 7 8 9',
  ],
])('turns go %s', ([, waiting = '', taken]) => {
  expect(takeAll(turnsOf(...read(waiting))).join(' ')).toBe(taken);
});

it('a message that is not sent after all, as it says nothing new any more, uses up no turn', () => {
  const turns = turnsOf(...read('alerts! alerts! alerts! alerts! alerts! shop shop form'));
  for (const isSent of [true, false, true, true]) {
    const next = turns.take(0, always);
    if (next !== null && isSent) turns.release(next);
    else if (next !== null) turns.giveBack(next);
  }
  expect(takeAll(turns)).toEqual([5, 6, 8, 7]);
});

it('a message that was put behind the others goes after those to the same receiver', () => {
  expect(takeAll(turnsOf(...many(2, 2, { phone: 'a' }), message(1, { phone: 'a', place: 3 })))).toEqual([
    2, 3, 1,
  ]);
});

it('a full receiver is passed until its time, and asked about once', () => {
  const turns = turnsOf(message(1, { phone: 'a' }), message(2, { phone: 'b' }));
  const asked: (string | null)[] = [];
  const opensAt = (phone: string | null): number => {
    asked.push(phone);
    return phone === 'a' ? 100 : 0;
  };
  expect(turns.take(50, opensAt)?.seq).toBe(2);
  expect(turns.take(50, opensAt)).toBeNull();
  expect([asked, turns.opensAt]).toEqual([['a', 'b'], 100]);
  turns.reopen(99);
  expect(turns.take(99, opensAt)).toBeNull();
  turns.reopen(100);
  expect(turns.take(100, opensAt)?.seq).toBe(1);
  expect(turns.opensAt).toBeNull();
});

it('a message that waits is not added again', () => {
  const turns = turnsOf(message(1, { phone: 'a' }), message(2, { phone: 'b' }), message(3, { phone: 'a' }));
  turns.add(message(3, { phone: 'a' }));
  expect(turns.size).toBe(3);
  expect(takeAll(turns)).toEqual([1, 2, 3]);
});

it('whatever waits goes once, in order a receiver and class, with calls that end in any order', () => {
  const kinds = fc.record({
    source: fc.constantFrom('a', 'b', 'c', null),
    phone: fc.constantFrom('1', '2', '3', '4', null),
    standing: fc.constantFrom(...STANDINGS),
  });
  fc.assert(
    fc.property(fc.array(kinds, { maxLength: 60 }), fc.array(fc.nat(5)), (all, ends) => {
      const turns = turnsOf(...all.map((one, index) => message(index + 1, one)));
      const open: WaitingMessage[] = [];
      const taken: WaitingMessage[] = [];
      const free = () => (open.length < 6 ? turns.take(0, always) : null);
      const step = (end: number): void => {
        for (let next = free(); next !== null; next = free()) {
          const { phone } = next;
          expect(phone !== null && open.some((one) => one.phone === phone)).toBe(false);
          open.push(next);
          taken.push(next);
        }
        const [ended] = open.splice(end % Math.max(1, open.length), 1);
        if (ended !== undefined) turns.release(ended);
      };
      for (const end of ends) step(end);
      while (taken.length < all.length || open.length > 0) step(0);
      expect(new Set(taken.map(({ seq }) => seq)).size).toBe(all.length);
      expect(taken).toHaveLength(all.length);
      for (const ofOne of Map.groupBy(
        taken,
        ({ phone, standing, seq }) => `${phone ?? `none ${seq}`} ${standing}`,
      ).values())
        expect(ofOne).toEqual(ofOne.toSorted((a, b) => a.seq - b.seq));
      expect([turns.size, turns.ready]).toEqual([0, []]);
    }),
  );
});

it('each source that could go has a turn before any has two more than it', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(counts, (sizes) => {
      const sources = sizes.flatMap((size, source) => Array.from({ length: size }, () => source));
      const turns = turnsOf(...sources.map((source, index) => message(index + 1, { source: `s${source}` })));
      const left = [...sizes];
      const had = sizes.map(() => 0);
      for (const taken of takeAll(turns)) {
        const source = sources[taken - 1] ?? 0;
        had[source] = (had[source] ?? 0) + 1;
        left[source] = (left[source] ?? 0) - 1;
        const waiting = had.filter((_, index) => (left[index] ?? 0) > 0);
        if (waiting.length > 0) expect(had[source]).toBeLessThanOrEqual(Math.min(...waiting) + 1);
      }
    }),
  );
});

it('a message that is removed has no turn, and the next one of its receiver has it', () => {
  const turns = turnsOf(...read('form/a shop/a form/b'));
  turns.remove({ seq: 1, phone: 'a' });
  expect([turns.has(1), turns.size]).toEqual([false, 2]);
  expect(new Set(takeAll(turns))).toEqual(new Set([2, 3]));
  const last = turnsOf(message(1, { phone: 'a', standing: 'urgent' }), message(2, { phone: null }));
  last.remove({ seq: 1, phone: 'a' });
  last.remove({ seq: 2, phone: null });
  expect([last.size, last.ready, last.take(0, always)]).toEqual([0, [], null]);
});

it('removing what is not there, or under way, changes nothing', () => {
  const turns = turnsOf(...many(1, 2, { phone: 'a' }));
  expect(turns.take(0, always)?.seq).toBe(1);
  turns.remove({ seq: 1, phone: 'a' });
  turns.remove({ seq: 9, phone: 'c' });
  expect(turns.take(0, always)).toBeNull();
  turns.release({ seq: 1, phone: 'a' });
  expect(turns.take(0, always)?.seq).toBe(2);
});

it('a receiver is crowded above a number of normal messages, anew when it gets one more or that changes', () => {
  const turns = turnsOf(
    ...many(1, 3, { phone: 'a' }),
    ...many(4, 9, { phone: null }),
    ...many(13, 9, { phone: 'b', standing: 'urgent' }),
  );
  const crowded = (above: number) => [...turns.crowded(above)];
  expect(crowded(3)).toEqual([]);
  expect([turns.waitingFor('a'), turns.waitingFor('nobody')]).toEqual([[1, 2, 3], []]);
  expect(crowded(2)).toEqual(['a']);
  turns.crowded(2).delete('a');
  expect(crowded(2)).toEqual([]);
  turns.add(message(30, { phone: 'a' }));
  expect([crowded(2), crowded(3)]).toEqual([['a'], ['a']]);
});

it('the line of a receiver is counted up to a message, by its class, to a thousand at most', () => {
  const urgent = message(5_000, { phone: 'a', standing: 'urgent' });
  const turns = turnsOf(...many(1, 1_500, { phone: 'a' }), message(4_000, { phone: 'b' }), urgent);
  const ahead = (seq: number, standing = 0, phone: string | null = 'a') =>
    turns.ahead({ seq, phone, standing });
  expect([1, 2, 3, 9_000, 1_000, 1_400].map((seq) => ahead(seq))).toEqual([0, 1, 2, 0, 999, 1_000]);
  expect([ahead(5_000, 1), ahead(4_000, 0, null)]).toEqual([0, 0]);
});

it('lines of receivers are shown, full ones first, as many as asked for', () => {
  const turns = turnsOf(
    ...[1, 2, 3].map((seq) => message(seq)),
    message(4, { phone: 'full' }),
    message(5, { phone: 'full', standing: 'urgent' }),
  );
  turns.take(0, (phone) => (phone === 'full' ? 100 : 0));
  expect(turns.lines(1)).toEqual([{ phone: 'full', standing: 'urgent', waiting: 1 }]);
  expect([turns.lines(9).length, turns.lineCount]).toEqual([4, 4]);
});
