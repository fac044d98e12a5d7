import { describe, expect, it } from 'vitest';
import { migrate, SCHEMA_VERSION } from '../../../src/outbox/state/schema.ts';
import { draft, inStorage, queue, rowOf, START } from '../support.ts';
import { byUnhappyIndex } from '../../../src/outbox/state/states.ts';

const schemaOf = (sql: SqlStorage) =>
  sql
    .exec("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name")
    .toArray();

const versions = (sql: SqlStorage) =>
  sql
    .exec<{ version: number }>('SELECT version FROM schema_version')
    .toArray()
    .map(({ version }) => version);

/** What an object that was never opened holds. */
async function clear({ storage }: DurableObjectState): Promise<void> {
  await storage.deleteAll();
}

describe('the schema', () => {
  it('is made in one go in an empty object', () =>
    inStorage(async (state) => {
      await clear(state);
      migrate(state.storage);
      expect(versions(state.storage.sql)).toEqual([SCHEMA_VERSION]);
      queue(state.storage.sql, START, draft());
    }));

  it('does not change when it is brought up to date twice', () =>
    inStorage(({ storage }) => {
      const before = schemaOf(storage.sql);
      migrate(storage);
      migrate(storage);
      expect(schemaOf(storage.sql)).toEqual(before);
      expect(versions(storage.sql)).toEqual([SCHEMA_VERSION]);
    }));

  it('refuses an object that a newer deploy wrote, and says which version it found', () =>
    inStorage(({ storage }) => {
      const before = schemaOf(storage.sql);
      storage.sql.exec('UPDATE schema_version SET version = ?', SCHEMA_VERSION + 1);
      expect(() => migrate(storage)).toThrow(
        `the outbox was written by a newer deploy: schema ${SCHEMA_VERSION + 1}, this code knows ${SCHEMA_VERSION}`,
      );
      expect(schemaOf(storage.sql)).toEqual(before);
    }));

  it('leaves an object as it was when a step fails half-way', () =>
    inStorage(async (state) => {
      await clear(state);
      const { sql } = state.storage;
      // In the way of the schema, which makes it after others.
      sql.exec('CREATE TABLE messages (other TEXT)');
      const before = schemaOf(sql);
      expect(() => migrate(state.storage)).toThrow(/already exists/);
      expect(schemaOf(sql).filter(({ name }) => name !== 'schema_version')).toEqual(before);
      expect(versions(sql)).toEqual([]);
    }));

  it('brings an object of the first version up to date, with what is in it', () =>
    inStorage(({ storage }) => {
      const { sql } = storage;
      const before = schemaOf(sql);
      queue(sql, START, draft());
      for (const table of ['items', 'tellers']) sql.exec(`DROP TABLE ${table}`);
      for (const column of ['actions', 'forget', 'claimed', 'next_claim', 'about', 'fallback'])
        sql.exec(`ALTER TABLE messages DROP COLUMN ${column}`);
      for (const column of ['stored', 'replay_of', 'replayed_by', 'shards', 'home', 'item_keys', 'items'])
        sql.exec(`ALTER TABLE events DROP COLUMN ${column}`);
      for (const column of ['counters', 'newest', 'sends'])
        sql.exec(`ALTER TABLE dispatch_log DROP COLUMN ${column}`);
      sql.exec('DROP INDEX dedupe_claims_elsewhere');
      sql.exec('ALTER TABLE dedupe_claims DROP COLUMN keeper');
      sql.exec('DROP TABLE send_blocks');
      sql.exec('DROP TABLE notices');
      sql.exec('UPDATE schema_version SET version = 1');
      migrate(storage);
      expect(schemaOf(sql)).toEqual(before);
      expect(versions(sql)).toEqual([SCHEMA_VERSION]);
      expect(rowOf(sql, 1)).toMatchObject({ state: 'queued', actions: '[]', forget: 0 });
    }));

  it('finds due and unhappy messages by an index, not by looking through all', () =>
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
    }));
});
