import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Acceptance, AcceptedEvent, DraftMessage } from '../../src/outbox/state/acceptance.ts';
import type { MessageRow } from '../../src/outbox/state/message.ts';
import type { Outbox } from '../../src/outbox/outbox.ts';
import { vi } from 'vitest';
import { draftSample, eventSample as eventOf, messageSample } from './samples.ts';

export { eventOf };

/** A name that no other test of this runtime uses. No such account has credentials, so nothing is ever sent from it. */
export const freshName = (): string => `bare-${crypto.randomUUID().slice(0, 8)}`;

/** Runs `body` inside an outbox of its own: the real tables, and nothing in them. */
export const inOutbox = <Answer>(
  body: (outbox: Outbox, storage: DurableObjectStorage) => Answer | Promise<Answer>,
  name = freshName(),
): Promise<Answer> =>
  runInDurableObject(env.OUTBOX.getByName(name), (outbox, { storage }) => body(outbox, storage));

/** The storage of such an outbox. */
export const inStorage = <T>(
  body: (state: { readonly storage: DurableObjectStorage }) => T | Promise<T>,
): Promise<T> => inOutbox((_, storage) => body({ storage }));

/** A message as it stands in the table; what a test does not say is as a fresh one has it. */
export function addMessage(sql: SqlStorage, message: Partial<MessageRow> & { seq: number }): void {
  const row = messageSample(message);
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

export const draftTo = (phone: string | null, extra: Partial<DraftMessage> = {}): DraftMessage =>
  draftSample({ kind: phone === null ? 'status' : 'text', phone, ...extra });

/** An event of now with one message to each of these. */
export const acceptanceTo = (
  phones: readonly (string | null)[],
  extra: Partial<AcceptedEvent> = {},
): Acceptance => ({
  event: eventOf(Date.now(), extra),
  messages: phones.map((phone) => draftTo(phone)),
});
