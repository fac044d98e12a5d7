import { describe, expect, it } from 'vitest';
import { DispatchLog } from '../../../src/outbox/send/dispatch-log.ts';
import type { DraftMessage } from '../../../src/outbox/state/acceptance.ts';
import { Flight } from '../../../src/outbox/send/flight.ts';
import { Bench } from '../bench.ts';
import { allRows, countRows, draft, HOUR, inStorage, markedRowsFrom, MINUTE, START } from '../support.ts';

const to = (...phones: readonly (string | null)[]): readonly DraftMessage[] =>
  phones.map((phone) => draft({ phone }));

const markedIn = (sql: SqlStorage): readonly number[] =>
  allRows(sql).flatMap(({ seq, claimed }) => (claimed === null ? [] : [seq]));

/** How many rows the log has. */
const logged = (sql: SqlStorage): number =>
  sql.exec<{ n: number }>('SELECT count(*) AS n FROM dispatch_log').one().n;

const openIn = (bench: Bench): readonly number[] => bench.open.map(({ seq }) => seq);

/** What an object that starts now takes for under way, recorded or not. */
const claimedIn = (sql: SqlStorage): readonly number[] =>
  (new DispatchLog(sql).last()?.flight ?? []).map(({ seq }) => seq);

describe('a message that can go at once', () => {
  it('is claimed in its own row, and costs no other', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      const rows = countRows(sql);
      await bench.accept(...to('a'));
      expect(rows.written()).toBe(1);
      expect([openIn(bench), markedIn(sql), logged(sql)]).toEqual([[1], [1], 0]);
    }));

  it('is claimed for its event’s moment, and with the tokens that it leaves', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql, { rate: { perMinute: 60, burst: 3 } });
      await bench.accept(...to('a', 'b', 'c'));
      // The last one is stretched by half of a quarter.
      expect(allRows(sql).map(({ claimed }) => claimed)).toEqual([2, 1, -0.125]);
      expect(new DispatchLog(sql).last()).toMatchObject({ at: START, tokens: -0.125 });
      expect(bench.dispatch.claims.pace.tokens).toBe(-0.125);
    }));

  it('is one of six at most, and of as many as the pace allows', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql, { rate: { perMinute: 60, burst: 2 } });
      await bench.accept(...to('a', 'b', 'c'));
      expect([openIn(bench), markedIn(sql), logged(sql)]).toEqual([[1, 2], [1, 2], 0]);
    }));
});

describe('a message that has to wait', () => {
  it.each([
    ['for its receiver', draft({ phone: 'a' })],
    ['for its moment', draft({ phone: 'b', delayMs: MINUTE })],
  ])('%s is not claimed', (_, message) =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      await bench.accept(...to('a'));
      await bench.accept(message);
      expect([openIn(bench), markedIn(sql), logged(sql)]).toEqual([[1], [1], 0]);
    }),
  );

  it('for its receiver’s hour is not claimed', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql, { perRecipient: { perHour: 1 } });
      await bench.accept(...to('a'));
      await bench.answer(1, 'sent');
      await bench.accept(...to('a'));
      expect([openIn(bench), markedIn(sql), logged(sql)]).toEqual([[], [1], 0]);
      bench.restart();
      await bench.pass(HOUR - 1);
      expect(openIn(bench)).toEqual([]);
      await bench.pass(1);
      expect(openIn(bench)).toEqual([2]);
    }));

  it('behind an older one is not claimed before it', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      await bench.accept(...to('a', 'b', 'c', 'd', 'e', 'f', 'g'));
      await bench.accept(...to('h'));
      expect(markedIn(sql)).toEqual([1, 2, 3, 4, 5, 6]);
      await bench.answer(2, 'sent');
      expect(openIn(bench)).toEqual([1, 3, 4, 5, 6, 7]);
    }));
});

