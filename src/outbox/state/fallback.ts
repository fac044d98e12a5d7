import { parseOwnJson } from '../../lib/json.ts';
import { insertRow, replaceRow } from '../../lib/store.ts';
import type { Further } from '../../render/fallback.ts';
import { standingIn } from '../../lib/shares.ts';
import type { About, AccountMessage, DraftMessage, MessageOrigin } from './acceptance.ts';
import { lastOutcome, UNTRIED, type Attempt, type MessageRow } from './message.ts';
import type { Wiring } from './wiring.ts';

/** A fallback that another account is to send. Plain data, since it crosses an RPC. */
export interface Handed {
  /** The message that it is sent for. The other account takes it only once, however often it comes. */
  readonly id: string;
  readonly draft: DraftMessage;
  readonly origin: MessageOrigin;
}

export type HandOnAnswer = { readonly message: string } | { readonly refusal: string };

/** The end of a fallback that was sent for a message about incidents: its receiver knows the content, or not. */
export interface EndedElsewhere {
  readonly id: string;
  readonly by: AccountMessage;
  readonly state: 'sent' | 'uncertain' | 'dead' | 'expired' | 'cancelled' | 'suppressed';
  readonly outcome: Attempt['outcome'] | null;
}

/** The column `fallback` of a message. `of` and `by` are numbers of messages. */
interface Fallback {
  /** The fallbacks, sent one after the other when it is dead. Absent: none, or the next one was queued or taken. */
  readonly next?: readonly Further[];
  /** The message that is dead, and that this one is sent for. */
  readonly of?: number;
  /** The message that was queued when this one was dead. */
  readonly by?: number;
  /** The account that sends its fallback, and the message there, once that account has taken it. */
  readonly to?: { readonly account: string; readonly message?: string };
  /** The message of another account that this one is sent for. */
  readonly from?: AccountMessage;
  /** The message of another account that waits for the outcome of this one. */
  readonly reports?: AccountMessage;
}

type HasFallback = Pick<MessageRow, 'fallback'>;

export const fallbackLinks = ({ fallback }: HasFallback): Fallback =>
  fallback === null ? {} : parseOwnJson<Fallback>(fallback);

/** Returns the column as text. It is null for nearly all messages, which costs nothing. */
export function fallbackText(next: readonly Further[] = [], handed: Pick<Fallback, 'from' | 'reports'> = {}) {
  const { from, reports } = handed;
  const column = { ...(next.length > 0 && { next }), ...(from && { from }), ...(reports && { reports }) };
  return Object.keys(column).length === 0 ? null : JSON.stringify(column satisfies Fallback);
}

export const nextAccount = (row: HasFallback): string | null => fallbackLinks(row).next?.[0]?.account ?? null;

/** When another account is to send the next fallback (ms); null: only when the message is dead. */
export function handOnAt(row: Pick<MessageRow, 'fallback' | 'created_at' | 'next_at'>): number | null {
  if (row.fallback === null) return null;
  const [step] = fallbackLinks(row).next ?? [];
  return step?.account === undefined || step.after_ms === undefined
    ? null
    : Math.max(row.created_at, row.next_at ?? 0) + step.after_ms;
}

/** The message that is sent for a dead one; null if that has no fallback, or had it already. */
export function fallbackFor(row: MessageRow, seq: number, now: number): MessageRow | null {
  const { next: [send, ...next] = [], reports } = fallbackLinks(row);
  if (send === undefined) return null;
  const links = { ...(next.length > 0 && { next }), of: row.seq, ...(reports && { reports }) };
  return {
    ...row,
    seq,
    kind: send.kind,
    params: JSON.stringify(send.params),
    phone: send.phone === undefined ? row.phone : send.phone,
    ...UNTRIED,
    // Fresh, and sent in the order of its number, unless it is urgent.
    next_at: row.priority === 1 ? now : null,
    created_at: now,
    fallback: JSON.stringify(links satisfies Fallback),
  };
}

/** As another account gets it; null if none is left. `here`: the message. */
export function handedFor(row: MessageRow, here: AccountMessage, now: number): Handed | null {
  const { next: [send, ...next] = [], reports = here } = fallbackLinks(row);
  if (send?.account === undefined) return null;
  const { kind, params, account, phone = row.phone } = send;
  return {
    id: here.message,
    draft: {
      route: row.route,
      kind,
      phone,
      params,
      expiresMs: row.expires_at === null ? null : row.expires_at - now,
      onUncertain: row.on_uncertain === 'hold' ? 'hold' : 'retry',
      priority: row.priority === 1 ? 'high' : 'normal',
      forget: row.forget === 1,
      fallback: stepsIn(account, next, { account: here.account, phone: row.phone }),
      ...(row.about !== null && { about: parseOwnJson<About>(row.about) }),
      from: here,
      ...((row.says !== null || reports !== here) && { reports }),
    },
    origin: originOf(row, now),
  };
}

/** The origin of a message that another account sends in place of this one. */
export function originOf(row: MessageRow, since: number): MessageOrigin {
  const { event_id: event, source, config_version: configVersion } = row;
  return { event, source, since, configVersion, isOpen: standingIn(row) === 'open' };
}

