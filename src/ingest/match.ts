import type { Route } from '../config/config.ts';
import { evaluateCondition } from '../template/condition.ts';
import { readPath } from '../template/path.ts';
import { eventScope, type WebhookEvent } from './event.ts';
import { renderMessages } from './render.ts';
import { failure, type Rendered, type RouteResult } from './route-result.ts';

/** One event may make this many messages; a list that would make more is a mistake or an attack. */
export const MAX_MESSAGES_PER_EVENT = 1_000;

/** Takes the event through its source's routes, in order. A route that fails does not hold up the others. */
export function routeEvent(event: WebhookEvent): readonly RouteResult[] {
  const results: RouteResult[] = [];
  let stopped = false;
  let room = MAX_MESSAGES_PER_EVENT;
  for (const route of event.source.routes) {
    const result = stopped
      ? ({ ...NOTHING, route: route.name, result: 'not_reached' } as const)
      : takeRoute(event, route, room);
    results.push(result);
    room -= result.messages.length;
    if (route.stop && !stopped && result.result !== 'not_matched' && !failedAt(result, 'when'))
      stopped = true;
  }
  return results;
}

const NOTHING = { messages: [], failures: [] } as const;

const failedAt = ({ failures }: RouteResult, parameter: string): boolean =>
  failures.some((failure) => failure.parameter === parameter);

function takeRoute(event: WebhookEvent, route: Route, room: number): RouteResult {
  const { locale } = event.source;
  const scope = eventScope(event);
  const fail = (parameter: string, expression: string, why: string): RouteResult => ({
    route: route.name,
    result: 'failed',
    messages: [],
    failures: [failure(route.name, parameter, expression, why)],
  });

  if (route.when !== null) {
    const matches = evaluateCondition(route.when, scope, locale);
    if (!matches.ok) return fail('when', route.when.source, matches.error);
    if (!matches.value) return { ...NOTHING, route: route.name, result: 'not_matched' };
  }
  if (route.each === null) return summarize(route, [renderMessages(route, scope, locale)], room);

  const items = readPath(route.each, scope, locale);
  if (!items.ok) return fail('each', route.each.source, items.error);
  if (!Array.isArray(items.value)) return fail('each', route.each.source, 'is not a list');
  if (items.value.length > MAX_MESSAGES_PER_EVENT) {
    return fail(
      'each',
      route.each.source,
      `has ${items.value.length} elements; an event may make ${MAX_MESSAGES_PER_EVENT} messages`,
    );
  }
  const rendered = items.value.map((item: unknown, at) =>
    renderMessages(route, { ...scope, item, index: at + 1 }, locale),
  );
  return summarize(route, rendered, room);
}

function summarize(route: Route, rendered: readonly Rendered[], room: number): RouteResult {
  const messages = rendered.flatMap((one) => one.messages);
  const failures = rendered.flatMap((one) => one.failures);
  if (messages.length > room) {
    failures.push(
      failure(route.name, 'to', '', `would bring the event to more than ${MAX_MESSAGES_PER_EVENT} messages`),
    );
    return { route: route.name, result: 'failed', messages: [], failures };
  }
  return { route: route.name, result: failures.length === 0 ? 'matched' : 'failed', messages, failures };
}
