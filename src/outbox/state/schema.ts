import { SERIES_TABLE } from '../../counts/series.ts';
import type { StoreSchema } from '../../lib/store.ts';

/**
 * Cloudflare bills rows written, and a flush to disk costs as much as the rows in it, so the tables need few of them:
 * - `WITHOUT ROWID` where the key is text: the row is its own index (one row written, not two).
 * - A fresh message is found by its sequence number (see `checkpoint.cursor`); only one that has to wait for a moment
 *   (a retry, a delay, an urgent one) is in the index `messages_due`.
 * - Attempts are kept in their message's row. There are few, and they are always read with it.
 * - `sending` is not a state of the message's row. The checkpoint has the messages in flight; those whose attempt has a
 *   record are not in flight any more.
 */
export const OUTBOX_STORE: StoreSchema = {
  name: 'outbox',
  version: 1,
  statements: [
    // `stored`: 0 if the source keeps no payloads: payload, headers and query are `null`, and so is `subject`. A large
    // payload is a BLOB, see `Packed`. `item_keys`: what the event claimed, deleted together with it.
    `CREATE TABLE events (
       id TEXT PRIMARY KEY, source TEXT NOT NULL, type TEXT,
       state TEXT NOT NULL, reason TEXT,
       received_at INTEGER NOT NULL, dedupe_key TEXT, duplicates INTEGER NOT NULL DEFAULT 0,
       payload TEXT NOT NULL, headers TEXT NOT NULL, query TEXT NOT NULL,
       first_message INTEGER NOT NULL, message_count INTEGER NOT NULL,
       config_version INTEGER NOT NULL,
       stored INTEGER NOT NULL DEFAULT 1, replay_of TEXT, replayed_by TEXT,
       item_keys TEXT NOT NULL DEFAULT '[]', items TEXT NOT NULL DEFAULT '[]',
       subject TEXT, locale TEXT
     ) WITHOUT ROWID`,
    // Few events are replays, and only these need one row more.
    `CREATE INDEX events_replays ON events (replay_of) WHERE replay_of IS NOT NULL`,
    `CREATE TABLE dedupe_claims (key TEXT PRIMARY KEY, event_id TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID`,
    // See `MessageRow`.
    `CREATE TABLE messages (
       seq INTEGER PRIMARY KEY, event_id TEXT, source TEXT, route TEXT,
       kind TEXT NOT NULL, phone TEXT, params TEXT NOT NULL,
       state TEXT NOT NULL, reason TEXT,
       priority INTEGER NOT NULL, standing INTEGER NOT NULL, on_uncertain TEXT NOT NULL,
       next_at INTEGER, expires_at INTEGER, tries INTEGER NOT NULL DEFAULT 0,
       refusals INTEGER NOT NULL DEFAULT 0, attempts TEXT NOT NULL DEFAULT '[]', created_at INTEGER NOT NULL,
       sent_at INTEGER, config_version INTEGER NOT NULL, actions TEXT NOT NULL DEFAULT '[]',
       forget INTEGER NOT NULL DEFAULT 0, about TEXT, says TEXT, fallback TEXT, links TEXT, escaped INTEGER
     )`,
    `CREATE INDEX messages_due ON messages (standing, next_at) WHERE next_at IS NOT NULL`,
    // Messages about incidents that are on their way are read when the object starts; see `incidents/store.ts`.
    `CREATE INDEX messages_saying ON messages (seq) WHERE says IS NOT NULL AND state IN ('queued', 'retrying')`,
    `CREATE INDEX messages_unhappy ON messages (state, seq) WHERE state NOT IN ('queued', 'sent')`,
    // One row, see `claims.ts`. `sends`: those that are not in a block yet. `counted`: see `counters.ts`.
    `CREATE TABLE checkpoint (
       id INTEGER PRIMARY KEY,
       at INTEGER NOT NULL, cursor INTEGER NOT NULL, tokens REAL NOT NULL,
       flight TEXT NOT NULL, sends BLOB NOT NULL, counted TEXT NOT NULL
     )`,
    `CREATE TABLE send_blocks (id INTEGER PRIMARY KEY, last_at INTEGER NOT NULL, sends BLOB NOT NULL)`,
    // The day of a receiver's first call, and 1 if it was for an open source; see `contacts.ts`.
    `CREATE TABLE contacts (phone TEXT PRIMARY KEY, day INTEGER NOT NULL, open INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
    // Notifications for the account's owner, until they are sent.
    `CREATE TABLE notices (
       id INTEGER PRIMARY KEY, notice TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL
     )`,
    // Messages whose fallback another account sends, or may have to; see `fallback.ts`.
    `CREATE TABLE handings (
       seq INTEGER PRIMARY KEY, phase TEXT NOT NULL, account TEXT,
       since INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL
     )`,
    `CREATE INDEX handings_due ON handings (next_at)`,
    // Urgent messages that are not sent yet, and the time when the escape channel is to get them; see `escapes.ts`.
    `CREATE TABLE escapes (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL)`,
    // Incidents, and items that belong to none, of each receiver; see `incidents/store.ts`. `closed_at` is 0 while
    // there is something left to say. Its index finds the open incidents as well as the old ones.
    // JSON: `inhibited_by` (names of incidents), `event` and `value` (of the newest item) and `state` (an `Incident`).
    `CREATE TABLE incidents (
       id TEXT NOT NULL, phone TEXT NOT NULL,
       source TEXT NOT NULL, route TEXT NOT NULL, key TEXT NOT NULL,
       grouped TEXT, inhibited_by TEXT NOT NULL,
       event TEXT NOT NULL, value TEXT NOT NULL, stored INTEGER NOT NULL,
       state TEXT NOT NULL, closed_at INTEGER NOT NULL,
       PRIMARY KEY (id, phone)
     ) WITHOUT ROWID`,
    `CREATE INDEX incidents_closed ON incidents (closed_at)`,
    // Those that expired after their receiver was notified: a group's messages count them, see `incidents/store.ts`.
    `CREATE INDEX incidents_unheard ON incidents (source, route, phone, grouped, closed_at)
       WHERE state ->> 'lost' = 'expired' AND state ->> 'believed' <> 'closed'`,
    // When a receiver was last sent something from a route, and since when messages are held back.
    `CREATE TABLE subscribers (
       source TEXT NOT NULL, route TEXT NOT NULL, phone TEXT NOT NULL,
       state TEXT NOT NULL, used_at INTEGER NOT NULL,
       PRIMARY KEY (source, route, phone)
     ) WITHOUT ROWID`,
    // Incidents that opened beyond the bounds, per group of a receiver; see `incidents/beyond.ts`. `keys`:
    // hashes of the keys that are to be summarized, `names`: JSON, the first few of them, `said`: hashes of those
    // that were summarized, as long as they may be open.
    // `ended`: the number of the latter that are over, `told`: 1 if a message of the group has counted them.
    // `free_at`: the time when the next summary may be sent, `next_at`: when there is something to do.
    `CREATE TABLE beyond (
       source TEXT NOT NULL, phone TEXT NOT NULL, route TEXT NOT NULL, grouped TEXT NOT NULL,
       count INTEGER NOT NULL, ended INTEGER NOT NULL, since INTEGER NOT NULL,
       next_at INTEGER NOT NULL, free_at INTEGER NOT NULL, heard_at INTEGER NOT NULL,
       names TEXT NOT NULL, keys BLOB NOT NULL, said BLOB NOT NULL, told INTEGER NOT NULL,
       PRIMARY KEY (source, phone, route, grouped)
     ) WITHOUT ROWID`,
    `CREATE INDEX beyond_due ON beyond (next_at)`,
    // What senders said of incidents before these opened, until a time (ms); see `incidents/store.ts`.
    `CREATE TABLE early (
       source TEXT NOT NULL, route TEXT NOT NULL, key TEXT NOT NULL, is_end INTEGER NOT NULL,
       at INTEGER NOT NULL, by TEXT, until INTEGER NOT NULL,
       PRIMARY KEY (source, route, key, is_end)
     ) WITHOUT ROWID`,
    SERIES_TABLE,
  ],
};
