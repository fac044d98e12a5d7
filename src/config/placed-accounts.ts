import { documentsOf } from './check.ts';
import { accountPolicies } from './compile.ts';
import type { LoadedConfig } from './config.ts';
import type { Placements } from './placement.ts';
import { EMPTY_SET } from './schema.ts';

/** Accounts with their placements. A removed account is still here, with its last document. */
export function placedAccounts(
  accounts: LoadedConfig['accounts'],
  placements: Placements,
): LoadedConfig['accounts'] {
  const removed: Record<string, unknown> = {};
  for (const [name, { spread, document }] of Object.entries(placements))
    if (spread === 0) removed[name] = document;
  const last = accountPolicies(documentsOf({ ...EMPTY_SET, accounts: removed }));
  return new Map(
    [...last, ...accounts].map(([name, policy]) => {
      const placement = placements[name];
      return [
        name,
        placement === undefined ? policy : { ...policy, shards: Math.abs(placement.spread), placement },
      ] as const;
    }),
  );
}
