import { Beyond } from '../../src/outbox/incidents/beyond.ts';
import { Early } from '../../src/outbox/incidents/store.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import { lazyConfig } from '../../src/config/load.ts';
import { createLook } from '../../src/outbox/incidents/context.ts';
import { Arrivals } from '../../src/outbox/incidents/arrivals.ts';
import { OpenIncidents } from '../../src/outbox/incidents/open-incidents.ts';
import { DEFAULT_ACCOUNT } from '../../src/config/compiled/account-policy.ts';
import type { AccountPolicy } from '../../src/config/compiled/config.ts';
import type { AttemptResult } from '../../src/gateway/client.ts';
import type { Acceptance, AcceptedEvent, DraftMessage } from '../../src/outbox/state/acceptance.ts';
import { insertMessages } from '../../src/outbox/accept/rows.ts';
import type { MessageRow } from '../../src/outbox/state/message.ts';
import { lineOf, type PaceState, type PastSend } from '../../src/outbox/send/pace.ts';
import type { RandomBytes } from '../../src/lib/id.ts';
import { draftSample, eventSample, messageSample, NOBODY } from './samples.ts';

/** The moment that tests start from: now, for the objects beside them read the real clock. */
export const START = Date.now();

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Nothing holds a message back. */
export const UNPACED: AccountPolicy = { ...DEFAULT_ACCOUNT, rate: null, perRecipient: null };

/** Always the same bytes. */
export const sameBytes: RandomBytes = (count) => new Uint8Array(count).fill(7);

export const TAG = '7777777';

/** Sends that were made before, as a pace reads them. */
export const past =
  (sends: readonly PastSend[]): PaceState['past'] =>
  (since, onSend) => {
    for (const { at, phone, standing } of sends) if (at > since) onSend(at, lineOf(phone, standing));
  };

/** What a commit is made with. */
export const commitContext = (sql: SqlStorage, nextSeq = 1, now = START) => ({
  sql,
  tag: TAG,
  now,
  nextSeq,
  arrivals: arrivalsIn(sql),
});

/** The first column of a query's rows. */
export const column = (sql: SqlStorage, query: string, ...values: readonly unknown[]): readonly unknown[] =>
  [...sql.exec(query, ...values).raw()].map(([value]) => value);

export const countOf = (sql: SqlStorage, table: string): number =>
  sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n;

/** Makes the object's tables as new, so that one object serves many runs of a property. */
export function empty(sql: SqlStorage): void {
  for (const table of [
    'events',
    'messages',
    'dedupe_claims',
    'checkpoint',
    'send_blocks',
    "meta WHERE key <> 'key'",
  ])
    sql.exec(`DELETE FROM ${table}`);
}

/** Items of a commit, in an object without incidents. */
export const arrivalsIn = (sql: SqlStorage, now = START): Arrivals =>
  new Arrivals(
    createLook(
      { ...NOBODY, sql, clock: () => now },
      new OpenIncidents(),
      new Beyond(sql),
      lazyConfig(EMPTY_SET, 0),
      now,
    ),
    new Early(sql),
  );

export const draft = draftSample;

export const accepted = (over: Partial<AcceptedEvent> = {}): AcceptedEvent =>
  eventSample(START, { type: 'order.paid', itemWindowMs: HOUR, payload: '{"id":1}', ...over });

export const draftTo = (phone: string | null, extra: Partial<DraftMessage> = {}): DraftMessage =>
  draftSample({ kind: phone === null ? 'status' : 'text', phone, ...extra });

/** A message to each of these. */
export const to = (...phones: readonly (string | null)[]): readonly DraftMessage[] =>
  phones.map((phone) => draftSample({ phone }));

/** An event of now with one message to each of these. */
export const acceptanceTo = (
  phones: readonly (string | null)[],
  extra: Partial<AcceptedEvent> = {},
): Acceptance => ({
  event: eventSample(Date.now(), extra),
  messages: phones.map((phone) => draftTo(phone)),
});

