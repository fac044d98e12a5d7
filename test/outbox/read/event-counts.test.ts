import { describe, expect, it } from 'vitest';
import { commitAcceptance } from '../../../src/outbox/accept/commit.ts';
import { listEvents } from '../../../src/outbox/read/list-events.ts';
import { newEventId } from '../../../src/lib/id.ts';
import { accepted, arrivalsIn, draft, sameBytes, START, TAG } from '../support.ts';
import { inStorage } from '../in-storage.ts';

/** Commits an event with messages in these states, each with the message that was sent in its place, if any. */
function commit(sql: SqlStorage, at: number, states: readonly string[]): void {
  const nextSeq = 1 + at * 10_000;
  const event = accepted({ id: newEventId(START + at, sameBytes), receivedAt: START + at });
  commitAcceptance(
    { sql, tag: TAG, now: START, nextSeq, arrivals: arrivalsIn(sql) },
    { event, messages: states.map(() => draft()) },
  );
  for (const [index, state] of states.entries())
    sql.exec('UPDATE messages SET state = ? WHERE seq = ?', state, nextSeq + index);
}

const countsIn = (sql: SqlStorage) =>
  listEvents({ sql, tag: TAG }, { limit: 100, isCounted: true }).items.map(({ counts }) => counts);

describe('the counts of an event in a list', () => {
  it('are its messages that were sent, were given up, and are still to come', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, 0, []);
      commit(sql, 1, ['sent', 'sent', 'dead', 'expired', 'queued', 'retrying', 'uncertain']);
      commit(sql, 2, ['cancelled', 'superseded']);
      expect(countsIn(sql)).toEqual([
        { sent: 0, failed: 0, waiting: 0 },
        { sent: 2, failed: 2, waiting: 3 },
        { sent: 0, failed: 0, waiting: 0 },
      ]);
    }));

  it('have a fallback in place of the dead message that it is for', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, 0, ['dead', 'sent']);
      // As the recorder links them.
      sql.exec(`UPDATE messages SET fallback = '{"by":2}' WHERE seq = 1`);
      expect(countsIn(sql)).toEqual([{ sent: 1, failed: 0, waiting: 0 }]);
    }));

  it('leave to other accounts what these have taken, and have as waiting what they are still to take', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, 0, ['dead', 'superseded', 'dead']);
      sql.exec(`UPDATE messages SET fallback = '{"to":{"account":"sales","message":"msg_1"}}' WHERE seq < 3`);
      sql.exec(`UPDATE messages SET fallback = '{"to":{"account":"sales"}}' WHERE seq = 3`);
      expect(countsIn(sql)).toEqual([{ sent: 0, failed: 0, waiting: 1 }]);
      const [event] = listEvents({ sql, tag: TAG }, { limit: 1, isCounted: true }).items;
      expect(event?.elsewhere).toEqual([
        { account: 'sales', message: 'msg_1' },
        { account: 'sales', message: 'msg_1' },
      ]);
    }));

  it('are only in a list that asks for them', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, 0, ['sent']);
      expect(listEvents({ sql, tag: TAG }, { limit: 1 }).items[0]).not.toHaveProperty('counts');
    }));

  it('end where a page would read more than 5,000 messages', () =>
    inStorage(({ storage: { sql } }) => {
      commit(sql, 0, ['sent']);
      commit(sql, 1, []);
      sql.exec('UPDATE events SET message_count = 5001 WHERE received_at = ?', START + 1);
      commit(sql, 2, ['sent']);
      expect(countsIn(sql)).toEqual([{ sent: 1, failed: 0, waiting: 0 }, undefined, undefined]);
    }));
});
