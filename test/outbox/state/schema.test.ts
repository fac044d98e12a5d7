import { byUnhappyIndex } from '../../../src/outbox/state/message.ts';
import { expect } from 'vitest';
import { it } from '../it.ts';
import { START } from '../support.ts';

it('the tables of an outbox find due and unhappy messages, and replays, by an index', ({ sql }) => {
  const planOf = (query: string, ...values: readonly (string | number)[]) =>
    JSON.stringify(sql.exec(`EXPLAIN QUERY PLAN ${query}`, ...values).toArray());
  const due =
    'SELECT seq FROM messages WHERE next_at IS NOT NULL AND standing = ? AND next_at <= ? ORDER BY next_at, seq';
  expect(planOf(due, 0, START)).toMatch(/messages_due/);
  expect(planOf(due, 0, START)).not.toMatch(/TEMP B-TREE/);
  const dead = `SELECT seq FROM messages WHERE ${byUnhappyIndex('?')} ORDER BY seq DESC`;
  expect(planOf(dead, 'dead')).toMatch(/messages_unhappy/);
  expect(planOf('SELECT id FROM events WHERE replay_of = ?', 'evt_1')).toMatch(/events_replays/);
});
