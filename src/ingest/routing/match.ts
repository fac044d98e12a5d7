import type { LoadedConfig, Route, Silence } from '../../config/config.ts';
import { silencedBy } from '../../config/silenced.ts';
import { keyOfItem } from '../../provider/items.ts';
import { createRouteBudget } from '../../template/basics/budget.ts';
import { evaluateCondition } from '../../template/condition.ts';
import { failure, type RouteFailure } from '../../render/failure.ts';
import { readPath } from '../../template/path.ts';
import { eventScope, type WebhookEvent } from '../request/event.ts';
import { leftOutNote } from './left-out.ts';
import { onceOf } from './once.ts';
import { renderMessages } from './render.ts';
import {
  allowanceOf,
  charactersOf,
  MAX_MESSAGES_PER_EVENT,
  roomFor,
  tooMuch,
  without,
  type Allowance,
} from './allowance.ts';
import { routeItems, type Element, type Taken } from './items.ts';
import type { RenderedMessage, RouteResult, SilencedItem } from './route-result.ts';

/** The silences of a configuration, and the time (ms). What waits for a notification is silenced when it is due. */
export interface Silencing {
  readonly silences: readonly Silence[];
  readonly now: number;
}

/** What may silence an event that comes in; undefined: nothing. */
export const silencing = ({ silences }: LoadedConfig, now: number): Silencing | undefined =>
  silences.length === 0 ? undefined : { silences, now };

/**
 * Evaluates the source's routes for the event, in order. A route that fails does not hold up the others. `may`: what
 * all of them may make; by default what a webhook of the source may.
 */
export function routeEvent(
  event: WebhookEvent,
  quiet?: Silencing,
  may: Allowance = allowanceOf(event.source),
): readonly RouteResult[] {
  const results: RouteResult[] = [];
  let stopped = false;
  let left = may;
  for (const route of event.source.routes) {
    const result = stopped ? nothing(route, 'not_reached') : takeRoute(event, route, left, quiet);
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

function takeRoute(event: WebhookEvent, route: Route, left: Allowance, quiet?: Silencing): RouteResult {
  const { locale } = event.source;
  const scope = { ...eventScope(event), budget: createRouteBudget() };
  if (route.when !== null) {
    const matches = evaluateCondition(route.when, scope, locale);
    if (!matches.ok) return failed(route, 'when', route.when.source, matches.error);
    if (!matches.value) return nothing(route, 'not_matched');
  }
  if (route.each === null)
    return makeAll({ source: event.source, route, elements: [{ scope }] }, left, quiet);

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
  return makeAll({ source: event.source, route, elements }, left, quiet);
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

const makeAll = (taken: Taken, left: Allowance, quiet: Silencing | undefined): RouteResult =>
  taken.route.alerting === null
    ? renderAll(taken, left, quiet)
    : routeItems(taken, taken.route.alerting, left);

/**
 * Renders the route for each element, up to what the event may still make. Beyond what its source may make in a minute,
 * the rest is left out; beyond any other bound, none of the route's messages is sent.
 */
function renderAll(
  { source: { locale }, route, elements }: Taken,
  left: Allowance,
  quiet: Silencing | undefined,
): RouteResult {
  const once = onceOf(route, locale);
  const messages: RenderedMessage[] = [];
  const failures: RouteFailure[] = [];
  const notes: RouteFailure[] = [];
  let silenced: SilencedItem[] | undefined;
  let characters = 0;
  for (const [at, { scope, ...key }] of elements.entries()) {
    const room = roomFor(left, messages.length);
    if (room === 0) {
      notes.push(leftOutNote(route, left.perMinute, { messages: 0, seen: at, of: elements.length }));
      break;
    }
    const silence = quiet && silencedBy(quiet.silences, scope, locale, quiet.now);
    if (silence) {
      (silenced ??= []).push({ index: scope.index ?? 1, silence: silence.id });
      continue;
    }
    // A silenced element does not use its key up: the next one is sent once the silence is over.
    const fact = once.keyOf(scope);
    if (fact === null) continue;
    const rendered = renderMessages(route, scope, locale, room);
    messages.push(...rendered.messages.map((message) => ({ ...message, ...key, ...fact })));
    if (rendered.messages.length > 0) once.claim(fact);
    failures.push(...rendered.failures);
    notes.push(...(rendered.notes ?? []));
    characters += charactersOf(rendered.messages);
    if (messages.length > left.messages || characters > left.characters) {
      failures.push(tooMuch(route.name));
      return { ...nothing(route, 'failed'), failures };
    }
    if (rendered.leftOut !== undefined) {
      const leftOut = { messages: rendered.leftOut, seen: at + 1, of: elements.length };
      notes.push(leftOutNote(route, left.perMinute, leftOut));
      break;
    }
  }
  const result = failures.length === 0 ? 'matched' : 'failed';
  notes.push(...once.notes());
  return {
    route: route.name,
    result,
    messages,
    failures,
    ...(silenced && { silenced }),
    ...(notes.length > 0 && { notes }),
  };
}
