import type { Route, Source } from '../../config/config.ts';
import { keyOfItem } from '../../provider/items.ts';
import { createRouteBudget } from '../../template/basics/budget.ts';
import { evaluateCondition } from '../../template/condition.ts';
import type { Locale } from '../../template/basics/locale.ts';
import { failure, type RouteFailure } from '../../render/failure.ts';
import { readPath } from '../../template/path.ts';
import { eventScope, type WebhookEvent } from '../request/event.ts';
import { renderMessages } from './render.ts';
import {
  charactersOf,
  MAX_MESSAGES_PER_EVENT,
  tooMuch,
  WHOLE_EVENT,
  without,
  type Allowance,
} from './allowance.ts';
import { routeItems, type Element } from './items.ts';
import type { RenderedMessage, RouteResult } from './route-result.ts';

/** Evaluates the source's routes for the event, in order. A route that fails does not hold up the others. */
export function routeEvent(event: WebhookEvent): readonly RouteResult[] {
  const results: RouteResult[] = [];
  let stopped = false;
  let left = WHOLE_EVENT;
  for (const route of event.source.routes) {
    const result = stopped ? nothing(route, 'not_reached') : takeRoute(event, route, left);
    results.push(result);
    left = without(left, result);
    if (route.stop && isTaken(result)) stopped = true;
  }
  return results;
}

const nothing = ({ name }: Route, result: RouteResult['result']): RouteResult => ({
  route: name,
  result,
  messages: [],
  failures: [],
});

/**
 * A route whose condition could not be evaluated does not count as matched; one that matched and could not render does.
 */
const isTaken = ({ result, failures }: RouteResult): boolean =>
  result === 'matched' || (result === 'failed' && failures.every(({ parameter }) => parameter !== 'when'));

function takeRoute(event: WebhookEvent, route: Route, left: Allowance): RouteResult {
  const { locale } = event.source;
  const scope = { ...eventScope(event), budget: createRouteBudget() };
  if (route.when !== null) {
    const matches = evaluateCondition(route.when, scope, locale);
    if (!matches.ok) return failed(route, 'when', route.when.source, matches.error);
    if (!matches.value) return nothing(route, 'not_matched');
  }
  if (route.each === null) return makeAll(event.source, route, [{ scope }], left);

  const read = readPath(route.each, scope, locale);
  if (!read.ok) return failed(route, 'each', route.each.source, read.error);
  const list = read.value;
  if (!Array.isArray(list)) return failed(route, 'each', route.each.source, notAList(list));
  if (list.length > MAX_MESSAGES_PER_EVENT) {
    const why = `has ${list.length} elements; an event may make ${MAX_MESSAGES_PER_EVENT} messages`;
    return failed(route, 'each', route.each.source, why);
  }
  const { items } = event.source.provider;
  const elements = list.map((item: unknown, at): Element => {
    const key = items === undefined ? null : keyOfItem(items, item);
    return { scope: { ...scope, item, index: at + 1 }, ...(key !== null && { itemKey: key }) };
  });
  return makeAll(event.source, route, elements, left);
}

const failed = ({ name }: Route, parameter: string, expression: string, why: string): RouteResult => ({
  route: name,
  result: 'failed',
  messages: [],
  failures: [failure({ route: name }, parameter, expression, why)],
});

const notAList = (value: unknown): string =>
  value === undefined || value === null
    ? 'is not there, and has to be a list'
    : `is of type ${typeof value}, and has to be a list`;

const makeAll = (source: Source, route: Route, elements: readonly Element[], left: Allowance): RouteResult =>
  route.telling === null
    ? renderAll(route, elements, source.locale, left)
    : routeItems(source, route, route.telling, elements, left);

/**
 * Renders the route for each element, up to what the event may still make; beyond that none of the route's messages is
 * sent.
 */
function renderAll(route: Route, elements: readonly Element[], locale: Locale, left: Allowance): RouteResult {
  const messages: RenderedMessage[] = [];
  const failures: RouteFailure[] = [];
  let characters = 0;
  for (const { scope, ...key } of elements) {
    const rendered = renderMessages(route, scope, locale);
    messages.push(...rendered.messages.map((message) => ({ ...message, ...key })));
    failures.push(...rendered.failures);
    characters += charactersOf(rendered.messages);
    if (messages.length > left.messages || characters > left.characters) {
      failures.push(tooMuch(route.name));
      return { ...nothing(route, 'failed'), failures };
    }
  }
  return { route: route.name, result: failures.length === 0 ? 'matched' : 'failed', messages, failures };
}
