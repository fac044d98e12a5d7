import { findInOutboxes } from '../../outbox/outboxes.ts';
import type { MessageView, StoredEvent } from '../../outbox/read/views.ts';

/** The most messages of other accounts that are read for an event: each is a call of an object. */
const MAX_READ = 20;

/** An event with its messages, those that other accounts send as fallbacks too; null: there is none of that id. */
export async function wholeEvent(env: Env, id: string): Promise<StoredEvent | null> {
  const event = await findInOutboxes<StoredEvent>(env, (outbox) => outbox.readEvent(id));
  return event && { ...event, messages: await withOthers(env, event.messages) };
}

async function withOthers(env: Env, messages: readonly MessageView[]): Promise<readonly MessageView[]> {
  const all = [...messages];
  const known = new Set(all.map((one) => one.id));
  let left = MAX_READ;
  for (const { account, fallback, fallback_account: other = account } of all) {
    if (fallback === undefined || known.has(fallback) || left === 0) continue;
    left -= 1;
    const next = await env.OUTBOX.getByName(other).readMessage(fallback);
    if (next === null) continue;
    known.add(next.id);
    all.push(next);
  }
  return all;
}
