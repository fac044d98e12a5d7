import { loadConfig } from '../config/load.ts';
import type { Env } from '../env.ts';

/** The accounts whose outboxes a list looks into. */
export async function accountNames(env: Env): Promise<readonly string[]> {
  const { accounts } = await loadConfig(env.CONFIG, Date.now());
  return [...accounts.keys()];
}

/** The first answer that is not null, asking every account's outbox at once: an id does not say whose it is. */
export async function findInOutboxes<Found>(
  env: Env,
  find: (outbox: ReturnType<Env['OUTBOX']['getByName']>) => Promise<Found | null>,
): Promise<Found | null> {
  const accounts = await accountNames(env);
  const found = await Promise.all(accounts.map((account) => find(env.OUTBOX.getByName(account))));
  return found.find((one) => one !== null) ?? null;
}
