import type { Alerting, Route, Source } from '../../config/config.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { fnv } from '../../lib/fnv.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import { failure, placeOf, type RouteFailure } from '../../render/failure.ts';
import { renderReceivers } from '../../render/receivers.ts';
import { truncateTo } from '../../template/basics/graphemes.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { evaluateCondition } from '../../template/condition.ts';
import { renderText, type CompiledText } from '../../template/text.ts';
import { roomFor, tooMuch, without, type Allowance } from './allowance.ts';
import { leftOutNote } from './left-out.ts';
import { onceOf } from './once.ts';
import { namedIn, namedPart } from './named-part.ts';
import type { RouteResult } from './route-result.ts';
import { shortened } from './shortened.ts';

/** Longest key of an incident, and longest value that items are grouped by (UTF-16 units). */
export const MAX_KEY_LENGTH = 256;
/** What is kept of a longer key, beside a hash of the whole. */
const KEPT_OF_KEY = 200;
/** Longest item as JSON (UTF-16 units). */
const MAX_VALUE_LENGTH = 65_536;

/** A route whose items the outbox notifies of when they are due, and what one of them is about. */
interface ItemContext {
  readonly route: Route;
  readonly alerting: Alerting;
  readonly source: Source;
  readonly scope: Scope;
  /** Says what went wrong with an item that is kept nevertheless. */
  readonly note: (parameter: string, text: { readonly source: string } | null, why: string) => void;
}

/** One rendering of a route: what its texts see, and the id of the element that it is about. */
export interface Element {
  readonly scope: Scope;
  readonly itemKey?: string;
}

/** A route that was taken, and what it is about. */
export interface Taken {
  readonly source: Source;
  readonly route: Route;
  readonly elements: readonly Element[];
}

/**
 * The items of a route, up to what the event may still make. Beyond what its source may make in a minute, the rest is
 * left out; beyond any other bound, none of them is kept.
 */
export function routeItems(
  { source, route, elements }: Taken,
  alerting: Alerting,
  left: Allowance,
): RouteResult {
  const items: DraftItem[] = [];
  const failures: RouteFailure[] = [];
  const notes: RouteFailure[] = [];
  const once = onceOf(route, source.locale);
  let rest = left;
  const result = (): RouteResult => ({
    route: route.name,
    result: failures.length === 0 ? 'matched' : 'failed',
    messages: [],
    failures,
    ...(items.length > 0 && { items }),
    ...(notes.length > 0 && { notes }),
  });
  for (const [at, { scope, ...key }] of elements.entries()) {
    const room = roomFor(rest, 0);
    if (room === 0) {
      notes.push(leftOutNote(route, left.perMinute, { messages: 0, seen: at, of: elements.length }));
      break;
    }
    const to = renderReceivers(route, scope, source.locale);
    failures.push(...to.failures);
    const all = MESSAGE_KINDS[route.send.kind].hasReceiver ? to.phones : [null];
    if (all.length === 0) continue;
    const phones = all.slice(0, room);
    const note: ItemContext['note'] = (parameter, text, why) =>
      notes.push(failure(placeOf(route, scope), parameter, text?.source ?? '', why));
    const draft = draftItem({ route, alerting, source, scope, note });
    // A resolution always goes to those who know of the opening.
    const fact = draft.isResolved ? {} : once.keyOf(scope);
    if (fact === null) continue;
    const item = { ...draft, phones, ...key, ...fact };
    rest = without(rest, { messages: [], items: [item] });
    if (rest.messages < 0 || rest.characters < 0) {
      items.length = 0;
      notes.length = 0;
      failures.push(tooMuch(route.name));
      return result();
    }
    items.push(item);
    once.claim(fact);
    const leftOut = all.length - phones.length;
    if (leftOut > 0) {
      notes.push(
        leftOutNote(route, left.perMinute, { messages: leftOut, seen: at + 1, of: elements.length }),
      );
      break;
    }
  }
  notes.push(...once.notes());
  return result();
}

