import { parseOwnJson } from '../../lib/own-json.ts';
import type { Acceptance, AcceptedEvent, DraftMessage, Receipt } from '../state/acceptance.ts';
import { claimKey, itemClaimKey } from '../state/claim-key.ts';
import { messageId } from '../state/message.ts';

/** What {@link commitAcceptance} needs of its outbox. */
export interface CommitContext {
  readonly sql: SqlStorage;
  /** The outbox's random tag, part of each message id. */
  readonly tag: string;
  readonly now: number;
  /** The sequence number of the next message. */
  readonly nextSeq: number;
  /** A claim that says that this object keeps the event is out of date: it was this object that handed it in. */
  readonly handedBy?: number | undefined;
}

/** Which event has a key, and which other object keeps it; null: this one. */
interface Claim {
  readonly id: string;
  readonly keeper: number | null;
}

/** The sender's receipt, and how many messages were queued by it: none for a duplicate. */
export interface Committed {
  readonly receipt: Receipt;
  readonly queued: number;
  /** False: the event was there already, by its key or because it was handed in twice. */
  readonly isNew: boolean;
}

/**
 * Takes an event over: dedupe claim, event and messages, in the caller's transaction. The same event handed in twice
 * (the Worker repeats a call whose answer was lost) is committed once.
 */
export function commitAcceptance(bare: CommitContext, acceptance: Acceptance): Committed {
  const { event, messages, keeper, handed } = acceptance;
  const context = { ...bare, handedBy: handed?.by };
  const first = firstOf(context, event, handed?.own ?? event.id);
  if (first !== null) {
    addDuplicate(context, event, first);
    if (first.keeper !== null) return keptBy(first.keeper, first.id);
    return { receipt: receiptOf(context, first.id, true), queued: 0, isNew: false };
  }
  if (keeper !== undefined) {
    claimOwn(context, event, keeper);
    claimSigned(context, event, unclaimedSigned(context, event), keeper);
    return keptBy(keeper, event.id);
  }
  const { fresh, keys, reason } = unseenItems(context, event, messages);
  const signed = unclaimedSigned(context, event);
  const claimed = [...keys, ...signed];
  if (!insertEvent(context, { ...event, reason: joined(event.reason, reason) }, fresh.length, claimed)) {
    return { receipt: receiptOf(context, event.id, false), queued: 0, isNew: false };
  }
  claimOwn(context, event);
  for (const key of keys) insertClaim(context, event, itemClaimKey(event.source, key), event.itemWindowMs);
  claimSigned(context, event, signed);
  const { id, source, receivedAt, configVersion } = event;
  const ids = insertMessages(context, fresh, { event: id, source, since: receivedAt, configVersion });
  return {
    receipt: { event: id, duplicate: false, messages: ids, ...furtherShards(event.shards) },
    queued: fresh.length,
    isNew: true,
  };
}

const keptBy = (keeper: number, event: string): Committed => ({
  receipt: { event, duplicate: false, messages: [], keeper },
  queued: 0,
  isNew: false,
});

/** The event that this one repeats: by its own key, or because everything signed in it was taken before. */
function firstOf(context: CommitContext, event: AcceptedEvent, id: string): Claim | null {
  const { dedupe, signed, source } = event;
  const byKey = dedupe === null ? null : claimedBy(context, claimKey(source, dedupe.key));
  if (byKey !== null && byKey.id !== id) return byKey;
  const takers = (signed?.keys ?? []).map((key) => claimedBy(context, itemClaimKey(source, key)));
  return takers.every((taker) => taker !== null && taker.id !== id) ? (takers[0] ?? null) : null;
}

/**
 * So many characters of keys may stand in an event's row, of the 2 MB that it has; what is claimed beyond is claimed for
 * good. Only an event whose key is always the same is repeated a thousand times, and signed anew each time.
 */
const MAX_KEYS_OF_DUPLICATES = 60_000;

