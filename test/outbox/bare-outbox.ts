import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Acceptance, AcceptedEvent, DraftMessage } from '../../src/outbox/state/acceptance.ts';
import type { MessageRow } from '../../src/outbox/state/message.ts';
import type { Outbox } from '../../src/outbox/outbox.ts';
import { newEventId, secureRandomBytes } from '../../src/lib/id.ts';
import { vi } from 'vitest';

let count = 0;

/** A name that no other test of the file uses. No such account has credentials, so nothing is ever sent from it. */
export const freshName = (): string => `bare-${(count += 1)}`;

/** Runs `body` inside an outbox of its own: the real tables, and nothing in them. */
export const inOutbox = <Answer>(
  body: (outbox: Outbox, storage: DurableObjectStorage) => Answer | Promise<Answer>,
  name = freshName(),
): Promise<Answer> =>
  runInDurableObject(env.OUTBOX.getByName(name), (outbox, { storage }) => body(outbox, storage));

/** A message as it stands in the table; what a test does not say is as a fresh one has it. */
export function addMessage(sql: SqlStorage, message: Partial<MessageRow> & { seq: number }): void {
  const row = {
    event_id: null,
    source: 'shop',
    route: 'all',
    kind: 'text',
    phone: '4915112345678',
    params: '{"message":"hello"}',
    state: 'queued',
    reason: null,
    priority: 0,
    on_uncertain: 'retry',
    next_at: null,
    expires_at: null,
    tries: 0,
    refusals: 0,
    attempts: '[]',
    created_at: 1_000,
    sent_at: null,
    config_version: 1,
    actions: '[]',
    forget: 0,
    ...message,
  };
  const columns = Object.keys(row);
  sql.exec(
    `INSERT INTO messages (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...Object.values(row),
  );
}

export const messageRow = (sql: SqlStorage, seq: number): MessageRow =>
  sql.exec<MessageRow>('SELECT * FROM messages WHERE seq = ?', seq).one();

/** The outbox's own alarm an hour from now, when its housekeeping is due. */
export async function ringInAnHour(outbox: Pick<Outbox, 'alarm'>): Promise<void> {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  try {
    await outbox.alarm();
  } finally {
    clock.mockRestore();
  }
}

/** An event as it is handed to an outbox, received at `receivedAt`. */
export function eventOf(receivedAt: number, extra: Partial<AcceptedEvent> = {}): AcceptedEvent {
  return {
    id: newEventId(receivedAt, secureRandomBytes),
    source: 'shop',
    type: null,
    itemWindowMs: 60_000,
    state: 'routed',
    reason: null,
    receivedAt,
    dedupe: null,
    signed: null,
    payload: '{"n":1}',
    headers: '{}',
    query: '{}',
    configVersion: 1,
    activation: 0,
    stored: true,
    replay: null,
    ...extra,
  };
}

export const draftTo = (phone: string | null, extra: Partial<DraftMessage> = {}): DraftMessage => ({
  route: 'all',
  kind: phone === null ? 'status' : 'text',
  phone,
  params: { message: 'hello' },
  delayMs: 0,
  expiresMs: null,
  onUncertain: 'retry',
  priority: 'normal',
  forget: false,
  ...extra,
});

/** An event of now with one message to each of these. */
export const acceptanceTo = (
  phones: readonly (string | null)[],
  extra: Partial<AcceptedEvent> = {},
): Acceptance => ({
  event: eventOf(Date.now(), extra),
  messages: phones.map((phone) => draftTo(phone)),
});
