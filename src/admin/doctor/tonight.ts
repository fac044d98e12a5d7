import type { Config } from '../../config/compiled/config.ts';
import { V2 } from '../../gateway/shape.ts';
import type { Check } from './check.ts';

/** What stops messages, and whether anybody would learn of it. */
const DEVICE = 'if its device is offline tonight, high-priority messages wait, and';
const GATEWAY = 'if its gateway is down tonight, high-priority messages wait, and';
const NOBODY = 'nobody learns of it';
const OF_FAILURES = '`notify` learns of it only if the gateway fails';
const OF_THE_CANARY = '`notify` learns of it when nobody answers the canary';

/**
 * One finding for each account without an escape channel. It is a warning if messages are urgent or about incidents:
 * others may wait.
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
    const { escape, canary, notify, gateway } = accounts.get(account) ?? NOTHING;
    if (escape !== null) return [];
    const of = { id: `account:${account}:tonight` as const, title: `Account ${account}` };
    if (!isUrgent)
      return [
        { ...of, status: 'ok', code: 'not-urgent', detail: 'sends nothing urgent: its messages may wait' },
      ];
    const hasDevice = gateway.maker === V2.maker;
    // Other gateways have no device that fails without them.
    if (!hasDevice && notify !== null) return [];
    const learns = notify === null ? NOBODY : canary === null ? OF_FAILURES : OF_THE_CANARY;
    return [
      {
        ...of,
        status: 'warn',
        code: hasDevice ? 'device-unwatched' : 'gateway-unwatched',
        detail: `${hasDevice ? DEVICE : GATEWAY} ${learns}`,
        remedy: `Add an escape channel to accounts/${account}.yaml, a second way to send. See npx hookbell accounts ${account}`,
      },
    ];
  });
}

/** An account without a document. */
const NOTHING = { escape: null, canary: null, notify: null, gateway: V2 } as const;