/** Counts a duplicate. What was signed anew for it makes no other event either: the first one claims that, too. */
function addDuplicate(context: CommitContext, event: AcceptedEvent, first: Claim): void {
  const signed = unclaimedSigned(context, event);
  claimSigned(context, { ...event, id: first.id }, signed, first.keeper);
  if (signed.length === 0)
    context.sql.exec('UPDATE events SET duplicates = duplicates + 1 WHERE id = ?', first.id);
  for (const key of signed)
    context.sql.exec(
      `UPDATE events SET duplicates = duplicates + ?, item_keys = CASE
         WHEN length(item_keys) < ${MAX_KEYS_OF_DUPLICATES} THEN json_insert(item_keys, '$[#]', ?) ELSE item_keys END
         WHERE id = ?`,
      key === signed[0] ? 1 : 0,
      key,
      first.id,
    );
}

const unclaimedSigned = (context: CommitContext, { source, signed }: AcceptedEvent): readonly string[] =>
  (signed?.keys ?? []).filter((key) => claimedBy(context, itemClaimKey(source, key)) === null);

function claimOwn(context: CommitContext, event: AcceptedEvent, keeper: number | null = null): void {
  const { source, dedupe } = event;
  if (dedupe !== null) insertClaim(context, event, claimKey(source, dedupe.key), dedupe.windowMs, keeper);
}

function claimSigned(
  context: CommitContext,
  event: AcceptedEvent,
  keys: readonly string[],
  keeper: number | null = null,
): void {
  for (const key of keys)
    insertClaim(context, event, itemClaimKey(event.source, key), event.signed?.windowMs ?? 0, keeper);
}

const joined = (one: string | null, other: string | null): string | null =>
  one !== null && other !== null ? `${one}\n${other}` : (one ?? other);

interface UnseenItems {
  readonly fresh: readonly DraftMessage[];
  /** The ids of their things, each once. */
  readonly keys: readonly string[];
  /** What was left out, for a person; null: nothing. */
  readonly reason: string | null;
}

/** A provider that did not hear our answer may put its next list together anew: what it brought before is left out. */
function unseenItems(
  context: CommitContext,
  event: AcceptedEvent,
  messages: readonly DraftMessage[],
): UnseenItems {
  const keys = new Set(messages.flatMap(({ itemKey }) => (itemKey === undefined ? [] : [itemKey])));
  const seen = new Map<string, string>();
  for (const key of keys) {
    const by = claimedBy(context, itemClaimKey(event.source, key));
    if (by !== null && by.id !== event.id) seen.set(key, by.id);
  }
  const fresh = messages.filter(({ itemKey }) => itemKey === undefined || !seen.has(itemKey));
  const left = messages.length - fresh.length;
  const reason =
    left === 0
      ? null
      : `${left} of its ${messages.length} messages were left out: what they are about came before, in ${[...new Set(seen.values())].slice(0, 3).join(', ')}`;
  return { fresh, keys: [...keys].filter((key) => !seen.has(key)), reason };
}

/** Where messages come from; `since` (ms) is what their `expires` counts from. */
export interface Origin {
  /** Null: sent by hand through the admin API. */
  readonly event: string | null;
  readonly source: string | null;
  readonly since: number;
  readonly configVersion: number;
}

/** Queues messages, in the caller's transaction, and returns their ids. */
export function insertMessages(
  context: CommitContext,
  messages: readonly DraftMessage[],
  origin: Origin,
): readonly string[] {
  return messages.map((message, index) => {
    insertMessage(context, context.nextSeq + index, origin, message);
    return messageId(context.nextSeq + index, context.tag);
  });
}

/** Whether this very event is there already, or one that it repeats. */
export function isKnown(context: CommitContext, event: AcceptedEvent): 'taken' | 'duplicate' | null {
  const first = event.dedupe === null ? null : claimedBy(context, claimKey(event.source, event.dedupe.key));
  if (first !== null) return first.id === event.id ? 'taken' : 'duplicate';
  const stored = context.sql.exec('SELECT 1 FROM events WHERE id = ?', event.id).toArray();
  return stored.length > 0 ? 'taken' : null;
}

