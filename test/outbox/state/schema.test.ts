import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openStore, type Migration } from '../../../src/lib/store.ts';
import { OUTBOX_STORE } from '../../../src/outbox/state/schema.ts';
import { byUnhappyIndex } from '../../../src/outbox/state/states.ts';
import { REGISTRY_STORE } from '../../../src/registry/schema.ts';
import { START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

/** Statements that change nothing for code that does not know of them. */
const ADDS = /^\s*(CREATE (TABLE|INDEX)|ALTER TABLE \w+ ADD COLUMN)\b/;

/** Returns the errors of the steps after the first. */
const errorsOf = (migrations: readonly Migration[]): readonly string[] =>
  migrations.flatMap(({ statements, readableSince }, index) => {
    const n = index + 1;
    if (readableSince !== undefined)
      return readableSince > n || readableSince < 1 ? [`${n}: readable since ${readableSince}`] : [];
    return n === 1 ? [] : statements.filter((text) => !ADDS.test(text)).map((text) => `${n}: ${text}`);
  });

const digestOf = ({ statements }: Migration): string =>
  createHash('sha256').update(statements.join(';').replaceAll(/\s+/g, ' ')).digest('hex').slice(0, 16);

/** The migrations that stores may have been made by. A change of the tables is a new one at the end, with a digest here. */
const MADE = { outbox: ['01048c5e653e8f2d'], registry: ['5fae2a013fc5a052', '306b5269de6d38cb'] };

describe('a migration', () => {
  it('is not edited once a store may have been made by it: it would be taken for one that has the change', () => {
    expect(OUTBOX_STORE.migrations.map(digestOf)).toEqual(MADE.outbox);
    expect(REGISTRY_STORE.migrations.map(digestOf)).toEqual(MADE.registry);
  });

  it.each([OUTBOX_STORE, REGISTRY_STORE])('of the $name adds, or says which code can read it', (schema) => {
    expect(errorsOf(schema.migrations)).toEqual([]);
  });

  it('that takes something away without saying so is found, and one that only code to come could read', () => {
    const [drop, add] = ['ALTER TABLE events DROP COLUMN type', 'ALTER TABLE events ADD COLUMN kind TEXT'];
    expect(
      errorsOf([
        { statements: ['CREATE TABLE events (type TEXT)'] },
        { statements: [add] },
        { statements: [drop] },
        { statements: [drop], readableSince: 2 },
        { statements: [add], readableSince: 6 },
      ]),
    ).toEqual([`3: ${drop}`, '5: readable since 6']);
  });

  it('of one object is not applied to the other', () =>
    inStorage(({ storage }) => {
      expect(() => openStore(storage, REGISTRY_STORE)).toThrow(/^the registry has tables that no release/);
    }));
});

describe('the tables of an outbox', () => {
  it('find due and unhappy messages, and replays, by an index, not by looking through all', () =>
    inStorage(({ storage: { sql } }) => {
      const planOf = (query: string, ...values: (string | number)[]) =>
        sql
          .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, ...values)
          .toArray()
          .map(({ detail }) => detail)
          .join('\n');
      const due =
        'SELECT seq FROM messages WHERE next_at IS NOT NULL AND priority = ? AND next_at <= ? ORDER BY next_at, seq';
      expect(planOf(due, 0, START)).toMatch(/messages_due/);
      expect(planOf(due, 0, START)).not.toMatch(/TEMP B-TREE/);
      const dead = `SELECT seq FROM messages WHERE ${byUnhappyIndex('?')} ORDER BY seq DESC`;
      expect(planOf(dead, 'dead')).toMatch(/messages_unhappy/);
      expect(planOf('SELECT id FROM events WHERE replay_of = ?', 'evt_1')).toMatch(/events_replays/);
    }));
});
