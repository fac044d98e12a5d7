import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate, SCHEMA_VERSION } from '../../src/outbox/state/schema.ts';
import { admin, callsTo, event, isSent, message, postJson, publish } from './relay.ts';

/** The tables as the first deploy made them. Written out: what is on a disk does not change with the code. */
const SCHEMA_1 = [
  `CREATE TABLE events (id TEXT PRIMARY KEY, source TEXT NOT NULL, type TEXT, state TEXT NOT NULL, reason TEXT,
     received_at INTEGER NOT NULL, dedupe_key TEXT, duplicates INTEGER NOT NULL DEFAULT 0, payload TEXT NOT NULL,
     headers TEXT NOT NULL, query TEXT NOT NULL, first_message INTEGER NOT NULL, message_count INTEGER NOT NULL,
     config_version INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE dedupe_claims (key TEXT PRIMARY KEY, event_id TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE messages (seq INTEGER PRIMARY KEY, event_id TEXT, source TEXT, route TEXT, kind TEXT NOT NULL, phone TEXT,
     params TEXT NOT NULL, state TEXT NOT NULL, reason TEXT, priority INTEGER NOT NULL, on_uncertain TEXT NOT NULL,
     next_at INTEGER, expires_at INTEGER, tries INTEGER NOT NULL DEFAULT 0, refusals INTEGER NOT NULL DEFAULT 0,
     attempts TEXT NOT NULL DEFAULT '[]', created_at INTEGER NOT NULL, sent_at INTEGER, config_version INTEGER NOT NULL)`,
  `CREATE INDEX messages_due ON messages (priority, next_at) WHERE next_at IS NOT NULL`,
  `CREATE INDEX messages_unhappy ON messages (state, seq) WHERE state NOT IN ('queued', 'sent')`,
  `CREATE TABLE dispatch_log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, cursor INTEGER NOT NULL,
     tokens REAL NOT NULL, flight TEXT NOT NULL)`,
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE TABLE schema_version (version INTEGER NOT NULL)',
  'INSERT INTO schema_version VALUES (1)',
];

const EVENT = 'evt_01j0000000aaaaaaaaaaaaaaaa';
const PHONES = ['4915112355001', '4915112355002', '4915112355003', '4915112355004'] as const;

/** One message sent, one retrying, one fresh, and one whose call was under way when the object stopped. */
function fill(sql: SqlStorage, now: number): void {
  for (const statement of SCHEMA_1) sql.exec(statement);
  sql.exec("INSERT INTO meta VALUES ('tag', 'oldtag0')");
  sql.exec(
    `INSERT INTO events VALUES (?, 'form', 'old', 'routed', NULL, ?, 'key', 2, '{"phone":"+${PHONES[3]}","id":"key"}', '{}', '{}', 1, 4, 1)`,
    EVENT,
    now,
  );
  sql.exec('INSERT INTO dedupe_claims VALUES (?, ?, ?)', 'form\nkey', EVENT, now + 60_000);
  const attempt = `[{"n":1,"at":${now - 10},"duration_ms":5,"outcome":"sent","http_status":200}]`;
  const rows = [
    [1, PHONES[0], 'sent', null, attempt, 1],
    [2, PHONES[1], 'retrying', now, attempt.replace('"sent"', '"busy"'), 1],
    [3, PHONES[2], 'queued', null, '[]', 0],
    [4, PHONES[3], 'queued', null, '[]', 0],
  ] as const;
  for (const [seq, phone, state, nextAt, attempts, tries] of rows) {
    sql.exec(
      `INSERT INTO messages VALUES (?, ?, 'form', 'all', 'text', ?, '{"message":"from before"}', ?, NULL, 0, 'retry', ?,
         NULL, ?, 0, ?, ?, NULL, 1)`,
      seq,
      EVENT,
      phone,
      state,
      nextAt,
      tries,
      attempts,
      now,
    );
  }
  sql.exec('INSERT INTO dispatch_log VALUES (1, ?, 3, 5, ?)', now, JSON.stringify([[3, 1, now, PHONES[2]]]));
}

describe('an outbox that the first deploy wrote', () => {
  beforeAll(async () => {
    const stub = env.OUTBOX.getByName('default');
    // Before anything of today's code runs on it: the publish is what calls the object.
    await runInDurableObject(stub, async (_outbox, { storage }) => {
      await storage.deleteAll();
      storage.transactionSync(() => fill(storage.sql, Date.now()));
    });
    await evictDurableObject(stub);
    await publish({
      accounts: { default: { rate: false, per_recipient: false, retry: ['100ms', '100ms'] } },
      sources: {
        form: {
          verify: { scheme: 'none' },
          dedupe: { key: '{{ payload.id }}' },
          routes: [{ name: 'all', to: '{{ payload.phone }}', send: { kind: 'text', message: 'hello' } }],
        },
      },
    });
  });

  it('opens under today’s code, with its tables brought up to date', () =>
    runInDurableObject(env.OUTBOX.getByName('default'), (_outbox, { storage: { sql } }) => {
      expect(sql.exec('SELECT version FROM schema_version').toArray()).toEqual([{ version: SCHEMA_VERSION }]);
    }));

  it('delivers what waited in it, and what was in flight', async () => {
    for (const seq of [2, 3, 4]) await message(`msg_00000000${seq}oldtag0`, isSent);
    for (const phone of PHONES.slice(1)) {
      const calls = await callsTo(phone);
      expect(calls.map(({ params }) => params['message'])).toEqual(['from before']);
    }
    const interrupted = await message('msg_000000003oldtag0', isSent);
    expect(interrupted.attempts.map(({ outcome }) => outcome)).toEqual(['uncertain', 'sent']);
  });

  it('shows what was sent as it was, and sends it not again', async () => {
    const sent = await message('msg_000000001oldtag0', isSent);
    expect(sent.attempts).toHaveLength(1);
    expect(sent).not.toHaveProperty('actions');
    expect(await callsTo(PHONES[0])).toEqual([]);
    const old = await event(EVENT);
    expect(old).toMatchObject({ state: 'routed', type: 'old', duplicates: 2, stored: true });
    expect(old.messages).toHaveLength(4);
  });

  it('knows its duplicates, goes on with its numbers, and replays its events', async () => {
    const again = await postJson('form', { id: 'key', phone: `+${PHONES[3]}` });
    expect(await again.json()).toMatchObject({ event: EVENT, duplicate: true });
    const fresh = await postJson('form', { id: 'other', phone: '+4915112355005' });
    const { messages } = await fresh.json<{ messages: string[] }>();
    expect(messages).toEqual(['msg_000000005oldtag0']);
    const { body } = await admin<{ messages: string[] }>('POST', `/events/${EVENT}/replay`);
    await message(body.messages[0] ?? '', isSent);
    expect((await callsTo(PHONES[3])).map(({ params }) => params['message'])).toEqual([
      'from before',
      'hello',
    ]);
  });
});

describe('an outbox that a newer deploy wrote', () => {
  it('is refused, and left as it is: reading its rows wrong would be worse than waiting for the newer code', () =>
    runInDurableObject(env.OUTBOX.getByName('newer'), (_outbox, { storage }) => {
      storage.sql.exec('UPDATE schema_version SET version = ?', SCHEMA_VERSION + 1);
      expect(() => migrate(storage)).toThrow('newer deploy');
      expect(storage.sql.exec('SELECT version FROM schema_version').toArray()).toEqual([
        { version: SCHEMA_VERSION + 1 },
      ]);
    }));
});
