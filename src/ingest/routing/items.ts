import type { Alerting } from '../../config/alerting.ts';
import type { Route, Source } from '../../config/config.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import { failure, placeOf, type RouteFailure } from '../../render/failure.ts';
import { renderReceivers } from '../../render/receivers.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { charactersOfItem, type Allowance } from './allowance.ts';
import { draftItem, isResolved, type DraftContext } from './draft-item.ts';
import { LeftOut } from './left-out.ts';
import { onceOf } from './once.ts';
import type { RouteResult } from './route-result.ts';

/** One rendering of a route: what its texts see, and the id of the element that it is about. */
export interface Element {
  readonly scope: Scope;
  readonly itemKey?: string;
}

/** A route that was taken, and the first elements of its list. `of` is the length of the list. */
export interface RouteItems {
  readonly source: Source;
  readonly route: Route;
  readonly elements: readonly Element[];
  readonly of: number;
  /** The time (ms): whoever is on call now is the receiver. */
  readonly now: number;
}

/** A route whose items wait for notifications. */
type WaitingRoute = RouteItems & { readonly alerting: Alerting };

/**
 * Returns the items of a route, as many as its webhook may still bring. The rest is counted. Resolutions among the rest
 * are taken as well: without them, incidents that have resolved would stay open.
 */
export function routeItems(taken: WaitingRoute, allowance: Allowance): RouteResult {
  const { source, route, elements, of } = taken;
  const items: DraftItem[] = [];
  const failures: RouteFailure[] = [];
  const notes: RouteFailure[] = [];
  const once = onceOf(route, source.locale);
  const leftOut = new LeftOut({ route, unit: 'items', perMinute: allowance.perMinute, of });
  let resolutions = 0;
  const takeBeyond = (by: 'rows' | 'items' | 'characters', element: Element): void => {
    const resolution = resolutionBeyond(taken, element, allowance);
    if (resolution === null) leftOut.element(by);
    else {
      items.push(resolution);
      resolutions += 1;
    }
  };
  let looked = 0;
  for (const element of elements) {
    const { rows } = allowance;
    if (rows.count === 0 && rows.by === 'minute') break;
    looked += 1;
    const { scope, ...key } = element;
    const identity = identityOf(route, scope);
    if (rows.count === 0 || !allowance.hasRoomFor(identity)) {
      takeBeyond(rows.count === 0 ? 'rows' : 'items', element);
      continue;
    }
    const draft = draftItem(contextOf(taken, scope, notes));
    // A resolution always goes to everyone who knows of the opening.
    const fact = draft.isResolved ? {} : once.keyOf(scope);
    if (fact === null) continue;
    const characters = charactersOfItem(draft);
    if (characters > allowance.characters) {
      takeBeyond('characters', element);
      continue;
    }
    allowance.countItem(identity);
    const to = receiversOf(taken, scope);
    failures.push(...to.failures);
    if (to.phones.length === 0) continue;
    const phones = to.phones.slice(0, rows.count);
    leftOut.part(rows.by, to.phones.length - phones.length, looked);
    allowance.take(phones.length, characters);
    items.push({ ...draft, phones, ...key, ...fact });
    once.claim(fact);
  }
  leftOut.after(looked < elements.length ? 'minute' : 'elements', looked);
  const all = [...leftOut.notes(items.length - resolutions, resolutions), ...notes, ...once.notes()];
  return {
    route: route.name,
    result: failures.length === 0 ? 'matched' : 'failed',
    messages: [],
    failures,
    ...(items.length > 0 && { items }),
    ...(all.length > 0 && { notes: all }),
  };
}

/**
 * Returns an element beyond a bound, if it resolves an incident and there is capacity for that; null: it is left out.
 */
function resolutionBeyond(
  taken: WaitingRoute,
  { scope, ...key }: Element,
  allowance: Allowance,
): DraftItem | null {
  const context = contextOf(taken, scope, []);
  if (!isResolved(context)) return null;
  const draft = draftItem(context);
  const characters = charactersOfItem(draft);
  if (draft.key === null || characters > allowance.characters) return null;
  const phones = receiversOf(taken, scope).phones.slice(0, allowance.resolutions.count);
  if (phones.length === 0) return null;
  allowance.takeResolution(phones.length, characters);
  return { ...draft, phones, ...key };
}

const contextOf = (
  { source, route, alerting }: WaitingRoute,
  scope: Scope,
  notes: RouteFailure[],
): DraftContext => ({
  route,
  alerting,
  source,
  scope,
  note: (parameter, text, why) =>
    notes.push(failure(placeOf(route, scope), parameter, text?.source ?? '', why)),
});

function receiversOf(
  { route, source, now }: RouteItems,
  scope: Scope,
): { readonly phones: readonly (string | null)[]; readonly failures: readonly RouteFailure[] } {
  const to = renderReceivers(route, scope, source.locale, now);
  return MESSAGE_KINDS[route.send.kind].hasReceiver ? to : { ...to, phones: [null] };
}

/** Distinguishes elements: one that several routes take is one item. */
function identityOf({ each }: Route, { payload, item, index = 1 }: Scope): unknown {
  const value = each === null ? payload : item;
  return typeof value === 'object' && value !== null ? value : index;
}
