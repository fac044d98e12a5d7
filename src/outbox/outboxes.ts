import { loadConfig } from '../config/load.ts';
import { allObjectNames } from './state/shards.ts';
import type { StoredEvent } from './read/views.ts';

type OutboxStub = ReturnType<Env['OUTBOX']['getByName']>;

/** The names of all objects that lists read: each account has one or several. */
export async function outboxNames(env: Env): Promise<readonly string[]> {
  const { accounts } = await loadConfig(env, Date.now());
  return allObjectNames(accounts);
}

/** Asks every outbox at once, or those of `names`: an id does not say which outbox has it. */
async function askOutboxes<Answer>(
  env: Env,
  ask: (outbox: OutboxStub) => Promise<Answer | null>,
  names?: readonly string[],
): Promise<readonly Answer[]> {
  const asked = names ?? (await outboxNames(env));
  const answers = await Promise.all(asked.map((name) => ask(env.OUTBOX.getByName(name))));
  return answers.filter((answer) => answer !== null);
}

/** The first answer that is not null. */
export async function findInOutboxes<Found>(
  env: Env,
  find: (outbox: OutboxStub) => Promise<Found | null>,
): Promise<Found | null> {
  return (await askOutboxes(env, find))[0] ?? null;
}

/** An event with its messages from all objects of its account, or from those of `names`. */
export async function findEvent(
  env: Env,
  id: string,
  names?: readonly string[],
): Promise<StoredEvent | null> {
  const parts = await askOutboxes<StoredEvent>(env, (outbox) => outbox.readEvent(id), names);
  const home = parts.find(({ is_home }) => is_home) ?? parts[0];
  if (home === undefined || parts.length === 1) return home ?? null;
  // Each object says what it left out.
  const reasons = new Set([home, ...parts].flatMap(({ reason }) => reason?.split('\n') ?? []));
  return { ...home, ...messagesOf(parts), ...(reasons.size > 0 && { reason: [...reasons].join('\n') }) };
}

/** An event's messages, collected from several objects. */
export function messagesOf(
  parts: readonly StoredEvent[],
): Pick<StoredEvent, 'messages' | 'messages_left_out' | 'items'> {
  const left = parts.reduce((sum, { messages_left_out: more = 0 }) => sum + more, 0);
  const messages = parts.flatMap((part) => part.messages);
  const items = parts.flatMap((part) => part.items ?? []);
  return { messages, ...(items.length > 0 && { items }), ...(left > 0 && { messages_left_out: left }) };
}
