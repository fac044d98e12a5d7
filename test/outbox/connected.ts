import { env } from 'cloudflare:workers';
import { publish } from '../integration/relay.ts';
import { CONNECTED_ACCOUNTS } from './connected-accounts.ts';

const names = CONNECTED_ACCOUNTS.values();

/** The outbox of an account with credentials that no other test of the file has. */
export function connectedOutbox() {
  const { value, done } = names.next();
  if (done === true) throw new Error('more accounts are needed: see connected-accounts.ts');
  return env.OUTBOX.getByName(value);
}

/** Publishes one document for all these accounts. */
export const publishConnected = (account: object, over: object = {}): Promise<void> =>
  publish({ accounts: Object.fromEntries(CONNECTED_ACCOUNTS.map((name) => [name, account])), ...over });
