import type { Route, Source, Telling } from '../../config/config.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import { fnv } from '../../lib/fnv.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import { failure, placeOf, type RouteFailure } from '../../render/failure.ts';
import { renderReceivers } from '../../render/receivers.ts';
import { truncateTo } from '../../template/basics/graphemes.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { evaluateCondition } from '../../template/condition.ts';
import { renderText, type CompiledText } from '../../template/text.ts';
import { tooMuch, without, type Allowance } from './allowance.ts';
import { namedIn, namedPart } from './named-part.ts';
import type { RouteResult } from './route-result.ts';
import { shortened } from './shortened.ts';

/** Longest key of an incident, and longest value that items are grouped by (UTF-16 units). */
export const MAX_KEY_LENGTH = 256;
/** What is kept of a longer key, beside a hash of the whole. */
const KEPT_OF_KEY = 200;
/** Longest item as JSON (UTF-16 units). */
const MAX_VALUE_LENGTH = 65_536;

/** A route whose items are told when they are due, and what one of them is about. */
interface Told {
  readonly route: Route;
  readonly telling: Telling;
  readonly source: Source;
  readonly scope: Scope;
  /** Says what went wrong with an item that is told nevertheless. */
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

/** The items of a route, up to what the event may still make; beyond that none of them is told. */
export function routeItems(
  { source, route, elements }: Taken,
  telling: Telling,
  left: Allowance,
): RouteResult {
  const items: DraftItem[] = [];
  const failures: RouteFailure[] = [];
  const notes: RouteFailure[] = [];
  let rest = left;
  const result = (): RouteResult => ({
    route: route.name,
    result: failures.length === 0 ? 'matched' : 'failed',
    messages: [],
    failures,
    ...(items.length > 0 && { items }),
    ...(notes.length > 0 && { notes }),
  });
  for (const { scope, ...key } of elements) {
    const to = renderReceivers(route, scope, source.locale);
    failures.push(...to.failures);
    const phones = MESSAGE_KINDS[route.send.kind].hasReceiver ? to.phones : [null];
    if (phones.length === 0) continue;
    const note: Told['note'] = (parameter, text, why) =>
      notes.push(failure(placeOf(route, scope), parameter, text?.source ?? '', why));
    const item = { ...draftItem({ route, telling, source, scope, note }), phones, ...key };
    rest = without(rest, { messages: [], items: [item] });
    if (rest.messages < 0 || rest.characters < 0) {
      items.length = 0;
      notes.length = 0;
      failures.push(tooMuch(route.name));
      return result();
    }
    items.push(item);
  }
  return result();
}

function draftItem(told: Told): Omit<DraftItem, 'phones' | 'itemKey'> {
  const { route, telling, scope } = told;
  return {
    route: route.name,
    index: scope.index ?? 1,
    key: keyOf(told),
    isResolved: isResolved(told),
    group: telling.group === null ? null : JSON.stringify(telling.group.by.map((by) => groupValue(by, told))),
    unlessOpen: unlessOpen(told),
    value: valueOf(told),
  };
}

function keyOf({ telling: { incident }, source, scope, note }: Told): string | null {
  if (incident === null) return null;
  const rendered = renderText(incident.key, scope, source.locale);
  const key = rendered.ok ? keyFrom(rendered.value) : '';
  if (key !== '') return key;
  const why = rendered.ok ? 'is empty' : rendered.error;
  note('incident.key', incident.key, `${why}: the item is told once, as no incident`);
  return null;
}

/** A key as it is stored: a long one is its beginning and a hash of it all, so that different ones stay different. */
function keyFrom(text: string): string {
  const key = text.trim().toWellFormed();
  return key.length <= MAX_KEY_LENGTH ? key : `${truncateTo(key, KEPT_OF_KEY + 1)}${fnv(key).toString(36)}`;
}

function isResolved({ telling: { incident }, source, scope, note }: Told): boolean {
  if (incident === null || incident.resolved === null) return false;
  const resolved = evaluateCondition(incident.resolved, scope, source.locale);
  if (resolved.ok) return resolved.value;
  note('incident.resolved', incident.resolved, `${resolved.error}: the item counts as firing`);
  return false;
}

function groupValue(by: CompiledText, { source, scope, note }: Told): string {
  const rendered = renderText(by, scope, source.locale);
  if (rendered.ok) return rendered.value.trim().slice(0, MAX_KEY_LENGTH).toWellFormed();
  note('group.by', by, `${rendered.error}: the item is grouped as if it were empty`);
  return '';
}

/** The incidents that a text can mean, as `source/route/key`: it may be a key of the route, or begin with its place. */
function unlessOpen({ route, telling: { incident }, source, scope, note }: Told): readonly string[] {
  if (incident === null || incident.unlessOpen === null) return [];
  const rendered = renderText(incident.unlessOpen, scope, source.locale);
  if (!rendered.ok) {
    note('incident.unless_open', incident.unlessOpen, `${rendered.error}: the item is told`);
    return [];
  }
  const text = rendered.value.trim();
  if (text === '') return [];
  const [first = '', second = '', ...others] = text.split('/');
  const candidates = [[source.id, route.name, text]];
  if (second !== '' || others.length > 0) candidates.push([source.id, first, text.slice(first.length + 1)]);
  if (others.length > 0) candidates.push([first, second, others.join('/')]);
  return candidates.map(([from = '', name = '', key = '']) => `${from}/${name}/${keyFrom(key)}`);
}

/** The element, or the payload, as JSON: where the source keeps no payloads, only what the route's texts name. */
function valueOf({ route, telling, source, scope, note }: Told): string {
  const whole = (route.each === null ? scope.payload : scope.item) ?? null;
  const named = source.store === 'metadata' ? namedOf(route, telling) : null;
  const value = named === null ? whole : namedPart(whole, named);
  const text = JSON.stringify(value);
  if (text.length <= MAX_VALUE_LENGTH) return text;
  note(
    'each',
    route.each,
    `has ${text.length} characters as JSON, and ${MAX_VALUE_LENGTH} is the most that waits: only what the route's texts name is kept, and long texts and lists in it are cut`,
  );
  const part = namedOf(route, telling);
  return shortened(part === null ? whole : namedPart(whole, part), MAX_VALUE_LENGTH);
}

const known = new WeakMap<Route, ReturnType<typeof namedIn>>();

/** Worked out once for each route. */
function namedOf(route: Route, { digest }: Telling): ReturnType<typeof namedIn> {
  let named = known.get(route);
  if (named === undefined) {
    const params = [...route.send.params, ...(digest?.params ?? [])];
    named = namedIn(params.flatMap(({ texts }) => texts));
    known.set(route, named);
  }
  return named;
}
