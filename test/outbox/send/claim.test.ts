import { expect } from 'vitest';
import { Claims } from '../../../src/outbox/send/claims.ts';
import { Calls, MAX_CALLS_PER_RUN } from '../../../src/outbox/state/calls.ts';
import { writeEnd, type MessageRow } from '../../../src/outbox/state/message.ts';
import { it } from '../it.ts';
import { draft, HOUR, MINUTE, queue, START, to, UNPACED } from '../support.ts';

/** What a new object claims of the messages in these tables. */
class Claimer {
  now = START;
  readonly claims: Claims;
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    const calls = new Calls(MAX_CALLS_PER_RUN);
    this.claims = new Claims({ storage, calls, clock: () => this.now, random: () => 0 });
  }

  claim(capacity = 6): readonly number[] {
    const toSend = (row: MessageRow): MessageRow | null => {
      const end = this.claims.expiryOf(row, UNPACED, this.now);
      if (end !== null) writeEnd(this.#storage.sql, row, end);
      return end === null ? row : null;
    };
    const claimed = this.claims.claim(
      UNPACED,
      { urgent: capacity, signed: capacity, open: capacity },
      toSend,
    );
    return claimed.map(({ seq }) => seq);
  }

  /** The calls under way end, and leave their messages as the tables have them. */
  release(): void {
    const { flight, queue: waiting } = this.claims;
    for (const call of flight.calls) {
      flight.delete(call.seq);
      waiting.turns.release(call.row);
    }
  }
}

it('fresh messages are not looked for among those that wait for a moment', ({ storage, sql }) => {
  queue(sql, START, ...Array.from({ length: 5 }, () => draft({ delayMs: HOUR })));
  const claimer = new Claimer(storage);
  expect(claimer.claim()).toEqual([]);
  expect(claimer.claims.queue.cursor).toBe(5);
});

it('fresh messages are found behind a gap in the numbers of any length', ({ storage, sql }) => {
  queue(sql, START, ...to('a'));
  sql.exec('UPDATE messages SET seq = 3000000000');
  const claimer = new Claimer(storage);
  expect([claimer.claim(), claimer.claim()].flat()).toEqual([3_000_000_000]);
});

it('a message that was cancelled since it was read is not sent', ({ storage, sql }) => {
  queue(sql, START, ...to('a', 'a', 'b'));
  const claimer = new Claimer(storage);
  expect(claimer.claim(1)).toEqual([1]);
  sql.exec("UPDATE messages SET state = 'cancelled' WHERE seq = 2");
  claimer.claims.queue.changed(START);
  claimer.release();
  expect(claimer.claim()).toEqual([3]);
  expect(claimer.claims.queue.cursor).toBe(3);
});

it('messages are found when the clock went back, or their moment did', ({ storage, sql }) => {
  queue(sql, START, ...to('a', 'b'));
  const claimer = new Claimer(storage);
  const retryAt = (at: number): void => {
    sql.exec("UPDATE messages SET state = 'retrying', next_at = ? WHERE seq = 1", at);
    claimer.release();
  };
  claimer.now = START + HOUR;
  expect(claimer.claim(1)).toEqual([1]);
  retryAt(START);
  claimer.claims.queue.dueAt(START, 'signed');
  expect(claimer.claim()).toEqual([2, 1]);
  retryAt(START + 1);
  claimer.now = START + 1;
  expect(claimer.claim()).toContain(1);
});

it('messages that are due go in order, forbidden ones behind all', ({ storage, sql }) => {
  queue(sql, START, draft({ phone: 'a', delayMs: 2 }), draft({ phone: 'a', delayMs: 1 }));
  sql.exec(
    `UPDATE messages SET state = 'retrying', next_at = ?, attempts = '[{"n":1,"outcome":"forbidden"}]' WHERE seq = 1`,
    START,
  );
  sql.exec('UPDATE messages SET next_at = NULL WHERE seq = 2');
  const claimer = new Claimer(storage);
  claimer.now = START + 2;
  expect(claimer.claim()).toEqual([2]);
});

it('thousands that are too old are marked in steps, so that what comes in is served', ({ storage, sql }) => {
  const old = Array.from({ length: 300 }, () => draft({ phone: 'a', expiresMs: MINUTE }));
  queue(sql, START, ...old, draft({ phone: 'a' }));
  const claimer = new Claimer(storage);
  claimer.now = START + MINUTE;
  expect(claimer.claim()).toEqual([]);
  expect(claimer.claims.queue.nextAt(claimer.now)).toBe(claimer.now);
  expect(claimer.claim()).toEqual([301]);
});
