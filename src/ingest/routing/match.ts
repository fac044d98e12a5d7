import type { FieldCode } from '../../lib/api-codes.ts';
import type { LoadedConfig, Route } from '../../config/compiled/config.ts';
import { silencedBy } from '../../config/compiled/silences.ts';
import { keyOfItem } from '../../provider/lookup.ts';
import { createRouteBudget } from '../../template/basics/budget.ts';
import { evaluateCondition, readPath } from '../../template/text.ts';
import { failure, type RouteFailure, placeOf } from '../../render/failure.ts';
import { eventScope, type WebhookEvent } from '../request/event.ts';
import {
  Allowance,
  type Bound,
  charactersOf,
  leftOutBySender,
  leftOutOf,
  MAX_ELEMENTS,
  MAX_MESSAGES_PER_ROUTE,
} from './allowance.ts';
import { onceOf, routeItems } from './items.ts';
import {
  type RenderedMessage,
  resultOf,
  type RouteResult,
  type Silencing,
  type TakenRoute,
} from './result.ts';
import { ownValue } from '../../lib/json.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { renderReceivers } from '../../render/receivers.ts';
import { renderSends, withFallback } from '../../render/fallback.ts';
import type { Locale } from '../../template/basics/locale.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { linksVisitor, visitorScope, withoutGaps } from './visitor.ts';

/** The maximum number of silenced elements of a route that an event names. */
const MAX_SILENCED = 1_000;

export const silencing = ({ silences }: LoadedConfig, now: number): Silencing => ({ silences, now });

/** In order; a route that fails holds up no other. A person who asks for it may have more than the source's limit. */
export function routeEvent(
  event: WebhookEvent,
  quiet: Silencing = { silences: [], now: event.receivedAt },
  askedBy: 'sender' | 'person' = 'sender',
): readonly RouteResult[] {
  const may = new Allowance(askedBy === 'person' ? null : event.source.limit);
  let stopped = false;
  return event.source.routes.map((route) => {
    const result = stopped ? nothing(route, 'not_reached') : takeRoute(event, route, may, quiet);
    if (route.stop && isTaken(result)) stopped = true;
    return result;
  });
}

const nothing = (
  { name }: Route,
  result: RouteResult['result'],
  failures: readonly RouteFailure[] = [],
): RouteResult => ({ route: name, result, messages: [], failures });

/** A route whose condition fails did not match; one that matched and could not render did. */
const isTaken = ({ result, failures }: RouteResult): boolean =>
  result === 'matched' || (result === 'failed' && failures.every(({ parameter }) => parameter !== 'when'));

function takeRoute(event: WebhookEvent, own: Route, may: Allowance, quiet: Silencing): RouteResult {
  const route = routeForPress(event, own);
  if (route === null) return nothing(own, 'not_matched');
  const { source, payload } = event;
  const { when, each, alerting } = route;
  const failed = (parameter: string, expression: string, why: string, code?: FieldCode): RouteResult =>
    nothing(route, 'failed', [failure({ route: route.name }, parameter, expression, why, code)]);
  const scope = { ...eventScope(event), budget: createRouteBudget() };
  if (when !== null) {
    const matches = evaluateCondition(when, scope, source.locale);
    if (!matches.ok) return failed('when', when.source, matches.error);
    if (!matches.value) return nothing(route, 'not_matched');
  }
  const makeAll = (elements: TakenRoute['elements'], of: number, bySender: number): RouteResult => {
    const all = { source, route, elements, of, bySender, quiet };
    return alerting === null ? renderAll(all, may) : routeItems(all, alerting, may);
  };
  if (each === null) return makeAll([{ scope }], 1, 0);

  const read = readPath(each, scope, source.locale);
  if (!read.ok) return failed('each', each.source, read.error);
  const list = read.value;
  if (!Array.isArray(list)) return failed('each', each.source, notAList(list), 'wrong-type');
  const { items, left_out: said } = source.provider;
  const elements = list.slice(0, MAX_ELEMENTS).map((item: unknown, at) => {
    const key = items === undefined ? null : keyOfItem(items, item);
    return { scope: { ...scope, item, index: at + 1 }, ...(key !== null && { itemKey: key }) };
  });
  return makeAll(elements, list.length, leftOutBySender(said, route, payload));
}

const notAList = (value: unknown): string =>
  value === undefined || value === null
    ? 'is missing, and must be a list'
    : `has the type ${typeof value}, and must be a list`;