function draftItem(context: ItemContext): Omit<DraftItem, 'phones' | 'itemKey' | 'once'> {
  const { route, alerting, scope } = context;
  return {
    route: route.name,
    index: scope.index ?? 1,
    key: keyOf(context),
    isResolved: isResolved(context),
    flapping: alerting.incident?.flapping ?? null,
    group:
      alerting.group === null
        ? null
        : JSON.stringify(
            alerting.group.by.map((by) =>
              textOf('group.by', by, context).slice(0, MAX_KEY_LENGTH).toWellFormed(),
            ),
          ),
    inhibitedBy: inhibitedBy(context),
    value: valueOf(context),
  };
}

/** A rendered text, trimmed; one that fails is empty, and the event says why. */
function textOf(parameter: string, text: CompiledText, { source, scope, note }: ItemContext): string {
  const rendered = renderText(text, scope, source.locale);
  if (rendered.ok) return rendered.value.trim().toWellFormed();
  note(parameter, text, `${rendered.error}: taken as empty`);
  return '';
}

function keyOf(context: ItemContext): string | null {
  const { incident } = context.alerting;
  if (incident === null) return null;
  const key = keyFrom(textOf('incident.key', incident.key, context));
  if (key !== '') return key;
  context.note('incident.key', incident.key, 'is empty: the item is notified once, as no incident');
  return null;
}

/** A key as it is stored: a long one is its beginning and a hash of it all, so that different ones stay different. */
function keyFrom(key: string): string {
  return key.length <= MAX_KEY_LENGTH ? key : `${truncateTo(key, KEPT_OF_KEY + 1)}${fnv(key).toString(36)}`;
}

function isResolved({ alerting: { incident }, source, scope, note }: ItemContext): boolean {
  if (incident === null || incident.resolved === null) return false;
  const resolved = evaluateCondition(incident.resolved, scope, source.locale);
  if (resolved.ok) return resolved.value;
  note('incident.resolved', incident.resolved, `${resolved.error}: the item counts as firing`);
  return false;
}

/** The incidents that a text can mean, as `source/route/key`: it may be a key of the route, or begin with its place. */
function inhibitedBy(context: ItemContext): readonly string[] {
  const { route, alerting, source } = context;
  const rule = alerting.incident?.inhibitedBy ?? null;
  const text = rule === null ? '' : textOf('incident.inhibited_by', rule, context);
  if (text === '') return [];
  const [first = '', second = '', ...others] = text.split('/');
  const candidates = [[source.id, route.name, text]];
  if (second !== '' || others.length > 0) candidates.push([source.id, first, text.slice(first.length + 1)]);
  if (others.length > 0) candidates.push([first, second, others.join('/')]);
  return candidates.map(([from = '', name = '', key = '']) => `${from}/${name}/${keyFrom(key)}`);
}

/** The element, or the payload, as JSON: where the source keeps no payloads, only what the route's texts name. */
function valueOf({ route, alerting, source, scope, note }: ItemContext): string {
  const whole = (route.each === null ? scope.payload : scope.item) ?? null;
  const part = (): unknown => {
    const named = namedOf(route, alerting);
    return named === null ? whole : namedPart(whole, named);
  };
  const text = JSON.stringify(source.store === 'metadata' ? part() : whole);
  if (text.length <= MAX_VALUE_LENGTH) return text;
  const why = `has ${text.length} characters as JSON, and ${MAX_VALUE_LENGTH} is the most that waits: it is cut to what the texts name`;
  note('each', route.each, why);
  return shortened(part(), MAX_VALUE_LENGTH);
}

const known = new WeakMap<Route, ReturnType<typeof namedIn>>();

/** Worked out once for each route. */
function namedOf(route: Route, { digest }: Alerting): ReturnType<typeof namedIn> {
  let named = known.get(route);
  if (named === undefined) {
    const sends = [route.send, digest].flatMap((send) => (send === null ? [] : [send, ...send.fallback]));
    named = namedIn(sends.flatMap(({ params }) => params.flatMap(({ texts }) => texts)));
    known.set(route, named);
  }
  return named;
}
