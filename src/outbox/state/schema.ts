import { SERIES_TABLE } from '../../counts/series.ts';

/**
 * The tables of an outbox. Each entry of {@link MIGRATIONS} brings an object from the version of its index to the next.
 * An object of an older deploy is migrated when it starts, before it does anything else.
 *
 * Cloudflare bills rows written, and they are what a flush to disk costs, so the tables need few of them:
 * - `WITHOUT ROWID` where the key is text: the row is its own index (one row written, not two).
 * - A fresh message is found by its sequence number (see `dispatch_log.cursor`); only one that has to wait for a moment
 *   (a retry, a delay, an urgent one) is in the index `messages_due`.
 * - Attempts are kept in their message's row. There are few, and they are always read with it.
 * - `sending` is not a state of the message's row. What is in flight is said by the row that accepts a message, by the row
 *   that records another one, or else by one of `dispatch_log` for a claim of several messages.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE events (
       id TEXT PRIMARY KEY,
       source TEXT NOT NULL,
       type TEXT,
       state TEXT NOT NULL,
       reason TEXT,
       received_at INTEGER NOT NULL,
       dedupe_key TEXT,
       duplicates INTEGER NOT NULL DEFAULT 0,
       payload TEXT NOT NULL,
       headers TEXT NOT NULL,
       query TEXT NOT NULL,
       first_message INTEGER NOT NULL,
       message_count INTEGER NOT NULL,
       config_version INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE dedupe_claims (
       key TEXT PRIMARY KEY,
       event_id TEXT NOT NULL,
       expires_at INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE TABLE messages (
       seq INTEGER PRIMARY KEY,
       event_id TEXT,
       source TEXT,
       route TEXT,
       kind TEXT NOT NULL,
       phone TEXT,
       params TEXT NOT NULL,
       state TEXT NOT NULL,
       reason TEXT,
       priority INTEGER NOT NULL,
       on_uncertain TEXT NOT NULL,
       next_at INTEGER,
       expires_at INTEGER,
       tries INTEGER NOT NULL DEFAULT 0,
       refusals INTEGER NOT NULL DEFAULT 0,
       attempts TEXT NOT NULL DEFAULT '[]',
       created_at INTEGER NOT NULL,
       sent_at INTEGER,
       config_version INTEGER NOT NULL
     )`,
    `CREATE INDEX messages_due ON messages (priority, next_at) WHERE next_at IS NOT NULL`,
    `CREATE INDEX messages_unhappy ON messages (state, seq) WHERE state NOT IN ('queued', 'sent')`,
    `CREATE TABLE dispatch_log (
       id INTEGER PRIMARY KEY,
       at INTEGER NOT NULL,
       cursor INTEGER NOT NULL,
       tokens REAL NOT NULL,
       flight TEXT NOT NULL
     )`,
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  ],
  [
    // What people did to a message: who, when, what.
    `ALTER TABLE messages ADD COLUMN actions TEXT NOT NULL DEFAULT '[]'`,
    // 1: the source keeps no payloads, so the parameters are deleted as soon as the message will not be sent any more.
    `ALTER TABLE messages ADD COLUMN forget INTEGER NOT NULL DEFAULT 0`,
    // 0: the source keeps no payloads; payload, headers and query are empty.
    `ALTER TABLE events ADD COLUMN stored INTEGER NOT NULL DEFAULT 1`,
    `ALTER TABLE events ADD COLUMN replay_of TEXT`,
    `ALTER TABLE events ADD COLUMN replayed_by TEXT`,
    // An account of several objects: which others hold messages of this event, and whether this one lists it.
    `ALTER TABLE events ADD COLUMN shards TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE events ADD COLUMN home INTEGER NOT NULL DEFAULT 1`,
    // Notifications for the account's owner, until they are sent.
    `CREATE TABLE notices (
       id INTEGER PRIMARY KEY,
       notice TEXT NOT NULL,
       tries INTEGER NOT NULL DEFAULT 0,
       next_at INTEGER NOT NULL
     )`,
  ],
  [
    // The ids of items that the event claimed: its claims are deleted together with it.
    `ALTER TABLE events ADD COLUMN item_keys TEXT NOT NULL DEFAULT '[]'`,
  ],
  [
    // The counters, in some of the claims; see `counters.ts`.
    `ALTER TABLE dispatch_log ADD COLUMN counters TEXT`,
    // Where there are messages already, counting begins with the next one.
    `INSERT INTO meta (key, value) SELECT 'counted_from', max(seq) + 1 FROM messages HAVING count(*) > 0`,
  ],
  [
    // Times and receivers of sends; see `send-blocks.ts`. `claim`: the last one whose sends it has.
    `CREATE TABLE send_blocks (
       id INTEGER PRIMARY KEY,
       claim INTEGER NOT NULL,
       last_at INTEGER NOT NULL,
       sends BLOB NOT NULL
     )`,
  ],
  [
    // The other object of the account that keeps the event, since `shards` changed.
    `ALTER TABLE dedupe_claims ADD COLUMN keeper INTEGER`,
    `CREATE INDEX dedupe_claims_elsewhere ON dedupe_claims (expires_at) WHERE keeper IS NOT NULL`,
  ],
  [
    // Claims that need no row of their own; see `claim-tail.ts`.
    `ALTER TABLE messages ADD COLUMN claimed REAL`,
    `ALTER TABLE messages ADD COLUMN next_claim TEXT`,
    `ALTER TABLE dispatch_log ADD COLUMN newest INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE dispatch_log ADD COLUMN sends TEXT`,
    // No message that is there already is claimed in its own row.
    `UPDATE dispatch_log SET newest = coalesce((SELECT max(seq) FROM messages), 0)
       WHERE id = (SELECT max(id) FROM dispatch_log)`,
  ],
  [
    // Incidents, and items that belong to none, of each receiver; see `incidents/store.ts`. `closed_at`, 0 while there is
    // something left to tell, finds the open ones and the old ones by one index.
    `CREATE TABLE items (
       source TEXT NOT NULL,
       route TEXT NOT NULL,
       key TEXT NOT NULL,
       phone TEXT NOT NULL,
       grouped TEXT,
       unless_open TEXT NOT NULL,
       event TEXT NOT NULL,
       value TEXT NOT NULL,
       stored INTEGER NOT NULL,
       state TEXT NOT NULL,
       closed_at INTEGER NOT NULL,
       PRIMARY KEY (source, route, key, phone)
     ) WITHOUT ROWID`,
    `CREATE INDEX items_closed ON items (closed_at)`,
    // When a receiver was told something of a route, and since when messages are held back.
    `CREATE TABLE tellers (
       source TEXT NOT NULL,
       route TEXT NOT NULL,
       phone TEXT NOT NULL,
       state TEXT NOT NULL,
       told_at INTEGER NOT NULL,
       PRIMARY KEY (source, route, phone)
     ) WITHOUT ROWID`,
    // Where an event's items are.
    `ALTER TABLE events ADD COLUMN items TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE messages ADD COLUMN about TEXT`,
  ],
  [
    // What is sent instead when it is dead, and the messages before and after it; see `fallback.ts`.
    `ALTER TABLE messages ADD COLUMN fallback TEXT`,
  ],
  [
    // What was counted in each hour; see `series.ts`.
    SERIES_TABLE,
  ],
];

/** The version that this code writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings the object's tables to {@link SCHEMA_VERSION}; all of it or nothing. */
export function migrate(storage: DurableObjectStorage): void {
  const { sql } = storage;
  sql.exec('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)');
  const row = sql.exec<{ version: number }>('SELECT version FROM schema_version').toArray()[0];
  const from = row?.version ?? 0;
  if (from === SCHEMA_VERSION) return;
  if (from > SCHEMA_VERSION) {
    // After a rollback of the deploy: this code could misread rows. The alarm and the sender try again later.
    throw new Error(
      `the outbox was written by a newer deploy: schema ${from}, this code knows ${SCHEMA_VERSION}`,
    );
  }
  storage.transactionSync(() => {
    for (const statements of MIGRATIONS.slice(from)) for (const statement of statements) sql.exec(statement);
    sql.exec(
      row ? 'UPDATE schema_version SET version = ?' : 'INSERT INTO schema_version VALUES (?)',
      SCHEMA_VERSION,
    );
  });
}
