import type { LoadedConfig } from '../../config/compiled/config.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { reasonText, reasonView, type Reason } from '../../lib/reason.ts';
import { readRows } from '../../lib/store.ts';
import { iso } from '../../lib/time.ts';
import type { MessageView } from '../../answers/api-message.ts';
import type { OpenIncidents } from '../incidents/open-incidents.ts';
import type { Claims } from '../send/claims.ts';
import type { Wait } from '../send/timing.ts';
import type { About, AccountMessage } from '../state/acceptance.ts';
import { ofEventSql } from '../state/event.ts';
import { fallbackLinks } from '../state/fallback.ts';
import { withoutTokens } from '../state/links.ts';
import {
  byUnhappyIndex,
  isUnhappy,
  messageId,
  messageRow,
  messageSeq,
  parseAttempts,
  type Attempt,
  type MessageRow,
  type Operation,
} from '../state/message.ts';
import { isDue } from '../../schema/states.ts';

/** A page of a list, newest first. `next_cursor` is null on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

export interface MessageFilter {
  readonly state?: string | undefined;
  readonly source?: string | undefined;
  readonly event?: string | undefined;
  /** Messages that were taken for the event from other accounts. */
  readonly taken?: readonly string[] | undefined;
  readonly phone?: string | undefined;
  readonly phoneEnd?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Of messages in one answer: an RPC ends at 32 MiB, and the calling Worker has other outboxes' answers in memory, too. */
const MAX_PAGE_CHARACTERS = 1_000_000;

export interface ReadContext {
  readonly sql: SqlStorage;
  readonly tag: string;
  readonly account: string;
  readonly claims: Claims;
  /** What items wait for, what holds them back, and which calls are under way; absent: not needed for this view. */
  readonly open?: Pick<OpenIncidents, 'waitOf' | 'heldOf' | 'get' | 'all'>;
  /** The configuration in force; absent: titles of incidents are not needed. */
  readonly config?: LoadedConfig | null;
  /** Of a message that is or will be due; absent: not needed. */
  readonly waitOf?: (row: MessageRow) => Wait;
}

export function listMessages(context: ReadContext, filter: MessageFilter): Page<MessageView> {
  const { sql, tag, claims } = context;
  const { state, event, phoneEnd, cursor, taken } = filter;
  // `sending` is not written to the row: the claim has the messages in flight.
  const isSending = state === 'sending';
  const inFlight = `(${claims.flight.seqs().join(',')})`;
  const hasIndex = state !== undefined && !isSending && isUnhappy(state);
  const { rows, after } = scan<ScannedMessage, 'seq'>(sql, {
    from: 'messages',
    key: 'seq',
    columns: 'seq, source, phone, state',
    where: [
      cursor !== undefined && ['seq < ?', messageSeq(cursor, tag) ?? 0],
      event !== undefined && [`seq IN ${ofEventSql(event, numbersOf(taken, tag))}`],
      isSending && [`seq IN ${inFlight}`],
      hasIndex && [byUnhappyIndex('?'), state],
    ],
    match: [
      ...equal({ source: filter.source, phone: filter.phone }),
      phoneEnd !== undefined && ['phone LIKE ?', `%${phoneEnd}`],
      state !== undefined && !isSending && [`seq NOT IN ${inFlight}`],
      ...equal({ state: isSending || hasIndex ? undefined : state }),
    ],
    limit: filter.limit,
  });
  const numbers = rows.slice(0, filter.limit).map(({ seq }) => seq);
  const items = readWithin(context, numbers, MAX_PAGE_CHARACTERS);
  const next = after(items.length);
  return { items, next_cursor: next === null ? null : messageId(next, tag) };
}

type ScannedMessage = Pick<MessageRow, 'seq' | 'source' | 'phone' | 'state'>;

const numbersOf = (ids: readonly string[] = [], tag: string): readonly (number | null)[] =>
  ids.map((id) => messageSeq(id, tag));

/** What other accounts have taken for an event. `taken`: what this one has, whose fallbacks may have been handed on. */
export const handedOn = (
  { sql, tag }: Pick<ReadContext, 'sql' | 'tag'>,
  event: string,
  taken: readonly string[] | undefined,
): readonly AccountMessage[] =>
  readRows(
    sql,
    `SELECT json_extract(fallback, '$.to.account') AS account, json_extract(fallback, '$.to.message') AS message
       FROM messages WHERE seq IN ${ofEventSql(event, numbersOf(taken, tag))} AND message > ''`,
  );

export function readMessage(context: ReadContext, id: string): MessageView | null {
  const seq = messageSeq(id, context.tag);
  if (seq === null) return null;
  const row = messageRow(context, seq);
  return row === null ? null : view(context, row);
}

const attemptView = ({ at, code, ...attempt }: Attempt): MessageView['attempts'][number] => ({
  ...attempt,
  at: iso(at),
  ...(code && { code, detail: reasonText({ ...attempt, code }) }),
});

function waitView({ until, code, ...wait }: Wait): NonNullable<MessageView['waits']> {
  const by = wait.for === 'pause' ? `${wait.params?.['by'] ?? 'gateway'}: ` : '';
  const why = code && { code, detail: by + reasonText({ ...wait, code }) };
  return { ...wait, ...(until !== undefined && { until: iso(until) }), ...why };
}

