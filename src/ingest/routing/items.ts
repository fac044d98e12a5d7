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

/**
 * Returns the items of a route, as many as its webhook may bring. Its outbox decides which of them find a place, since it
 * knows what is open; the rest is counted. Ends have a bound of their own: without them, what is over would stay open.
 */
export function routeItems(taken: RouteItems, alerting: Alerting, allowance: Allowance): RouteResult {
  const { source, route, elements, of, bySender } = taken;
  const items: DraftItem[] = [];
  const failures: RouteFailure[] = [];
  const notes: RouteFailure[] = [];
  const once = onceOf(route, source.locale);
  const leftOut = new LeftOut({ route, unit: 'items', perMinute: allowance.perMinute, of, bySender });
  let looked = 0;
  for (const { scope, ...key } of elements) {
    const left = allowance.rows();
    if (left.count === 0 && left.by === 'minute') break;
    looked += 1;
    const own: RouteFailure[] = [];
    const place = placeOf(route, scope);
    const note: DraftContext['note'] = (parameter, text, why) =>
      own.push(failure(place, parameter, text?.source ?? '', why));
    const draft = draftItem({ route, alerting, source, scope, note });
    // Among so many, one that cannot be told apart from others is only in the way.
    if (own.length > 0 && items.length >= MAX_ITEMS) {
      leftOut.element('items');
      continue;
    }
    notes.push(...own);
    const isEnd = draft.isResolved && draft.key !== null;
    const rows = allowance.rows(isEnd);
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
    allowance.take(phones.length, characters, isEnd);
    const number = allowance.placeOf(identityOf(route, scope));
    items.push({
      ...draft,
      place: number,
      phones,
      ...key,
      ...fact,
      ...(bySender > 0 && { leftOut: bySender }),
    });
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
export function onceOf({ name, once }: Route, locale: Locale) {
  const notes: RouteFailure[] = [];
  const known = new Set<string>();
  let repeats = 0;
  return {
    /** The key of an element; null if an earlier element has it. */
    keyOf: (scope: Scope): Key | null => {
      if (once === null) return {};
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
    /** Marks the key as used, because an element makes a message or an item. */
    claim: ({ once: key }: Key): void => {
      if (key !== undefined) known.add(key);
    },
    /** The errors of keys, and the number of elements that were left out. */
    notes: (): readonly RouteFailure[] => {
      if (once === null || repeats === 0) return notes;
      // Not written like a failure: a replay of failures reads the reasons to find the routes that failed.
      const reason = `elements left out because their \`once\` value is repeated: ${repeats} (route ${name})`;
      return [
        ...notes,
        { route: name, parameter: 'once', expression: once.source, code: 'duplicate', reason },
      ];
    },
  };
}
