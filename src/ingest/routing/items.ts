import { type Route, type Source, type Alerting, stepsOf } from '../../config/compiled/config.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import type { DraftItem, SenderTime } from '../../outbox/state/acceptance.ts';
import { failure, placeOf, type RouteFailure } from '../../render/failure.ts';
import { renderReceivers } from '../../render/receivers.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { charactersOfItem, MAX_ITEMS, type Allowance, LeftOut, type RouteResult } from './allowance.ts';
import { digestOf } from '../../signature/basics/request.ts';
import type { Locale } from '../../template/basics/locale.ts';
import { renderText, type CompiledText, evaluateCondition } from '../../template/text.ts';
import { MAX_KEY_LENGTH } from '../../config/documents/alerting-schema.ts';
import { inhibitorsIn } from '../../config/compile/alerting.ts';
import { fnv, truncateTo } from '../../lib/text.ts';
import { UNNAMED } from '../../lib/person-name.ts';
import { severityLevel, severityOf } from '../../lib/severity.ts';
import { titleFrom, titleOf, TITLES } from '../../render/built-in-text.ts';
import { parseMoment } from '../../template/filters/dates.ts';

/** One rendering of a route: what its texts see, and the id of the element that it is about. */
export type Element = Readonly<{ scope: Scope; itemKey?: string }>;

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
    const { count, by } = allowance.rows();
    if (count === 0 && by === 'minute') break;
    looked += 1;
    const own: RouteFailure[] = [];
    const place = placeOf(route, scope);
    const note: DraftContext['note'] = (parameter, text, why) =>
      own.push(failure(place, parameter, text?.source ?? '', why));
    const draft = draftItem({ route, alerting, source, scope, note });
    // Among so many, one that cannot be told apart from others is only in the way.
    if (own.length > 0 && items.length >= MAX_ITEMS) {
      leftOut.add('items', looked, 1);
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
      leftOut.add(rows.count === 0 ? 'rows' : 'characters', looked, 1);
      continue;
    }
    const to = receiversOf(taken, scope);
    failures.push(...to.failures);
    if (to.phones.length === 0) continue;
    const phones = to.phones.slice(0, rows.count);
    leftOut.add(rows.by, looked, 0, to.phones.length - phones.length);
    allowance.take(phones.length, characters, isEnd);
    const number = allowance.placeOf(identityOf(route, scope));
    const left = bySender > 0 && { leftOut: bySender };
    items.push({ ...draft, place: number, phones, ...key, ...fact, ...left });
    once.claim(fact);
  }
  leftOut.add(looked < elements.length ? 'minute' : 'elements', looked, of - looked);
  const all = [...leftOut.notes(items.length), ...notes, ...once.notes()];
  return resultOf(route, { messages: [], failures, items, notes: all });
}

/** What is empty is left out. */
export const resultOf = (
  { name }: Route,
  { messages, failures, items = [], silenced = [], notes = [] }: Omit<RouteResult, 'route' | 'result'>,
): RouteResult => ({
  route: name,
  result: failures.length === 0 ? 'matched' : 'failed',
  messages,
  failures,
  ...(items.length > 0 && { items }),
  ...(silenced.length > 0 && { silenced }),
  ...(notes.length > 0 && { notes }),
});

