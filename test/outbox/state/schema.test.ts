import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { openStore, type Migration } from '../../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../../src/outbox/state/schema.ts';
import { byUnhappyIndex } from '../../../src/outbox/state/states.ts';
import { REGISTRY_STORE } from '../../../src/registry/schema.ts';
import { it } from '../it.ts';
import { START } from '../support.ts';

/** Statements that change nothing for code that does not know of them. */
const ADDS = /^\s*(CREATE (TABLE|INDEX)|ALTER TABLE \w+ ADD COLUMN)\b/;

const digestOf = ({ statements }: Migration): string =>
  createHash('sha256').update(statements.join(';').replaceAll(/\s+/g, ' ')).digest('hex').slice(0, 16);

/** The migrations that stores may have been made by. A change of the tables is a new one at the end, with a digest here. */
const MADE = { outbox: ['a40ed88f95a38ba3'], registry: ['2f164cf6e90b0819', '306b5269de6d38cb'] };

it('a migration is not edited once a store may have been made by it', () => {
  expect(OUTBOX_STORE.migrations.map(digestOf)).toEqual(MADE.outbox);
  expect(REGISTRY_STORE.migrations.map(digestOf)).toEqual(MADE.registry);
});

it('a migration after the first adds, or says which code can read it', () => {
  for (const { migrations } of [OUTBOX_STORE, REGISTRY_STORE])
    for (const [index, { statements, readableSince }] of migrations.entries()) {
      if (readableSince !== undefined) expect(readableSince).toBeLessThanOrEqual(index + 1);
      else if (index > 0) expect(statements.filter((text) => !ADDS.test(text))).toEqual([]);
    }
});

it('a migration of one object is not applied to the other', ({ storage }) => {
  expect(() => openStore(storage, REGISTRY_STORE)).toThrow(/^the registry has tables that no release/);
});

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