/** A message as it stands in the table; what a test does not say is as a fresh one has it. */
export function addMessage(sql: SqlStorage, message: Partial<MessageRow> & { seq: number }): void {
  const row = messageSample(message);
  const columns = Object.keys(row);
  sql.exec(
    `INSERT INTO messages (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...Object.values(row),
  );
}

/** As many messages as that, numbered from 1, all like this one. */
export function addMany(sql: SqlStorage, count: number, message: Partial<MessageRow> = {}, from = 1): void {
  addMessage(sql, { ...message, seq: from });
  const columns = Object.keys(messageSample({ seq: from })).filter((name) => name !== 'seq');
  sql.exec(
    `WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO messages (seq, ${columns.join(', ')}) SELECT i, ${columns.join(', ')} FROM n, messages WHERE seq = ? AND i > seq`,
    from,
    from + count - 1,
    from,
  );
}

/** Queues messages as accepted at `now` and returns their numbers. */
export const queue = (sql: SqlStorage, now: number, ...drafts: readonly DraftMessage[]): readonly number[] =>
  rowsFrom('shop', sql, now, ...drafts).map(({ seq }) => seq);

export function rowsFrom(
  source: string,
  sql: SqlStorage,
  now: number,
  ...drafts: readonly DraftMessage[]
): readonly MessageRow[] {
  const { last } = sql.exec<{ last: number | null }>('SELECT max(seq) AS last FROM messages').one();
  const nextSeq = (last ?? 0) + 1;
  const origin = { event: null, source, since: now, configVersion: 1, isOpen: source.startsWith('open') };
  return insertMessages({ sql, tag: TAG, now, nextSeq }, drafts, origin);
}

export const rowOf = (sql: SqlStorage, seq: number): MessageRow =>
  sql.exec<MessageRow>('SELECT * FROM messages WHERE seq = ?', seq).one();

/** The number of bytes of a row. The platform allows 2,000,000; the runtime at hand takes more. */
export const bytesOfRow = (row: Record<string, SqlStorageValue>): number =>
  Object.values(row).reduce<number>(
    (sum, value) =>
      sum + (value instanceof ArrayBuffer ? value.byteLength : encoder.encode(String(value)).byteLength),
    0,
  );

const encoder = new TextEncoder();

export const allRows = (sql: SqlStorage): readonly MessageRow[] =>
  sql.exec<MessageRow>('SELECT * FROM messages ORDER BY seq').toArray();

/** A result of a call for each outcome. */
export const ANSWERS = {
  sent: { outcome: 'sent', duration_ms: 5, http_status: 200, response: '{}' },
  refused: {
    outcome: 'refused',
    code: 'refused',
    params: { field: 'success', value: 'false' },
    message: 'no such number',
    duration_ms: 5,
    http_status: 200,
  },
  uncertain: { outcome: 'uncertain', code: 'no-answer', duration_ms: 5 },
  unauthorized: { outcome: 'unauthorized', code: 'unauthorized', duration_ms: 5, http_status: 401 },
  forbidden: { outcome: 'forbidden', code: 'forbidden', duration_ms: 5, http_status: 403 },
  redirected: { outcome: 'redirected', code: 'redirected', duration_ms: 5, http_status: 302 },
  busy: { outcome: 'busy', code: 'busy', duration_ms: 5, http_status: 429 },
  rejected: { outcome: 'rejected', code: 'rejected', duration_ms: 5, http_status: 400 },
  server_error: { outcome: 'server_error', code: 'server-error', duration_ms: 5, http_status: 500 },
  unreachable: { outcome: 'unreachable', code: 'unreachable', duration_ms: 5 },
} as const satisfies Record<AttemptResult['outcome'], AttemptResult>;

/** Counts the rows that the object reads and writes from now on, as the platform bills them. */
export function countRows(sql: SqlStorage) {
  const cursors: Pick<SqlStorageCursor<Record<string, SqlStorageValue>>, 'rowsRead' | 'rowsWritten'>[] = [];
  const exec = sql.exec.bind(sql);
  sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
    const cursor = exec<Row>(query, ...values);
    cursors.push(cursor);
    return cursor;
  };
  return {
    read: (): number => cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    written: (): number => cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
    reset: (): void => {
      cursors.length = 0;
    },
  };
}