function receiversOf({ route, source, now }: RouteItems, scope: Scope) {
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

type Key = Pick<DraftItem, 'once'>;

/** Of elements with the same key, a route takes the first one that makes a message. */
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

/** The length of a shortened key, without the hash of the whole key. */
const KEPT_OF_KEY = 200;
/** The maximum length of an item as JSON (UTF-16 units). */
const MAX_VALUE_LENGTH = 65_536;

/** A route whose items the outbox notifies of when they are due, and the element that one of them is about. */
interface DraftContext {
  readonly route: Route;
  readonly alerting: Alerting;
  readonly source: Source;
  readonly scope: Scope;
  /** Notes what went wrong with an item that is kept nevertheless. */
  readonly note: (parameter: string, text: { readonly source: string } | null, why: string) => void;
}

function draftItem(context: DraftContext): Omit<DraftItem, 'phones' | 'place' | 'itemKey' | 'once'> {
  const { route, alerting, source, scope, note } = context;
  const { incident, group } = alerting;
  /** A rendered text, trimmed. One that fails is empty, and the event says why. */
  const textOf = (parameter: string, text: CompiledText | null = null): string => {
    const rendered = text === null ? null : renderText(text, scope, source.locale);
    if (rendered?.ok === false) note(parameter, text, `${rendered.error}: treated as empty`);
    return rendered?.ok === true ? rendered.value.trim().toWellFormed() : '';
  };
  /** True if a condition of the incident holds. One that fails does not, and the event says why. */
  const isTrue = (name: 'resolved' | 'acknowledged' | 'unacknowledged'): boolean => {
    const condition = incident?.[name] ?? null;
    const holds = condition === null ? null : evaluateCondition(condition, scope, source.locale);
    if (holds?.ok === false) note(`incident.${name}`, condition, `${holds.error}: the item counts as firing`);
    return holds?.ok === true && holds.value;
  };
  const whole = (route.each === null ? scope.payload : scope.item) ?? null;
  const isResolved = isTrue('resolved');
  const at = incident?.at ? timeOf(textOf('incident.at', incident.at), context) : null;
  const isBack = !isResolved && isTrue('unacknowledged');
  const isHeld = isBack || (!isResolved && isTrue('acknowledged'));
  const by = isHeld ? titleFrom(textOf('incident.by', incident?.by)) || UNNAMED : '';
  const severity = severityLevel(severityOf(whole));
  const key = keyFrom(textOf('incident.key', incident?.key));
  if (incident !== null && key === '')
    note(
      'incident.key',
      incident.key,
      'is empty: receivers are notified of the item once, without an incident',
    );
  const groups = group?.by.map((one) => textOf('group.by', one).slice(0, MAX_KEY_LENGTH).toWellFormed());
  const inhibitors = textOf('incident.inhibited_by', incident?.inhibitedBy);
  const { maxLength, delivery } = route;
  const { priority } = delivery;
  const message = { locale: source.locale.locale, maxLength, priority, forget: source.store === 'metadata' };
  return {
    route: route.name,
    index: scope.index ?? 1,
    ...(priority === 'high' && { priority }),
    key: key === '' ? null : key,
    isResolved,
    ...(severity > 0 && { severity }),
    ...(at !== null && { at }),
    ...(isHeld && { holder: { by, isBack, message } }),
    flapping: incident?.flapping ?? null,
    group: groups === undefined ? null : JSON.stringify(groups),
    // As `source/route/key`.
    inhibitedBy: inhibitorsIn(inhibitors, source.id, route.name).map(([from, name, inhibitor]) =>
      [from, name, keyFrom(inhibitor)].join('/'),
    ),
    value: valueOf(whole, context),
  };
}

/** A long key becomes its beginning and a hash of the whole, so that different keys stay different. */
const keyFrom = (key: string): string =>
  key.length <= MAX_KEY_LENGTH ? key : `${truncateTo(key, KEPT_OF_KEY + 1)}${fnv(key).toString(36)}`;

/** Since when an item is so, by the sender's clock; a fast clock, or no time at all, counts as the arrival. */
function timeOf(text: string, { alerting, scope, note }: DraftContext): SenderTime {
  const arrivedAt = Date.parse(scope.event.received_at);
  const arrival = { ms: arrivedAt, isArrival: true };
  if (text === '') return arrival;
  const moment = parseMoment(text);
  // `0001-01-01T00:00:00Z` is what Go prints in the place of no time.
  if (moment.ok && !moment.value.dayOnly && moment.value.ms > 0) {
    const ms = Math.floor(moment.value.ms);
    return ms <= arrivedAt ? { ms, isArrival: false } : { ...arrival, ahead: ms };
  }
  const why = moment.ok ? 'does not say when' : moment.error;
  note('incident.at', alerting.incident?.at ?? null, `${why}: the time of its arrival counts`);
  return arrival;
}

/** As JSON; of a source that keeps no payloads, only the keys that the route's texts name. */
function valueOf(whole: unknown, { route, alerting, source, note }: DraftContext): string {
  const part = (also: Named = NOTHING): unknown => {
    const { named } = known.get(route) ?? { named: namedIn(textsOf(route, alerting)) };
    known.set(route, { named });
    return named === null
      ? whole
      : namedPart(whole, {
          whole: new Set([...named.whole, ...also.whole]),
          through: new Set([...named.through, ...also.through]),
        });
  };
  const isPart = source.store === 'metadata';
  const text = JSON.stringify(isPart ? part() : whole);
  if (text.length <= MAX_VALUE_LENGTH) return text;
  const why = `has ${text.length} characters as JSON, more than the ${MAX_VALUE_LENGTH} that are stored: it is cut to the keys its messages use`;
  note('each', route.each, why);
  return shortened(part(isPart ? NOTHING : OF_TITLES), MAX_VALUE_LENGTH, wordsOf(route, alerting));
}

const NOTHING: Named = { whole: new Set(), through: new Set() };

/** The keys that lead to an item's title, which the built-in text has. */
const OF_TITLES: Named = {
  whole: new Set(TITLES.map((path) => path.split('.').at(-1) ?? '')),
  through: new Set(TITLES.flatMap((path) => path.split('.').slice(0, -1))),
};

/** The texts that see a route's items. */
const textsOf = (route: Route, { digest }: Alerting): readonly CompiledText[] =>
  [route.send, digest]
    .flatMap((send) => (send === null ? [] : stepsOf(send)))
    .flatMap(({ params }) => params.flatMap(({ texts }) => texts));

/** Computed once for each route. */
const known = new WeakMap<Route, { readonly named: Named | null }>();

/** Returns the words of a route's texts, and of the places where titles are: what a message has to name is among them. */
const wordsOf = (route: Route, alerting: Alerting): ReadonlySet<string> =>
  new Set([
    ...TITLES.flatMap((path) => path.split('.')),
    ...textsOf(route, alerting).flatMap(({ source }) => source.match(/[\w\-\u0080-\uffff]+/g) ?? []),
  ]);

/** The maximum length of texts, and of lists and objects, in the JSON, one try after the other. */
const SIZES = [
  { text: 4_096, list: 4_096 },
  { text: 256, list: 256 },
  { text: 256, list: 16 },
  { text: 64, list: 4 },
] as const;

/** Long texts, lists and objects are cut, which keep keys among `words`; else only the title, or the beginning. */
export function shortened(value: unknown, max: number, words: ReadonlySet<string> = new Set()): string {
  for (const { text, list } of SIZES) {
    const json = JSON.stringify(value, (_, one: unknown) => {
      if (Array.isArray(one)) return one.slice(0, list) as unknown;
      if (typeof one === 'string') return one.length > text ? `${one.slice(0, text).toWellFormed()}…` : one;
      return typeof one === 'object' && one !== null ? withFewer(one, list, words) : one;
    });
    if (json.length <= max) return json;
  }
  const title = titleOf({ item: value, key: null, event: NO_EVENT });
  return JSON.stringify(title === '' ? JSON.stringify(value).slice(0, max / 8) : { title });
}

const NO_EVENT = { id: '', type: null, source: '', received_at: '', dedupe_key: null };

/** Returns an object with at most so many keys: those among `words` before the others. */
function withFewer(object: object, most: number, words: ReadonlySet<string>): object {
  const entries = Object.entries(object);
  if (entries.length <= most) return object;
  const named = entries.filter(([key]) => words.has(key)).slice(0, MAX_NAMED);
  const others = entries.filter(([key]) => !words.has(key));
  return Object.fromEntries([...named, ...others].slice(0, Math.max(most, named.length)));
}

/** The maximum number of keys that an object keeps because texts name them. */
const MAX_NAMED = 100;

/** The keys that texts name: those whose whole value is used, and those that only lead to others. */
type Named = Readonly<{ whole: ReadonlySet<string>; through: ReadonlySet<string> }>;

const LISTS: ReadonlySet<string> = new Set(['firing', 'new', 'resolved']);
const COMPUTED: ReadonlySet<string> = new Set(['size', 'first', 'last']);
/** The text between braces; the second allows for braces in quotes, which a comment need not close. */
const EXPRESSIONS = [/\{[{%]-?([^]*?)-?[}%]\}/g, /\{[{%]-?((?:"[^"]*"|'[^']*'|[^"'])*?)-?[}%]\}/g];
/** Finds the elements of a list by the name that a loop gives them. */
const LOOP = /\bfor\s+([\w-]+)\s+in\s+(?:firing|new|resolved)\b/g;
/** Filters are not names. A quoted text may be a path, as in `map: "labels.name"`. */
const TOKEN = /\|\s*[\w-]+|"[^"]*"|'[^']*'|[\w\-\u0080-\uffff]+|\S/g;

/**
 * Returns the keys of an item that texts may read; null for all, because an item is printed, walked or looked up by a
 * variable. It returns too many keys rather than too few.
 */
export function namedIn(texts: readonly CompiledText[]): Named | null {
  const whole = new Set<string>();
  const through = new Set<string>();
  for (const { source } of texts) {
    const elements = new Set([...LISTS, 'item', 'payload', 'first', 'last']);
    for (const [, name = ''] of source.matchAll(LOOP)) elements.add(name);
    const expressions = EXPRESSIONS.flatMap((pattern) => [...source.matchAll(pattern)]);
    for (const { path, isWalked } of expressions.flatMap(([, inner = '']) => pathsIn(inner))) {
      if (path.includes(VARIABLE)) return null;
      const last = path.pop() ?? '';
      const before = path.at(-1) ?? '';
      const isOfList = path.length === 1 && last === 'size' && LISTS.has(before);
      const isLoop = path.length === 0 && isWalked && LISTS.has(last);
      if (!isLoop && elements.has(last)) return null;
      if (!isOfList && COMPUTED.has(last)) {
        if (elements.has(before)) return null;
        whole.add(before);
      }
      whole.add(last);
      for (const name of path) through.add(name);
    }
  }
  return { whole, through };
}

/** Stands for a name that is known only when the template is rendered. */
const VARIABLE = '[';

interface Path {
  readonly path: string[];
  /** True if it stands after `in`: a loop walks it. */
  readonly isWalked: boolean;
}

function pathsIn(expression: string): readonly Path[] {
  const paths: Path[] = [];
  let before = '';
  for (const token of expression.match(TOKEN) ?? []) {
    const name = /^["']/.test(token) ? token.slice(1, -1) : token;
    const last = paths.at(-1)?.path;
    if (before === '[') {
      if (name !== token) last?.push(name);
      else if (!/^-?\d+$/.test(token)) last?.push(VARIABLE);
    } else if (name !== token) {
      paths.push({ path: /\[/.test(name) ? [VARIABLE] : name.split('.'), isWalked: false });
    } else if (/^[\w\-\u0080-\uffff]/.test(token)) {
      if (before === '.') last?.push(token);
      else if (before !== 'for') paths.push({ path: [token], isWalked: before === 'in' });
    }
    before = token;
  }
  return paths;
}

/** Returns only the named keys of a value, at any depth; lists keep their length. */
export function namedPart(value: unknown, named: Named): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => namedPart(element, named));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (named.whole.has(key)) return [[key, inner]];
    return named.through.has(key) ? [[key, namedPart(inner, named)]] : [];
  });
  return Object.fromEntries(kept) as unknown;
}
