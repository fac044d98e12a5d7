import type { MessageKind } from '../../gateway/kinds.ts';
import type { Outcome } from '../../gateway/outcome.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { Params } from '../../lib/problem.ts';
import type { ReasonCode } from '../../lib/api-codes.ts';
import type { Reason } from '../../lib/reason.ts';
import { DUE_STATES, isOneOf, WAITING_STATES, type MessageState, type States } from '../../schema/states.ts';
import type { About } from './acceptance.ts';
import { fromBase32, toBase32 } from '../../lib/id.ts';

/** One HTTP call for a message. `at` in ms; `response`: the first 1 KiB of the answer, secrets redacted. */
export interface Attempt {
  readonly n: number;
  readonly at: number;
  readonly duration_ms: number;
  readonly outcome: Outcome;
  readonly http_status?: number;
  readonly response?: string;
  readonly code?: ReasonCode;
  readonly params?: Params;
}

/** More than any schedule has. Attempts that do not count (a refused login, a person's retries) have no limit. */
const MAX_ATTEMPTS_KEPT = 100;

/** Of at most three bytes each: a row ends at 2 MB, and has the parameters as well. */
const MAX_ATTEMPTS_CHARACTERS = 150_000;

/** The newest attempts as JSON for the row. The last one is always kept, since it has the number of attempts. */
export function attemptsText(attempts: readonly Attempt[]): string {
  const texts: string[] = [];
  let characters = 0;
  for (const attempt of attempts.slice(-MAX_ATTEMPTS_KEPT).toReversed()) {
    const text = JSON.stringify(attempt);
    characters += text.length;
    if (texts.length > 0 && characters > MAX_ATTEMPTS_CHARACTERS) break;
    texts.unshift(text);
  }
  return `[${texts.join(',')}]`;
}

export interface MessageRow extends Record<string, SqlStorageValue> {
  seq: number;
  event_id: string | null;
  source: string | null;
  route: string | null;
  kind: MessageKind;
  phone: string | null;
  params: string;
  state: MessageState;
  /** JSON: a {@link Reason}; null if there is none. */
  reason: string | null;
  priority: number;
  /** Its part of what the account has in common, see `lib/shares.ts`. */
  standing: number;
  on_uncertain: string;
  next_at: number | null;
  expires_at: number | null;
  tries: number;
  refusals: number;
  attempts: string;
  created_at: number;
  sent_at: number | null;
  config_version: number;
  /** JSON: what people did to it: a list of {@link Operation}. */
  actions: string;
  /** 1 if its parameters are deleted as soon as it will not be sent any more. */
  forget: number;
  /** JSON: its content about incidents, for people, see `About`; null if it is about an item of its event. */
  about: string | null;
  /** JSON: its statements about incidents, see `Says`; null if there are none. */
  says: string | null;
  /** JSON: the messages to send if it is dead, see `fallback.ts`; null if there are none. */
  fallback: string | null;
  /** JSON: the links that its receiver can press, see `links.ts`; null if there are none. */
  links: string | null;
  /** When the escape channel got it (ms). 0: it is from another account's channel; null: the channel did not get it. */
  escaped: number | null;
}

/** What a message has that was never tried. */
const NONE = { tries: 0, refusals: 0, attempts: '[]', actions: '[]', sent_at: null };
export const UNTRIED = { ...NONE, state: 'queued', reason: null } as const;

/** 9 base-32 digits hold 45 bits of sequence: a thousand a second for a thousand years. */
const SEQ_DIGITS = 9;
/** Of an outbox's tag: 35 random bits. */
export const TAG_DIGITS = 7;

/** A message's public id: its number in its outbox, then the outbox's own random tag, so that ids never collide. */
export const messageId = (seq: number, tag: string): string => `msg_${toBase32(seq, SEQ_DIGITS)}${tag}`;

export function messageSeq(id: string, tag: string): number | null {
  const match = /^msg_([0-9a-z]+)$/.exec(id)?.[1];
  if (match?.length !== SEQ_DIGITS + TAG_DIGITS || !match.endsWith(tag)) return null;
  return fromBase32(match.slice(0, SEQ_DIGITS));
}