function claimedBy({ sql, now, handedBy }: CommitContext, key: string): Claim | null {
  const claim = sql
    .exec<{ event_id: string; expires_at: number; keeper: number | null }>(
      'SELECT event_id, expires_at, keeper FROM dedupe_claims WHERE key = ?',
      key,
    )
    .toArray()[0];
  if (claim === undefined || claim.expires_at <= now) return null;
  return handedBy !== undefined && claim.keeper === handedBy
    ? null
    : { id: claim.event_id, keeper: claim.keeper };
}

function insertClaim(
  { sql }: CommitContext,
  event: AcceptedEvent,
  key: string,
  windowMs: number,
  keeper: number | null = null,
): void {
  sql.exec(
    'INSERT OR REPLACE INTO dedupe_claims (key, event_id, expires_at, keeper) VALUES (?, ?, ?, ?)',
    key,
    event.id,
    event.receivedAt + windowMs,
    keeper,
  );
}

/** False when the event is there already. */
function insertEvent(
  { sql, nextSeq }: CommitContext,
  event: AcceptedEvent,
  messageCount: number,
  itemKeys: readonly string[],
): boolean {
  const cursor = sql.exec(
    `INSERT INTO events (id, source, type, state, reason, received_at, dedupe_key, payload, headers, query,
       first_message, message_count, config_version, stored, replay_of, replayed_by,
       shards, home, item_keys)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    event.id,
    event.source,
    event.type,
    event.state,
    event.reason,
    event.receivedAt,
    event.dedupe?.key ?? null,
    event.payload,
    event.headers,
    event.query,
    nextSeq,
    messageCount,
    event.configVersion,
    event.stored ? 1 : 0,
    event.replay?.of ?? null,
    event.replay?.by ?? null,
    JSON.stringify(event.shards),
    event.isHome ? 1 : 0,
    JSON.stringify(itemKeys),
  );
  return cursor.rowsWritten > 0;
}

function insertMessage(
  { sql, now }: CommitContext,
  seq: number,
  origin: Origin,
  message: DraftMessage,
): void {
  // A fresh message has no `next_at`: its place in the sequence is its turn. See schema.ts.
  const waits = message.delayMs > 0 || message.priority === 'high';
  sql.exec(
    `INSERT INTO messages (seq, event_id, source, route, kind, phone, params, state, priority, on_uncertain, next_at,
       expires_at, created_at, config_version, forget)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    origin.event,
    origin.source,
    message.route,
    message.kind,
    message.phone,
    JSON.stringify(message.params),
    message.priority === 'high' ? 1 : 0,
    message.onUncertain,
    waits ? now + message.delayMs : null,
    message.expiresMs === null ? null : origin.since + message.expiresMs,
    now,
    origin.configVersion,
    message.forget ? 1 : 0,
  );
}

/** The receipt of an event that is there already. Its messages are numbered in a row: one transaction wrote them all. */
function receiptOf({ sql, tag }: CommitContext, eventId: string, duplicate: boolean): Receipt {
  const row = sql
    .exec<{ first_message: number; message_count: number; shards: string }>(
      'SELECT first_message, message_count, shards FROM events WHERE id = ?',
      eventId,
    )
    .toArray()[0];
  if (row === undefined) return { event: eventId, duplicate, messages: [] };
  const messages = Array.from({ length: row.message_count }, (_, index) =>
    messageId(row.first_message + index, tag),
  );
  return {
    event: eventId,
    duplicate,
    messages,
    ...furtherShards(parseOwnJson<readonly number[]>(row.shards)),
  };
}

/** Nothing for most accounts, which have one object. */
const furtherShards = (shards: readonly number[]): { shards?: readonly number[] } =>
  shards.length === 0 ? {} : { shards };
