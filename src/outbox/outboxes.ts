import { loadConfig } from '../config/load.ts';

/** An account's outbox, as another object or the Worker calls it. */
export type OutboxStub = ReturnType<Env['OUTBOX']['getByName']>;

/** Returns the names of all outboxes that lists read: those of the accounts. */
export async function outboxNames(env: Env): Promise<readonly string[]> {
  const { accounts } = await loadConfig(env, Date.now());
  return [...accounts.keys()];
}

/** Returns the first answer that is not null. Asks every outbox at once: an id does not show which outbox has it. */
export async function findInOutboxes<Found>(
  env: Env,
  find: (outbox: OutboxStub) => Promise<Found | null>,
): Promise<Found | null> {
  const names = await outboxNames(env);
  const answers = await Promise.all(names.map((name) => find(env.OUTBOX.getByName(name))));
  return answers.find((answer) => answer !== null) ?? null;
}
