import { countState, type CountedEvent } from '../../outbox/read/event-counts.ts';
import { findInOutboxes, outboxNames } from '../../outbox/outboxes.ts';
import type { Page } from '../../outbox/read/read.ts';
import type { EventSummary, MessageView, StoredEvent } from '../../outbox/read/views.ts';
import type { AccountMessage } from '../../outbox/state/acceptance.ts';

/** The most messages of another account that are read for an event; the list of messages has all. */
const MAX_READ = 200;

/** An event with its messages, those that other accounts send as fallbacks too; null: there is none of that id. */
export async function wholeEvent(env: Env, id: string): Promise<StoredEvent | null> {
  const event = await findInOutboxes<StoredEvent>(env, (outbox) => outbox.readEvent(id));
  return event && (await withOthers(env, event));
}

export const withOthers = async (env: Env, event: StoredEvent): Promise<StoredEvent> => ({
  ...event,
  messages: [...event.messages, ...(await ofOthers(env, event))],
});

async function ofOthers(env: Env, { id, messages }: StoredEvent): Promise<readonly MessageView[]> {
  if (messages.every((one) => one.fallback_account === undefined)) return [];
  const known = new Set(messages.map((one) => one.id));
  const pages = [...(await takenFor(env, id))].map(([account, taken]): Promise<Page<MessageView>> =>
    env.OUTBOX.getByName(account).listMessages({ event: id, taken, limit: MAX_READ }),
  );
  return (await Promise.all(pages))
    .flatMap(({ items }) => items.toReversed())
    .filter((one) => !known.has(one.id));
}

/** By account: the messages that it has taken for an event from another one. */
export async function takenFor(env: Env, event: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const taken = new Map<string, string[]>();
  for (let asked = await outboxNames(env); asked.length > 0;) {
    const found = await Promise.all(
      asked.map((name): Promise<readonly AccountMessage[]> =>
        env.OUTBOX.getByName(name).handedOn(event, taken.get(name)),
      ),
    );
    const fresh = found.flat().filter(({ account, message }) => !taken.get(account)?.includes(message));
    for (const { account, message } of fresh) taken.set(account, [...(taken.get(account) ?? []), message]);
    asked = [...new Set(fresh.map(({ account }) => account))];
  }
  return taken;
}

/** The events of a page, whose counts include the messages that other accounts send: one call for each of these accounts. */
export async function countElsewhere(
  env: Env,
  events: readonly CountedEvent[],
): Promise<readonly EventSummary[]> {
  const byAccount = Map.groupBy(
    events.flatMap(({ elsewhere = [] }) => elsewhere),
    ({ account }) => account,
  );
  const states = new Map<string, string>();
  const asked = [...byAccount].map(async ([account, messages]) => {
    const ids = messages.map(({ message }) => message);
    const found: readonly string[] = await env.OUTBOX.getByName(account).statesOf(ids);
    for (const [index, id] of ids.entries()) states.set(id, found[index] ?? '');
  });
  await Promise.all(asked);
  return events.map(({ elsewhere = [], ...event }) => {
    if (event.counts === undefined) return event;
    const counts = { ...event.counts };
    for (const { message } of elsewhere) countState(counts, states.get(message) ?? '');
    return { ...event, counts };
  });
}
