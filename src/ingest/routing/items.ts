import type { Alerting } from '../../config/compiled/alerting.ts';
import type { Route, Source } from '../../config/compiled/config.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import { failure, placeOf, type RouteFailure } from '../../render/failure.ts';
import { renderReceivers } from '../../render/receivers.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { charactersOfItem, MAX_ITEMS, type Allowance, LeftOut } from './allowance.ts';
import { draftItem, type DraftContext } from './draft-item.ts';
import type { RouteResult } from './route-result.ts';
import { digestOf } from '../../signature/basics/match.ts';
import type { Locale } from '../../template/basics/locale.ts';
import { renderText } from '../../template/text.ts';

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
  /** The number of further elements that the sender left out of the list. */
  readonly bySender: number;
  /** The time (ms): whoever is on call now is the receiver. */
  readonly now: number;
}

/** A route whose items wait for notifications. */
type WaitingRoute = RouteItems & { readonly alerting: Alerting };

/**
 * Returns the items of a route, as many as its webhook may bring. Its outbox decides which of them find a place, since it
 * knows what is open; the rest is counted. Ends have a bound of their own: without them, what is over would stay open.
 */
export function routeItems(taken: WaitingRoute, allowance: Allowance): RouteResult {
  const { source, route, elements, of, bySender } = taken;
  const items: DraftItem[] = [];
  const failures: RouteFailure[] = [];
  const notes: RouteFailure[] = [];
  const once = onceOf(route, source.locale);
  const leftOut = new LeftOut({ route, unit: 'items', perMinute: allowance.perMinute, of, bySender });
  let looked = 0;
  for (const { scope, ...key } of elements) {
    if (allowance.rows.count === 0 && allowance.rows.by === 'minute') break;
    looked += 1;
    const own: RouteFailure[] = [];
    const draft = draftItem(contextOf(taken, scope, own));
    // Among so many, one that cannot be told apart from others is only in the way.
    if (own.length > 0 && items.length >= MAX_ITEMS) {
      leftOut.element('items');
      continue;
    }
    notes.push(...own);
    const isEnd = draft.isResolved && draft.key !== null;
    const rows = isEnd ? allowance.resolutions : allowance.rows;
    // A resolution always goes to everyone who knows of the opening, and so does who has it.
    const fact = draft.isResolved || draft.holder !== undefined ? {} : once.keyOf(scope);
    if (fact === null) continue;
    const characters = charactersOfItem(draft);
    if (rows.count === 0 || characters > allowance.characters) {
      leftOut.element(rows.count === 0 ? 'rows' : 'characters');
      continue;
    }
    const to = receiversOf(taken, scope);
    failures.push(...to.failures);
    if (to.phones.length === 0) continue;
    const phones = to.phones.slice(0, rows.count);
    leftOut.part(rows.by, to.phones.length - phones.length, looked);
    if (isEnd) allowance.takeResolution(phones.length, characters);
    else allowance.take(phones.length, characters);
    const place = allowance.placeOf(identityOf(route, scope));
    items.push({ ...draft, place, phones, ...key, ...fact, ...(bySender > 0 && { leftOut: bySender }) });
    once.claim(fact);
  }
  leftOut.after(looked < elements.length ? 'minute' : 'elements', looked);
  const all = [...leftOut.notes(items.length), ...notes, ...once.notes()];
  return {
    route: route.name,
    result: failures.length === 0 ? 'matched' : 'failed',
    messages: [],
    failures,
    ...(items.length > 0 && { items }),
    ...(all.length > 0 && { notes: all }),
  };
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

/** A longer key is replaced by its digest. UTF-16 units. */
const MAX_ONCE = 256;

/** The key that a message or an item has from its route's `once`. */
interface Key {
  readonly once?: string;
}

/**
 * Chooses the elements of an event that a route takes. Of elements with the same key, it takes the first one that makes
 * a message.
 */
interface Once {
  /** The key of an element; null if an earlier element has it. */
  readonly keyOf: (scope: Scope) => Key | null;
  /** Marks the key as used, because an element makes a message or an item. */
  readonly claim: (key: Key) => void;
  /** Returns the errors of keys, and the number of elements that were left out. */
  readonly notes: () => readonly RouteFailure[];
}

const ALWAYS: Once = { keyOf: () => ({}), claim: () => undefined, notes: () => [] };

export function onceOf({ name, once }: Route, locale: Locale): Once {
  if (once === null) return ALWAYS;
  const notes: RouteFailure[] = [];
  const known = new Set<string>();
  let repeats = 0;
  return {
    keyOf: (scope) => {
      const rendered = renderText(once, scope, locale);
      if (!rendered.ok) {
        const why = `${rendered.error}: treated as new`;
        notes.push(failure(placeOf({ name }, scope), 'once', once.source, why));
        return {};
      }
      const text = rendered.value.trim().toWellFormed();
      if (text === '') return {};
      const key = text.length > MAX_ONCE ? digestOf(text) : text;
      if (!known.has(key)) return { once: key };
      repeats += 1;
      return null;
    },
    claim: ({ once: key }) => {
      if (key !== undefined) known.add(key);
    },
    notes: () => {
      if (repeats === 0) return notes;
      // Not written like a failure: a replay of failures reads the reasons to find the routes that failed.
      const reason = `elements left out because their \`once\` value is repeated: ${repeats} (route ${name})`;
      return [
        ...notes,
        { route: name, parameter: 'once', expression: once.source, code: 'duplicate', reason },
      ];
    },
  };
}
