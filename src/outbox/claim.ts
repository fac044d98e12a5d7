import type { AccountPolicy } from '../config/config.ts';
import type { Pace } from './pace.ts';

/** A message that could be sent now. */
export interface Candidate extends Record<string, SqlStorageValue> {
  seq: number;
  phone: string | null;
  next_at: number | null;
  expires_at: number | null;
}

/** What a choice depends on, besides the table. */
export interface ClaimRules {
  readonly sql: SqlStorage;
  readonly policy: Pick<AccountPolicy, 'perRecipient'>;
  readonly pace: Pace;
  readonly now: number;
  /** No fresh message up to this number is waiting for its turn. */
  readonly cursor: number;
  /** Messages in flight; they still stand in the table as they were before their claim. */
  readonly inFlight: ReadonlySet<number>;
  /** Receivers of the messages in flight: one at a time each, so that order is kept. */
  readonly busyPhones: ReadonlySet<string>;
  /** How many may be claimed. */
  readonly room: number;
  /** Told of each message that was marked as expired. */
  readonly onExpired?: (seq: number) => void;
}

/** What to send, in order, and how far the cursor has come by it. */
export interface Choice {
  readonly chosen: readonly Candidate[];
  readonly cursor: number;
}

/** How many waiting messages one claim looks at: enough to find some whose receiver is free, cheap to read. */
const WINDOW = 64;

/**
 * Chooses the next messages: urgent before normal, those whose moment has come before fresh ones, fresh ones in the
 * order accepted. A receiver that is full for the hour has its messages moved to the moment when it is not; one that
 * is busy keeps its place. Messages that are too old to be sent are marked so on the way.
 */
export function chooseMessages(rules: ClaimRules): Choice {
  const chosen: Candidate[] = [];
  const busy = new Set(rules.busyPhones);
  const take = (candidate: Candidate): void => {
    chosen.push(candidate);
    if (candidate.phone !== null) busy.add(candidate.phone);
  };

  for (const priority of [1, 0]) {
    const due = dueMessages(rules, priority);
    for (const candidate of due) {
      if (rules.inFlight.has(candidate.seq) || isBusy(busy, candidate)) continue;
      // Looked at even when there is no room left: of a full receiver all are moved together, so their order stays.
      if (isSendable(rules, candidate) && chosen.length < rules.room) take(candidate);
    }
    // More are due than were looked at: fresh messages to the same receivers must not overtake them.
    if (due.length >= WINDOW + rules.inFlight.size) return { chosen, cursor: rules.cursor };
  }
  return { chosen, cursor: chooseFresh(rules, chosen, busy, take) };
}

/** Takes fresh messages in order and returns the new cursor. */
function chooseFresh(
  rules: ClaimRules,
  chosen: readonly Candidate[],
  busy: ReadonlySet<string>,
  take: (candidate: Candidate) => void,
): number {
  let { cursor } = rules;
  let passedOver: Candidate[] = [];
  const fresh = freshMessages(rules);
  for (const candidate of fresh) {
    if (chosen.length >= rules.room) return cursor;
    if (isBusy(busy, candidate)) {
      passedOver.push(candidate);
    } else if (isSendable(rules, candidate)) {
      // The cursor moves past those that wait for their receiver, so each gets a moment of its own: now.
      for (const skipped of passedOver) park(rules, skipped, Math.max(rules.now, opensAt(rules, skipped)));
      passedOver = [];
      take(candidate);
      cursor = candidate.seq;
    } else if (passedOver.length === 0) {
      cursor = candidate.seq;
    }
  }
  // No fresh one is left: the next look need not read past all that were sent, or wait for a moment of their own.
  return passedOver.length === 0 && fresh.length < WINDOW ? Math.max(cursor, newest(rules)) : cursor;
}

const newest = ({ sql }: ClaimRules): number =>
  sql.exec<{ seq: number | null }>('SELECT max(seq) AS seq FROM messages').one().seq ?? 0;

const isBusy = (busy: ReadonlySet<string>, { phone }: Candidate): boolean =>
  phone !== null && busy.has(phone);

/** False when the message is out of date, or its receiver full: then it is marked or moved. */
function isSendable(rules: ClaimRules, candidate: Candidate): boolean {
  if (candidate.expires_at !== null && candidate.expires_at <= rules.now) {
    rules.sql.exec(
      "UPDATE messages SET state = 'expired', next_at = NULL, reason = 'older than the route''s `expires`' WHERE seq = ?",
      candidate.seq,
    );
    rules.onExpired?.(candidate.seq);
    return false;
  }
  const until = opensAt(rules, candidate);
  if (until <= rules.now) return true;
  park(rules, candidate, until);
  return false;
}

const opensAt = ({ pace, policy, now }: ClaimRules, { phone }: Candidate): number =>
  pace.nextSendToAt(policy.perRecipient, phone, now);

const park = ({ sql }: ClaimRules, { seq }: Candidate, until: number): void => {
  sql.exec('UPDATE messages SET next_at = ? WHERE seq = ?', until, seq);
};

function dueMessages({ sql, now, inFlight }: ClaimRules, priority: number): Candidate[] {
  // Messages in flight still stand in the index: they are read on top of the window, not in place of others.
  const due = sql
    .exec<Candidate>(
      `SELECT seq, phone, next_at, expires_at FROM messages
         WHERE next_at IS NOT NULL AND priority = ? AND next_at <= ? ORDER BY next_at, seq LIMIT ?`,
      priority,
      now,
      WINDOW + inFlight.size,
    )
    .toArray();
  // Their moments are past, so it is their order that counts again.
  return due.sort((a, b) => a.seq - b.seq);
}

function freshMessages({ sql, cursor }: ClaimRules): Candidate[] {
  return sql
    .exec<Candidate>(
      `SELECT seq, phone, next_at, expires_at FROM messages
         WHERE seq > ? AND state = 'queued' AND next_at IS NULL ORDER BY seq LIMIT ?`,
      cursor,
      WINDOW,
    )
    .toArray();
}
