import type { Config } from '../../config/config.ts';
import type { Check } from './check.ts';

/** The notification, if any, from which the owner would learn that the device of an account is offline. */
type Learns = 'nobody' | 'of failures' | 'of the canary';

const URGENT: Readonly<Record<Learns, string>> = {
  nobody: 'if its device is offline tonight, high-priority messages wait, and nobody learns of it',
  'of failures':
    'if its device is offline tonight, high-priority messages wait, and `notify` learns of it only if the gateway fails',
  'of the canary':
    'if its device is offline tonight, high-priority messages wait, and `notify` learns of it when nobody answers the canary',
};

const OTHERS: Readonly<Record<'nobody' | 'of failures', string>> = {
  nobody: 'if its device is offline tonight, its messages wait, and nobody learns of it',
  'of failures':
    'if its device is offline tonight, its messages wait, and `notify` learns of it only if the gateway fails',
};

/**
 * One finding for each account without an escape channel: the effect of an offline device. It is a warning if messages
 * are urgent or about incidents; for others a canary is enough.
 */
export function tonightChecks({ sources, accounts }: Pick<Config, 'sources' | 'accounts'>): readonly Check[] {
  const matters = new Map<string, boolean>();
  for (const { account, routes } of sources.values()) {
    const isUrgent = routes.some(
      ({ alerting, delivery }) => delivery.priority === 'high' || (alerting?.incident ?? null) !== null,
    );
    matters.set(account, isUrgent || matters.get(account) === true);
  }
  return [...matters].flatMap(([account, isUrgent]): readonly Check[] => {
    const { escape, canary, notify } = accounts.get(account) ?? NOTHING;
    if (escape !== null) return [];
    const of = { id: `account:${account}:tonight` as const, title: `Account ${account}` };
    const learns = notify === null ? 'nobody' : 'of failures';
    if (isUrgent)
      return [
        {
          ...of,
          status: 'warn',
          detail: URGENT[notify !== null && canary !== null ? 'of the canary' : learns],
          remedy: `Add an escape channel to accounts/${account}.yaml, a second way to send. See npx hookbell accounts ${account}`,
        },
      ];
    return canary === null ? [{ ...of, status: 'ok', detail: OTHERS[learns] }] : [];
  });
}

/** An account without a document. */
const NOTHING = { escape: null, canary: null, notify: null } as const;
