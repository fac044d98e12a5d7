import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Outbox } from '../../src/outbox/outbox.ts';

export { eventSample as eventOf } from './samples.ts';
export { acceptanceTo, addMessage, draftTo, rowOf as messageRow } from './support.ts';

/** A name that no other test of this runtime uses. No such account has credentials, so nothing is ever sent from it. */
export const freshName = (): string => `bare-${crypto.randomUUID().slice(0, 8)}`;

export const newOutbox = () => env.OUTBOX.getByName(freshName());

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

/** The outbox's own alarm an hour from now, when its housekeeping is due. */
export async function ringInAnHour(outbox: Pick<Outbox, 'alarm'>): Promise<void> {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  try {
    await outbox.alarm();
  } finally {
    clock.mockRestore();
  }
}
