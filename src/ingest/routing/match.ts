import type { FieldCode } from '../../lib/problem.ts';
import type { LoadedConfig, Route } from '../../config/compiled/config.ts';
import type { Silence } from '../../config/compiled/alerting.ts';
import { silencedBy } from '../../config/compiled/silenced.ts';
import { keyOfItem } from '../../provider/items.ts';
import { createRouteBudget } from '../../template/basics/budget.ts';
import { evaluateCondition, readPath } from '../../template/expression.ts';
import { failure, type RouteFailure } from '../../render/failure.ts';
import { eventScope, type WebhookEvent } from '../request/event.ts';
import { leftOutBySender } from './left-out-by-sender.ts';
import { LeftOut } from './left-out.ts';
import { onceOf } from './once.ts';
import { routeForPress } from './pressed.ts';
import { renderMessages } from './render.ts';
import {
  allowanceOf,
  charactersOf,
  MAX_ELEMENTS,
  MAX_MESSAGES_PER_ROUTE,
  type Allowance,
  type Bound,
} from './allowance.ts';
import { routeItems, type Element, type RouteItems } from './items.ts';
import type { RenderedMessage, RouteResult, SilencedItem } from './route-result.ts';

/** The maximum number of silenced elements of a route that an event names. */
const MAX_SILENCED = 1_000;

/**
 * The silences of a configuration, and the time (ms). An item that waits for a notification is checked for silences
 * when it is due.
 */
export interface Silencing {
  readonly silences: readonly Silence[];
  readonly now: number;
}

/** The silences for an event. */
export const silencing = ({ silences }: LoadedConfig, now: number): Silencing => ({ silences, now });

/**
 * Evaluates the source's routes for the event, in order. A route that fails does not hold up the others. `may`: the
 * allowance of all of them, which this uses up; by default, that of a webhook of the source. `quiet`: the silences; by
 * default none, at the time of the event.
 */
export function routeEvent(
  event: WebhookEvent,
  quiet: Silencing = { silences: [], now: event.receivedAt },
  may: Allowance = allowanceOf(event.source),
): readonly RouteResult[] {
  const results: RouteResult[] = [];
  let stopped = false;
  for (const route of event.source.routes) {
    const result = stopped ? nothing(route, 'not_reached') : takeRoute(event, route, may, quiet);
    results.push(result);
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

function takeRoute(event: WebhookEvent, own: Route, may: Allowance, quiet: Silencing): RouteResult {
  const route = routeForPress(event, own);
  if (route === null) return nothing(own, 'not_matched');
  const { source } = event;
  const { locale } = source;
  const { now } = quiet;
  const scope = { ...eventScope(event), budget: createRouteBudget() };
  if (route.when !== null) {
    const matches = evaluateCondition(route.when, scope, locale);
    if (!matches.ok) return failed(route, 'when', route.when.source, matches.error);
    if (!matches.value) return nothing(route, 'not_matched');
  }
  if (route.each === null)
    return makeAll({ source, route, elements: [{ scope }], of: 1, bySender: 0, now }, may, quiet);

  const read = readPath(route.each, scope, locale);
  if (!read.ok) return failed(route, 'each', route.each.source, read.error);
  const list = read.value;
  if (!Array.isArray(list)) return failed(route, 'each', route.each.source, notAList(list), 'wrong-type');
  const { items, left_out: said } = event.source.provider;
  const bySender = leftOutBySender(said, route, event.payload);
  const elements = list.slice(0, MAX_ELEMENTS).map((item: unknown, at): Element => {
    const key = items === undefined ? null : keyOfItem(items, item);
    return { scope: { ...scope, item, index: at + 1 }, ...(key !== null && { itemKey: key }) };
  });
  return makeAll({ source, route, elements, of: list.length, bySender, now }, may, quiet);
}

const failed = (
  { name }: Route,
  parameter: string,
  expression: string,
  why: string,
  code?: FieldCode,
): RouteResult => ({
  route: name,
  result: 'failed',
  messages: [],
  failures: [failure({ route: name }, parameter, expression, why, code)],
});

const notAList = (value: unknown): string =>
  value === undefined || value === null
    ? 'is missing, and must be a list'
    : `has the type ${typeof value}, and must be a list`;

const makeAll = (taken: RouteItems, may: Allowance, quiet: Silencing): RouteResult => {
  const { alerting } = taken.route;
  return alerting === null ? renderAll(taken, may, quiet) : routeItems({ ...taken, alerting }, may);
};

/** Renders the route for each element, as long as there is capacity for its messages. The rest is counted. */
function renderAll(
  { source: { locale }, route, elements, of, bySender }: RouteItems,
  may: Allowance,
  { silences, now }: Silencing,
): RouteResult {
  const once = onceOf(route, locale);
  const leftOut = new LeftOut({ route, unit: 'messages', perMinute: may.perMinute, of, bySender });
  const messages: RenderedMessage[] = [];
  const failures: RouteFailure[] = [];
  const notes: RouteFailure[] = [];
  let silenced: SilencedItem[] | undefined;
  let failedElements = 0;
  let end: { readonly by: Bound; readonly seen: number } = { by: 'elements', seen: elements.length };
  for (const [at, { scope, ...key }] of elements.entries()) {
    const ofRoute = MAX_MESSAGES_PER_ROUTE - messages.length - failedElements;
    const capacity = may.rows.count <= ofRoute ? may.rows : { count: ofRoute, by: 'messages' as const };
    if (capacity.count === 0) {
      end = { by: capacity.by, seen: at };
      break;
    }
    const what = { source: scope.event.source, route: route.name, key: null, grouped: null, scope };
    const silence = silencedBy(silences, what, locale, now);
    if (silence !== null) {
      silenced ??= [];
      if (silenced.length < MAX_SILENCED) silenced.push({ index: scope.index ?? 1, silence: silence.id });
      continue;
    }
    // A silenced element does not consume its key: the next one is sent once the silence is over.
    const fact = once.keyOf(scope);
    if (fact === null) continue;
    const rendered = renderMessages(route, scope, locale, {
      messages: capacity.count,
      characters: may.characters,
      now,
    });
    messages.push(...rendered.messages.map((message) => ({ ...message, ...key, ...fact })));
    may.take(rendered.messages.length, charactersOf(rendered.messages));
    if (rendered.messages.length > 0) once.claim(fact);
    else failedElements += 1;
    failures.push(...rendered.failures);
    notes.push(...(rendered.notes ?? []));
    if (rendered.leftOut !== undefined) {
      const by = rendered.leftOut.by === 'messages' ? capacity.by : 'characters';
      leftOut.part(by, rendered.leftOut.count, at + 1);
      end = { by, seen: at + 1 };
      break;
    }
  }
  leftOut.after(end.by, end.seen);
  const result = failures.length === 0 ? 'matched' : 'failed';
  const all = [...leftOut.notes(messages.length), ...notes, ...once.notes()];
  return {
    route: route.name,
    result,
    messages,
    failures,
    ...(silenced && { silenced }),
    ...(all.length > 0 && { notes: all }),
  };
}
