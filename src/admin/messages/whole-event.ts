import { countState, type CountedEvent, type StoredEvent } from '../../outbox/read/events.ts';
import { findInOutboxes, outboxNames } from '../../outbox/many-outboxes.ts';
import type { Page } from '../../outbox/read/read.ts';
import type { EventSummary } from '../../answers/api-event.ts';
import type { MessageView } from '../../answers/api-message.ts';
import type { AccountMessage } from '../../outbox/state/acceptance.ts';

/** The most messages of another account that are read for an event. The list of messages has all of them. */
const MAX_READ = 200;

/** An event with its messages, including fallbacks that other accounts send; null if there is no event with that id. */
export async function wholeEvent(env: Env, id: string): Promise<StoredEvent | null> {
  const event = await findInOutboxes<StoredEvent>(env, (outbox) => outbox.readEvent(id));
  return event && (await withOthers(env, event));
}

export async function withOthers(env: Env, event: StoredEvent): Promise<StoredEvent> {
  const { id, messages } = event;
  if (messages.every((one) => one.fallback_account === undefined)) return event;
  const known = new Set(messages.map((one) => one.id));
  const pages = [...(await takenFor(env, id))].map(([account, taken]): Promise<Page<MessageView>> =>
    env.OUTBOX.getByName(account).listMessages({ event: id, taken, limit: MAX_READ }),
  );
  const found = (await Promise.all(pages)).flatMap(({ items }) => items.toReversed());
  return { ...event, messages: [...messages, ...found.filter((one) => !known.has(one.id))] };
}

/** The messages that each account has taken for an event of another account. */
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

/** Counts the messages that other accounts send, too. An event with too many of those gets no counts. */
export const countElsewhere = (
  env: Env,
  events: readonly (CountedEvent & { readonly outbox: string })[],
): Promise<readonly EventSummary[]> => {
  let left = MAX_READ;
  return Promise.all(
    events.map(async ({ elsewhere = [], outbox: _outbox, ...event }) => {
      left -= elsewhere.length;
      const { counts, ...uncounted } = event;
      if (counts === undefined || elsewhere.length === 0) return event;
      if (left < 0) return uncounted;
      const sum = { ...counts };
      for (const state of await Promise.all(elsewhere.map((one) => stateOf(env, one))))
        countState(sum, state);
      return { ...event, counts: sum };
    }),
  );
};

/** The state of a message, or of the last one that was sent in its place. */
async function stateOf(env: Env, { account, message }: AccountMessage): Promise<string> {
  const one: MessageView | null = await env.OUTBOX.getByName(account).readMessage(message);
  const { fallback, fallback_account: other } = one ?? {};
  if (fallback !== undefined) return stateOf(env, { account: other ?? account, message: fallback });
  // The other account has not taken it yet.
  return other === undefined ? (one?.state ?? '') : 'queued';
}