/** Renders the route for each element, as long as there is capacity for its messages. The rest is counted. */
function renderAll(taken: TakenRoute, may: Allowance): RouteResult {
  const { source, route, elements, of, quiet } = taken;
  const { locale } = source;
  const { silences, now } = quiet;
  const once = onceOf(taken);
  const leftOut = leftOutOf(taken);
  const messages: RenderedMessage[] = [];
  const failures: RouteFailure[] = [];
  const notes: RouteFailure[] = [];
  const silenced: { index: number; silence: string }[] = [];
  let failedElements = 0;
  let seen = 0;
  let end: Bound = 'elements';
  for (const { scope, ...key } of elements) {
    const ofRoute = MAX_MESSAGES_PER_ROUTE - messages.length - failedElements;
    const rows = may.rows();
    const capacity = rows.count <= ofRoute ? rows : { count: ofRoute, by: 'messages' as const };
    if (capacity.count === 0) {
      end = capacity.by;
      break;
    }
    seen += 1;
    const what = { source: source.id, route: route.name, key: null, grouped: null, scope };
    const silence = silencedBy(silences, what, locale, now);
    if (silence !== null) {
      if (silenced.length < MAX_SILENCED) silenced.push({ index: seen, silence: silence.id });
      continue;
    }
    // A silenced element does not consume its key: the next one is sent once the silence is over.
    const fact = once.keyOf(scope);
    if (fact === null) continue;
    const bounds = { messages: capacity.count, characters: may.characters, now };
    const rendered = renderMessages(route, scope, locale, bounds);
    messages.push(...rendered.messages.map((message) => ({ ...message, ...key, ...fact })));
    may.take(rendered.messages.length, charactersOf(rendered.messages));
    if (rendered.messages.length > 0) once.claim(fact);
    else failedElements += 1;
    failures.push(...rendered.failures);
    notes.push(...(rendered.notes ?? []));
    if (rendered.leftOut !== undefined) {
      end = rendered.leftOut.by === 'messages' ? capacity.by : 'characters';
      leftOut.add(end, seen, 0, rendered.leftOut.count);
      break;
    }
  }
  leftOut.add(end, seen, of - seen);
  const all = [...leftOut.notes(messages.length), ...notes, ...once.notes()];
  return resultOf(route, { messages, failures, silenced, notes: all });
}

/** The type of events that presses make: this prefix and the name of the action. */
const TYPE = /^action\./;

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

/** `leftOut`: by a bound on messages or their characters; absent: nothing. */
interface RenderedRoute extends Pick<RouteResult, 'messages' | 'failures' | 'notes'> {
  readonly leftOut?: Readonly<{ count: number; by: 'messages' | 'characters' }>;
}

/**
 * Renders a route once. Failures are reported, the rest is sent; receivers beyond the bounds are left out. `characters`:
 * UTF-16 units. `now` (ms): whoever is on call then is the receiver.
 */
export function renderMessages(
  route: Route,
  scope: Scope,
  locale: Locale,
  { messages: most, characters, now }: Readonly<Record<'messages' | 'characters' | 'now', number>>,
): RenderedRoute {
  const { visitor, elsewhere } = route;
  const own = visitor === null ? scope : visitorScope(scope, visitor);
  const made = renderSends(route, route.send, own, locale);
  if (!made.ok) return { messages: [], failures: made.error };
  const parts = visitor === null ? made.value : withoutGaps(made.value, own, visitor);
  const { kind, sets, fallback, notes } = parts;
  if (visitor !== null && linksVisitor([...sets, ...fallback.map(({ params }) => params)]))
    return { messages: [], failures: [failure(placeOf(route, scope), 'message', '', HAS_LINK, 'unsafe')] };
  const { phones, failures } = renderReceivers(route, scope, locale, now);
  const all: readonly (string | null)[] = MESSAGE_KINDS[kind].hasReceiver ? phones : [null];
  const byCount = Math.floor(most / sets.length);
  const ofOne = sets.map((params, at) => ({ params, ...(at === 0 && { fallback }) }));
  const byCharacters = Math.floor(characters / charactersOf(ofOne));
  const receivers = all.slice(0, Math.min(byCount, byCharacters));
  const messages = receivers.flatMap((phone) =>
    sets.map((params, at): RenderedMessage => {
      const more = withFallback(parts, at, { phone, elsewhere });
      return { route: route.name, kind, phone, params, ...more };
    }),
  );
  const count = (all.length - receivers.length) * sets.length;
  const by = byCharacters < byCount ? 'characters' : 'messages';
  return { messages, failures, notes, ...(count > 0 && { leftOut: { count, by } }) };
}

const HAS_LINK = 'has a link, which a message to a visitor must not have';
