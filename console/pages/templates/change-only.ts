import type { Compared, EventComparison } from './changes.tsx';
import { pairsOf } from './compare.ts';

type RouteOf = Compared['routes'][number];

/**
 * Compares a draft with the published texts instead of the sent messages. Changes by others since then are not part of
 * this change, and a message that waits for its group or for the morning was not sent yet.
 */
export function changeOnly(draft: EventComparison, published: EventComparison): EventComparison {
  const before = new Map(published.events.map((event) => [event.event, event]));
  const events = draft.events.map((event) => {
    const base = before.get(event.event);
    if (!('sent' in event) || base === undefined || !('sent' in base)) return event;
    const sent = base.would_send.map((message) => ({ ...message, message: '', state: 'sent' as const }));
    const routes = event.routes.map((route) =>
      base.routes.some((one) => one.route === route.route && hasSameFailures(one, route))
        ? { ...route, result: 'not_reached' as const, failures: [] }
        : route,
    );
    return { ...event, sent, routes };
  });
  const compared = events.filter((event) => 'sent' in event);
  const failed = compared.filter((event) => hasFailed(event)).length;
  const changed = compared.filter(
    (event) => !hasFailed(event) && pairsOf(event.sent, event.would_send).some(({ isSame }) => !isSame),
  ).length;
  const { events: all, not_comparable } = draft.summary;
  return {
    ...draft,
    events,
    summary: { ...draft.summary, failed, changed, same: all - failed - not_comparable - changed },
  };
}

const hasFailed = ({ routes }: Pick<Compared, 'routes'>): boolean =>
  routes.some(({ result }) => result === 'failed');

/** True if a route fails now as it will: that is not of this change. */
const hasSameFailures = (now: RouteOf, then: RouteOf): boolean =>
  now.result === 'failed' &&
  then.result === 'failed' &&
  JSON.stringify(now.failures) === JSON.stringify(then.failures);
