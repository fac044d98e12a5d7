import type { Alerting } from '../../config/alerting.ts';
import type { Route, Source } from '../../config/config.ts';
import { inhibitorsIn } from '../../config/inhibitors.ts';
import { fnv } from '../../lib/fnv.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import { truncateTo } from '../../lib/graphemes.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { evaluateCondition } from '../../template/condition.ts';
import { renderText, type CompiledText } from '../../template/text.ts';
import { namedIn, namedPart } from './named-part.ts';

/** The maximum length of an incident's key, and of a value that items are grouped by (UTF-16 units). */
export const MAX_KEY_LENGTH = 256;
/** The length of a shortened key, without the hash of the whole key. */
const KEPT_OF_KEY = 200;
/** The maximum length of an item as JSON (UTF-16 units). */
const MAX_VALUE_LENGTH = 65_536;

/** A route whose items the outbox notifies of when they are due, and the element that one of them is about. */
export interface DraftContext {
  readonly route: Route;
  readonly alerting: Alerting;
  readonly source: Source;
  readonly scope: Scope;
  /** Notes what went wrong with an item that is kept nevertheless. */
  readonly note: (parameter: string, text: { readonly source: string } | null, why: string) => void;
}

/** An item before it has receivers. */
export type UnaddressedItem = Omit<DraftItem, 'phones' | 'itemKey' | 'once'>;

/** Makes an item of a scope, by its route. */
export function draftItem(context: DraftContext): UnaddressedItem {
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

/** Returns a rendered text, trimmed. A text that fails is empty, and the event says why. */
function textOf(parameter: string, text: CompiledText, { source, scope, note }: DraftContext): string {
  const rendered = renderText(text, scope, source.locale);
  if (rendered.ok) return rendered.value.trim().toWellFormed();
  note(parameter, text, `${rendered.error}: treated as empty`);
  return '';
}

function keyOf(context: DraftContext): string | null {
  const { incident } = context.alerting;
  if (incident === null) return null;
  const key = keyFrom(textOf('incident.key', incident.key, context));
  if (key !== '') return key;
  context.note(
    'incident.key',
    incident.key,
    'is empty: receivers are notified of the item once, without an incident',
  );
  return null;
}

/**
 * Returns a key as it is stored. A long key becomes its beginning and a hash of the whole, so that different keys stay
 * different.
 */
function keyFrom(key: string): string {
  return key.length <= MAX_KEY_LENGTH ? key : `${truncateTo(key, KEPT_OF_KEY + 1)}${fnv(key).toString(36)}`;
}

/** True if an item resolves its incident. */
export function isResolved({ alerting: { incident }, source, scope, note }: DraftContext): boolean {
  if (incident === null || incident.resolved === null) return false;
  const resolved = evaluateCondition(incident.resolved, scope, source.locale);
  if (resolved.ok) return resolved.value;
  note('incident.resolved', incident.resolved, `${resolved.error}: the item counts as firing`);
  return false;
}

/** Returns the incidents that the text of `inhibited_by` can mean, as `source/route/key`. */
function inhibitedBy(context: DraftContext): readonly string[] {
  const { route, alerting, source } = context;
  const rule = alerting.incident?.inhibitedBy ?? null;
  const text = rule === null ? '' : textOf('incident.inhibited_by', rule, context);
  return inhibitorsIn(text, source.id, route.name).map(
    ([from, name, key]) => `${from}/${name}/${keyFrom(key)}`,
  );
}

/**
 * Returns the element, or the payload, as JSON. If the source keeps no payloads, it has only the keys that the route's
 * texts name.
 */
function valueOf({ route, alerting, source, scope, note }: DraftContext): string {
  const whole = (route.each === null ? scope.payload : scope.item) ?? null;
  const part = (): unknown => {
    const named = namedOf(route, alerting);
    return named === null ? whole : namedPart(whole, named);
  };
  const text = JSON.stringify(source.store === 'metadata' ? part() : whole);
  if (text.length <= MAX_VALUE_LENGTH) return text;
  const why = `has ${text.length} characters as JSON, more than the ${MAX_VALUE_LENGTH} that are stored: it is cut to the keys its messages use`;
  note('each', route.each, why);
  return shortened(part(), MAX_VALUE_LENGTH);
}

const known = new WeakMap<Route, ReturnType<typeof namedIn>>();

/** Computed once for each route. */
function namedOf(route: Route, { digest }: Alerting): ReturnType<typeof namedIn> {
  let named = known.get(route);
  if (named === undefined) {
    const sends = [route.send, digest].flatMap((send) => (send === null ? [] : [send, ...send.fallback]));
    named = namedIn(sends.flatMap(({ params }) => params.flatMap(({ texts }) => texts)));
    known.set(route, named);
  }
  return named;
}

/** The maximum length of texts and lists in the JSON, one try after the other. */
const LENGTHS = [4_096, 256, 16];

/**
 * Returns JSON of at most `max` characters: long texts and lists are cut. If that is not enough, it is one text with
 * the beginning of the JSON.
 */
export function shortened(value: unknown, max: number): string {
  for (const length of LENGTHS) {
    const text = JSON.stringify(value, (_, one: unknown) => {
      if (Array.isArray(one)) return one.slice(0, length) as unknown;
      return typeof one === 'string' && one.length > length ? `${one.slice(0, length).toWellFormed()}…` : one;
    });
    if (text.length <= max) return text;
  }
  return JSON.stringify(JSON.stringify(value).slice(0, max / 8));
}