/** How a message that was taken from another account has ended; null if it is tried again. */
export function endFor(row: MessageRow, here: AccountMessage): EndedElsewhere | null {
  const { state } = row;
  const id = fallbackLinks(row).reports?.message;
  if (id === undefined) return null;
  if (state === 'sent' || state === 'uncertain' || state === 'dead')
    return { id, by: here, state, outcome: lastOutcome(row) ?? null };
  if (state === 'expired' || state === 'cancelled' || state === 'suppressed')
    return { id, by: here, state, outcome: null };
  return null;
}

/** Returns fallbacks of this account's message in the form of fallbacks of that account. */
const stepsIn = (
  account: string,
  steps: readonly Further[],
  from: { readonly account: string; readonly phone: string | null },
): readonly Further[] =>
  steps.map(({ account: by = from.account, phone = from.phone, after_ms, ...send }) => ({
    ...send,
    phone,
    ...(by !== account && { account: by, ...(after_ms !== undefined && { after_ms }) }),
  }));

/** A change of the column: an SQL expression with one value. */
const linking =
  (change: string) =>
  (sql: SqlStorage, seq: number, value: number | string): unknown =>
    sql.exec(`UPDATE messages SET fallback = ${change} WHERE seq = ?`, value, seq);

/** So that the dead message does not bring its replacement again. */
export const linkFallback = linking("json_set(json_remove(fallback, '$.next', '$.to'), '$.by', ?)");

const linkAccount = linking("json_set(fallback, '$.to.account', ?)");

/** Records that the account has taken it, as this message, and those after it. */
export const linkHanded = linking("json_set(json_remove(fallback, '$.next'), '$.to.message', ?)");

/** Returns the column if that account has not taken it: the remaining fallbacks are sent instead. */
export const linkNothing = (row: MessageRow): string => {
  const { to: _, next: [, ...next] = [], ...links } = fallbackLinks(row);
  return JSON.stringify({ ...links, ...(next.length > 0 && { next }) } satisfies Fallback);
};

/**
 * Messages whose fallback another account sends, or may have to. `waits`: until the message has not been sent for too
 * long. `leaves`: until the other account has taken its fallback. `away`: until the other account reports how that ended.
 * `reports`: for a message that was taken from another account, until that account knows how it ended.
 */
export interface HandingRow extends Record<string, SqlStorageValue> {
  seq: number;
  phase: 'waits' | 'leaves' | 'away' | 'reports';
  account: string | null;
  /** The time since which it is in this phase (ms). */
  since: number;
  tries: number;
  next_at: number;
}

/** Needs a row only if a fallback has `after`. */
export function watchMessage(
  sql: SqlStorage,
  row: Pick<MessageRow, 'seq' | 'fallback' | 'created_at' | 'next_at'>,
  now: number,
): void {
  const at = handOnAt(row);
  const handing = { seq: row.seq, phase: 'waits', since: now, next_at: at };
  if (at !== null) insertRow(sql, 'handings', handing, 'ON CONFLICT DO NOTHING');
}

export const handingOf = (sql: SqlStorage, seq: number): HandingRow | null =>
  sql.exec<HandingRow>('SELECT * FROM handings WHERE seq = ?', seq).toArray()[0] ?? null;

/** True if another account has a message's fallback, or is to get it. */
export const isWithOthers = (sql: SqlStorage, seq: number): boolean =>
  ['leaves', 'away'].includes(handingOf(sql, seq)?.phase ?? '');

/** Claims of other accounts' messages belong to no event. */
export const sweepHandedClaims = (sql: SqlStorage, now: number): unknown =>
  sql.exec("DELETE FROM dedupe_claims WHERE key >= '@' AND key < 'A' AND expires_at < ?", now);

/** What is to be given to other accounts, and reported to them: a row for each, until the other account has answered. */
export class Handings {
  readonly #deps: Pick<Wiring, 'sql' | 'alarm' | 'clock'>;
  /** True if a row was written that nobody has looked at. */
  isAsked = false;

  constructor(deps: Pick<Wiring, 'sql' | 'alarm' | 'clock'>) {
    this.#deps = deps;
  }

  leave(row: MessageRow): void {
    const to = nextAccount(row) ?? '';
    linkAccount(this.#deps.sql, row.seq, to);
    this.#add(row.seq, 'leaves', to);
  }

  /** Has the end of a message reported to the account that it was taken from. False if nobody there waits. */
  report(row: MessageRow): boolean {
    const { reports } = fallbackLinks(row);
    if (reports !== undefined) this.#add(row.seq, 'reports', reports.account);
    return reports !== undefined;
  }

  /** The commit that is being made writes what has to be done at once; the alarm makes sure of it. */
  #add(seq: number, phase: HandingRow['phase'], account: string): void {
    const { sql, alarm, clock } = this.#deps;
    const now = clock();
    replaceRow(sql, 'handings', { seq, phase, account, since: now, next_at: now });
    this.isAsked = true;
    alarm.bringForward(now);
  }

  remove(seq: number): void {
    this.#deps.sql.exec('DELETE FROM handings WHERE seq = ?', seq);
  }

  nextAt(): number | null {
    return this.#deps.sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM handings').one().at;
  }
}
