import type { Route } from '../../config/config.ts';
import { ownValue } from '../../lib/own-path.ts';
import type { WebhookEvent } from '../request/event.ts';

/** The type of events that presses make: this and the name of the action. */
const TYPE = /^action\./;

/** A condition that is about the type of events. */
const NAMES_TYPE = /\bevent\s*\.\s*type\b/;

/**
 * The route as a press takes it: one whose condition is about the type of events, for the others were written for what
 * the source sends; without its own actions if the pressed message was of it, so that a chain ends. Null: the event is a
 * press that the route does not take. The event of a sender that only looks like a press is treated alike.
 */
export function routeForPress({ type, payload }: WebhookEvent, route: Route): Route | null {
  if (type === null || !TYPE.test(type) || typeof ownValue(payload, 'message') !== 'string') return route;
  if (!NAMES_TYPE.test(route.when?.source ?? '')) return null;
  const isOwn = ownValue(payload, 'route') === route.name;
  return isOwn && route.actions.length > 0 ? { ...route, actions: [] } : route;
}
