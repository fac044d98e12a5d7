import type { Config } from '../../config/config.ts';
import type { Check } from './check.ts';

/** One finding for each account with urgent messages or incidents, and no escape channel: what an offline device would mean. */
export function tonightChecks({ sources, accounts }: Pick<Config, 'sources' | 'accounts'>): readonly Check[] {
  const matters = new Set(
    [...sources.values()].flatMap(({ account, routes }) =>
      routes.some(
        ({ alerting, delivery }) => delivery.priority === 'high' || (alerting?.incident ?? null) !== null,
      )
        ? [account]
        : [],
    ),
  );
  return [...matters].flatMap((account) =>
    (accounts.get(account)?.escape ?? null) === null
      ? [
          {
            id: `account:${account}:tonight`,
            status: 'warn',
            title: `Account ${account}`,
            detail: 'if its device is offline tonight, high-priority messages wait, and nobody learns of it',
            remedy: `Add an escape channel to accounts/${account}.yaml, a second way to send. See npx hookbell accounts ${account}`,
          },
        ]
      : [],
  );
}
