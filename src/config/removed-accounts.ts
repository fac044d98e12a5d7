import { documentsOf } from './check.ts';
import { accountPolicies } from './compile.ts';
import type { LoadedConfig } from './config.ts';
import { DEFAULT_ACCOUNT_NAME } from './credentials.ts';
import { EMPTY_SET } from './schema.ts';

/** Accounts, and those that were removed, by their last documents. */
export function withRemoved(
  accounts: LoadedConfig['accounts'],
  removed: Readonly<Record<string, unknown>>,
): LoadedConfig['accounts'] {
  const last = [...accountPolicies(documentsOf({ ...EMPTY_SET, accounts: removed }))]
    .filter(([name]) => name !== DEFAULT_ACCOUNT_NAME)
    .map(([name, policy]) => [name, { ...policy, isRemoved: true }] as const);
  return new Map([...last, ...accounts]);
}
