import type { LoadedConfig } from '../../config/compiled/config.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { reasonText, reasonView, type Reason } from '../../lib/reason.ts';
import { iso } from '../../lib/time.ts';
import type { MessageView } from '../answers/api-message.ts';
import type { OpenIncidents } from '../incidents/open-incidents.ts';
import type { Claims } from '../send/claims.ts';
import type { Wait } from '../send/timing.ts';
import type { About, AccountMessage } from '../state/acceptance.ts';
import { ofEventSql } from '../state/event.ts';
import { fallbackLinks } from '../state/fallback.ts';
import { withoutTokens } from '../state/links.ts';
import {
  messageId,
  messageRow,
  messageSeq,
  parseAttempts,
  type Attempt,
  type MessageRow,
  type Operation,
} from '../state/message.ts';
import { byUnhappyIndex, isDue, isUnhappy } from '../state/states.ts';

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
  const { sql, tag } = context;
  const before = filter.cursor === undefined ? undefined : (messageSeq(filter.cursor, tag) ?? 0);
  const where = new Where().add('seq < ?', before);
  if (filter.event !== undefined)
    where.addRaw(`seq IN ${ofEventSql(filter.event, numbersOf(filter.taken, tag))}`);
  const match = new Where()
    .add('source = ?', filter.source)
    .add('phone = ?', filter.phone)
    .add('phone LIKE ?', filter.phoneEnd && `%${filter.phoneEnd}`);
  if (filter.state !== undefined) addState(where, match, filter.state, context.claims.flight.seqs());
  const rows = sql
    .exec<{ seq: number }>(
      `SELECT seq FROM (
         SELECT seq, source, phone, state FROM messages ${where.clause} ORDER BY seq DESC LIMIT ${MAX_SCAN}
       ) ${match.clause} LIMIT ?`,
      ...where.values,
      ...match.values,
      filter.limit + 1,
    )
    .toArray();
  const numbers = rows.slice(0, filter.limit).map(({ seq }) => seq);
  const items = readWithin(context, numbers, MAX_PAGE_CHARACTERS);
  if (rows.length > items.length) return { items, next_cursor: items.at(-1)?.id ?? null };
  const edge = sql
    .exec<{ seq: number }>(
      `SELECT seq FROM messages ${where.clause} ORDER BY seq DESC LIMIT 1 OFFSET ${MAX_SCAN - 1}`,
      ...where.values,
    )
    .toArray()[0];
  return { items, next_cursor: edge === undefined ? null : messageId(edge.seq, tag) };
}

const numbersOf = (ids: readonly string[] = [], tag: string): readonly (number | null)[] =>
  ids.map((id) => messageSeq(id, tag));

/** What other accounts have taken for an event. `taken`: what this one has, whose fallbacks may have been handed on. */
export const handedOn = (
  { sql, tag }: Pick<ReadContext, 'sql' | 'tag'>,
  event: string,
  taken: readonly string[] | undefined,
): readonly AccountMessage[] =>
  sql
    .exec<{ account: string; message: string }>(
      `SELECT json_extract(fallback, '$.to.account') AS account, json_extract(fallback, '$.to.message') AS message
         FROM messages WHERE seq IN ${ofEventSql(event, numbersOf(taken, tag))} AND message > ''`,
    )
    .toArray();

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

/** A state with an index is searched in all rows (`where`), others only in those that a page reads (`match`). */
function addState(where: Where, match: Where, state: string, sendingSeqs: readonly number[]): void {
  const sending = sendingSeqs.join(',');
  // `sending` is not written to the row: the claim has the messages in flight.
  if (state === 'sending') {
    where.addRaw(`seq IN (${sending})`);
    return;
  }
  match.addRaw(`seq NOT IN (${sending})`);
  if (isUnhappy(state)) where.add(byUnhappyIndex('?'), state);
  else match.add('state = ?', state);
}

/** Rows that one page reads: a rare filter over millions is answered in several pages, not in one long block. */
export const MAX_SCAN = 20_000;

/** Conditions joined by AND, with their bound values; a condition without a value is left out. */
export class Where {
  readonly #conditions: string[] = [];
  readonly values: (string | number)[] = [];

  add(condition: string, value: string | number | undefined): this {
    if (value === undefined) return this;
    this.#conditions.push(condition);
    this.values.push(value);
    return this;
  }

  addRaw(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  get clause(): string {
    return this.#conditions.length === 0 ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}