/** The number of the next attempt, from 1. Attempts that are not kept any more are counted as well. */
export const nextAttempt = (attempts: readonly Attempt[]): number => (attempts.at(-1)?.n ?? 0) + 1;

export const isDigest = ({ about }: Pick<MessageRow, 'about'>): boolean =>
  about !== null && parseOwnJson<About>(about).form === 'digest';

export const parseAttempts = (json: string): readonly Attempt[] => parseOwnJson<readonly Attempt[]>(json);

/** True if somebody may know its content: it was tried, or the escape channel has it. */
export const wasTried = ({ attempts, escaped }: Pick<MessageRow, 'attempts' | 'escaped'>): boolean =>
  attempts !== '[]' || escaped !== null;

/** True if its receiver may have it, although no answer said so. */
export const mayHaveArrived = ({ attempts }: Pick<MessageRow, 'attempts'>): boolean =>
  parseAttempts(attempts).some(({ outcome }) => outcome === 'uncertain');

export const messageRow = ({ sql }: { readonly sql: SqlStorage }, seq: number): MessageRow | null =>
  sql.exec<MessageRow>('SELECT * FROM messages WHERE seq = ?', seq).toArray()[0] ?? null;

/** Returns the highest number of a message; 0 if there is none. */
export const newestSeq = (sql: SqlStorage): number =>
  sql.exec<{ seq: number | null }>('SELECT max(seq) AS seq FROM messages').one().seq ?? 0;

export function changeRow<Row extends Pick<MessageRow, 'seq'>>(
  sql: SqlStorage,
  row: Row,
  change: Readonly<Record<string, SqlStorageValue>>,
) {
  const columns = Object.keys(change).map((column) => `${column} = ?`);
  sql.exec(`UPDATE messages SET ${columns.join()} WHERE seq = ?`, ...Object.values(change), row.seq);
  return { ...row, ...change };
}

const sqlList = (states: readonly MessageState[]): string => `('${states.join("', '")}')`;
export const DUE_SQL = sqlList(DUE_STATES);
export const WAITING_SQL = sqlList(WAITING_STATES);

/** Nearly all messages are in these states: the partial index `messages_unhappy` leaves them out. */
const COMMON_STATES = ['queued', 'sent'] as const satisfies States;

export const isUnhappy = (state: string): boolean => !isOneOf(COMMON_STATES)(state);

/** SQLite uses a partial index only if the query repeats its condition. `state`: a placeholder, or in quotes. */
export const byUnhappyIndex = (state: string): string =>
  `state = ${state} AND state NOT IN ${sqlList(COMMON_STATES)}`;

/** Replaces parameters that were deleted. A message's real parameters are never empty. */
export const FORGOTTEN = '{}';

/** For an UPDATE: deletes what a source without stored payloads does not keep, if `isOver` (SQL) is true. */
export const forgetting = (isOver: string): string =>
  `params = iif(forget = 1 AND ${isOver}, '${FORGOTTEN}', params),
   fallback = iif(forget = 1 AND ${isOver}, json_remove(fallback, '$.next'), fallback)`;

/** `by`: the person who asked (`token`, or an Access identity). */
export interface Operation {
  readonly action: 'retry' | 'cancel';
  readonly by: string;
  readonly at: number;
}

export interface End {
  readonly state: 'expired' | 'suppressed' | 'superseded' | 'cancelled';
  readonly reason: Reason;
  readonly by?: string;
  /** What people did to it, with this; absent: nothing was added. */
  readonly actions?: string;
  /** True if it may have to be sent after all. */
  readonly isKept?: boolean;
}

/** A person may have an expired or suppressed one sent again. */
export function writeEnd(sql: SqlStorage, row: Pick<MessageRow, 'seq' | 'actions'>, end: End): void {
  const { state, reason, actions = row.actions } = end;
  const { isKept = state === 'expired' || state === 'suppressed' } = end;
  sql.exec(
    `UPDATE messages SET state = ?, next_at = NULL, reason = ?, actions = ?, ${forgetting('?4')} WHERE seq = ?5`,
    state,
    JSON.stringify(reason),
    actions,
    isKept ? 0 : 1,
    row.seq,
  );
}

export const lastOutcome = ({ attempts }: Pick<MessageRow, 'attempts'>): Outcome | undefined =>
  parseAttempts(attempts).at(-1)?.outcome;