describe('a claim of messages that waited', () => {
  it('is in the row of the one that is recorded in the same commit, and costs no other', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      await bench.accept(...to('a', 'b', 'c', 'd', 'e', 'f', 'g'));
      const rows = countRows(sql);
      await bench.answer(2, 'sent');
      expect(rows.written()).toBe(1);
      expect([claimedIn(sql), logged(sql)]).toEqual([[1, 2, 3, 4, 5, 6, 7], 0]);
    }));

  it('is in a row of the log where nothing is recorded as sent', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      await bench.accept(...to('a', 'b', 'c', 'd', 'e', 'f', 'g'));
      await bench.answer(2, 'server_error');
      expect([openIn(bench), logged(sql)]).toEqual([[1, 3, 4, 5, 6, 7], 1]);
      expect(claimedIn(sql)).toEqual([1, 3, 4, 5, 6, 7]);
    }));

  it('is not made where its row cannot be written: the record is, and the next commit has a row of the log', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      await bench.accept(...to('a', 'b', 'c', 'd', 'e', 'f', 'g'));
      sql.exec(
        "CREATE TRIGGER full BEFORE UPDATE ON messages WHEN NEW.next_claim IS NOT NULL BEGIN SELECT RAISE(ABORT, 'disk full'); END",
      );
      await bench.answer(2, 'sent');
      expect(allRows(sql)[1]).toMatchObject({ state: 'sent', next_claim: null });
      expect([openIn(bench), logged(sql)]).toEqual([[1, 3, 4, 5, 6, 7], 1]);
      sql.exec('DROP TRIGGER full');
      bench.restart();
      expect(bench.dispatch.flight.seqs()).toEqual([1, 3, 4, 5, 6, 7]);
    }));
});

describe('a claim that was foretold and not made', () => {
  it('is taken back by a row of the log: other messages went instead', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      // These share the second commit. Five of the shop's are marked, and then the sources take turns.
      await Promise.all([
        bench.accept(...to('z')),
        bench.accept(...to('a', 'b', 'c', 'd', 'e', 'f')),
        bench.acceptFrom('blog', ...to('g')),
      ]);
      expect(markedIn(sql)).toEqual([1, 2, 3, 4, 5, 6]);
      const open = openIn(bench).toSorted((one, other) => one - other);
      expect(open).toEqual([1, 2, 3, 4, 5, 8]);
      expect(logged(sql)).toBe(1);
      bench.restart();
      expect(new Set(bench.dispatch.flight.seqs())).toEqual(new Set(open));
    }));

  it('is taken back where fewer were claimed, or none, so that a stop leaves nothing in doubt', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      bench.meta.pause = { at: START, by: 'token', reason: 'a rest' };
      const { claims } = bench.dispatch;
      const wronglyMarked = (...phones: readonly string[]): void =>
        claims.accepted(
          markedRowsFrom('shop', sql, START, () => 5, ...to(...phones)).map((row) => ({
            row,
            receivedAt: START,
          })),
        );
      wronglyMarked('a', 'b');
      expect(claims.claim(bench.policy, 1).map(({ row }) => row.seq)).toEqual([1]);
      expect([claimedIn(sql), logged(sql)]).toEqual([[1], 1]);
      wronglyMarked('c');
      claims.settleMarks();
      expect([claimedIn(sql), logged(sql)]).toEqual([[1], 2]);
      // Once is enough.
      claims.settleMarks();
      expect(logged(sql)).toBe(2);
    }));
});

describe('counters that must be kept', () => {
  it('do not hide what is under way and claimed in a row of messages', () =>
    inStorage(async ({ storage: { sql } }) => {
      const bench = new Bench(sql);
      const { claims } = bench.dispatch;
      for (const phone of ['a', 'b']) {
        await bench.accept(...to(phone));
        claims.counters.keepNow();
        claims.keepCounters();
        expect(new Flight(sql, new DispatchLog(sql).last()?.flight ?? []).seqs()).toEqual(openIn(bench));
      }
      expect(logged(sql)).toBe(2);
    }));
});
