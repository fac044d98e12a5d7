import type { Route } from '../../config/compiled/config.ts';
import { ownValue } from '../../lib/own-json.ts';
import type { WebhookEvent } from '../request/event.ts';

/** The type of events that presses make: this prefix and the name of the action. */
const TYPE = /^action\./;

/** Finds a condition about the type of events. */
const NAMES_TYPE = /\bevent\s*\.\s*type\b/;

/**
 * The route as a press uses it. A press takes only a route whose condition is about the type of events: other routes
 * were written for the source's own events. If the pressed message came from the same route, the route loses its own
 * actions, so that a chain ends. Null if the event is a press that the route does not take. An event whose sender only
 * makes it look like a press is handled in the same way.
 */
export function routeForPress({ type, payload }: WebhookEvent, route: Route): Route | null {
  if (type === null || !TYPE.test(type) || typeof ownValue(payload, 'message') !== 'string') return route;
  if (!NAMES_TYPE.test(route.when?.source ?? '')) return null;
  const isOwn = ownValue(payload, 'route') === route.name;
  return isOwn && route.actions.length > 0 ? { ...route, actions: [] } : route;
}
