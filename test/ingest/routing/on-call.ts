import { routeEvent } from '../../../src/ingest/routing/match.ts';
import { eventOf, PHONE, sourceOf } from '../support.ts';

/** A route whose items wait for notifications. */
export const ON_CALL = {
  name: 'on-call',
  to: PHONE,
  each: 'payload.alerts',
  incident: { key: '{{ item.id }}', resolved: 'item.status == "resolved"' },
  send: { kind: 'text', message: '{{ item.summary }}' },
};

/** The route's result for a list of alerts. */
export function take(route: object, alerts: readonly unknown[], source: object = {}) {
  const routes = [{ ...ON_CALL, ...route }];
  const [result] = routeEvent(eventOf(sourceOf({ routes, ...source }), { payload: { alerts } }));
  if (result === undefined) throw new Error('no result');
  return result;
}

export const itemsOf = (...given: Parameters<typeof take>) => take(...given).items ?? [];