function view({ tag, account, claims, waitOf }: ReadContext, row: MessageRow): MessageView {
  // The row does not show that its call is under way.
  const isSending = claims.flight.has(row.seq);
  const wait = !isSending && isDue(row.state) ? waitOf?.(row) : undefined;
  // Only memory knows which receivers are at their limit, or new.
  const isHeld = wait?.for === 'receiver' || wait?.for === 'contact';
  const nextAt = row.next_at ?? (isHeld ? wait.until : undefined);
  const { of, by, to, from } = fallbackLinks(row);
  // Anybody who has a link can press it. A message that another account handed on has the links of that account.
  const mayHaveLinks = row.links !== null || from !== undefined;
  const shown = (json: string): string => (mayHaveLinks ? withoutTokens(json) : json);
  const params = parseOwnJson<Record<string, string>>(shown(row.params));
  return {
    id: messageId(row.seq, tag),
    event: row.event_id,
    source: row.source,
    route: row.route,
    account,
    kind: row.kind,
    phone: row.phone,
    params: { ...(row.phone !== null && { phone: row.phone }), ...params },
    state: isSending ? 'sending' : row.state,
    ...(row.reason !== null && reasonView(parseOwnJson<Reason>(row.reason))),
    attempts: parseAttempts(shown(row.attempts)).map(attemptView),
    ...(row.actions !== '[]' && {
      actions: parseOwnJson<readonly Operation[]>(row.actions).map((one) => ({ ...one, at: iso(one.at) })),
    }),
    ...(row.about !== null && { about: parseOwnJson<About>(row.about) }),
    ...(by !== undefined && { fallback: messageId(by, tag) }),
    ...(of !== undefined && { fallback_of: messageId(of, tag) }),
    ...(to?.message !== undefined && { fallback: to.message }),
    ...(to !== undefined && { fallback_account: to.account }),
    ...(from !== undefined && { fallback_of: from.message, fallback_of_account: from.account }),
    ...(row.escaped && { escaped_at: iso(row.escaped) }),
    ...(nextAt !== undefined && !isSending && { next_attempt_at: iso(nextAt) }),
    ...(wait && { waits: waitView(wait) }),
    created_at: iso(row.created_at),
    ...(row.sent_at !== null && { sent_at: iso(row.sent_at) }),
    config_version: row.config_version,
  };
}

/** In order, until they have `maxCharacters` together; at least one. */
export function readWithin(context: ReadContext, numbers: readonly number[], maxCharacters: number) {
  const views: MessageView[] = [];
  let characters = 0;
  for (const seq of numbers) {
    const row = messageRow(context, seq);
    if (row === null) continue;
    characters += row.params.length + row.attempts.length + row.actions.length;
    if (views.length > 0 && characters > maxCharacters) break;
    views.push(view(context, row));
  }
  return views;
}

/** Rows that one page reads: a rare filter over millions is answered in several pages, not in one long block. */
const MAX_SCAN = 20_000;

type Value = string | number;

/** SQL with its bound values; false: it does not apply. */
type Condition = false | readonly [sql: string, ...values: Value[]];

export const equal = (columns: Readonly<Record<string, Value | undefined>>): readonly Condition[] =>
  Object.entries(columns).map(([column, value]) => value !== undefined && [`${column} = ?`, value]);

function allOf(conditions: readonly Condition[]) {
  const own = conditions.filter((one) => one !== false);
  const clause = own.length === 0 ? '' : `WHERE ${own.map(([sql]) => sql).join(' AND ')}`;
  return { clause, values: own.flatMap(([, ...values]) => values) };
}

/**
 * Reads the rows of a page, and one more if others follow. `where` bounds the rows that are read, by an index; `match`
 * picks from these. `after`: where the next page begins if this one took so many rows; null at the end.
 */
export function scan<Row extends Record<Key, Value>, Key extends string>(
  sql: SqlStorage,
  asked: {
    readonly from: string;
    readonly key: Key;
    readonly columns: string;
    readonly order?: 'ASC' | undefined;
    readonly where: readonly Condition[];
    readonly match: readonly Condition[];
    readonly limit: number;
  },
) {
  const { from, key, columns, order = 'DESC', limit } = asked;
  const [where, match] = [allOf(asked.where), allOf(asked.match)];
  const read = `FROM ${from} ${where.clause} ORDER BY ${key} ${order} LIMIT`;
  const rows = readRows<Row>(
    sql,
    `SELECT * FROM (SELECT ${columns} ${read} ${MAX_SCAN}) ${match.clause} LIMIT ?`,
    ...where.values,
    ...match.values,
    limit + 1,
  );
  const after = (taken: number): Row[Key] | null => {
    if (taken < rows.length) return rows[taken - 1]?.[key] ?? null;
    const [edge] = readRows<Row>(sql, `SELECT ${key} ${read} 1 OFFSET ${MAX_SCAN - 1}`, ...where.values);
    return edge?.[key] ?? null;
  };
  return { rows, after };
}
