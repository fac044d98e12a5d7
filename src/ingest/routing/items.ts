import { type Alerting, stepsOf } from '../../config/compiled/config.ts';
import { MESSAGE_KINDS } from '../../gateway/kinds.ts';
import type { DraftItem, SenderTime } from '../../outbox/state/acceptance.ts';
import { failure, placeOf, type RouteFailure } from '../../render/failure.ts';
import { renderReceivers } from '../../render/receivers.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { type Allowance, charactersOfItem, leftOutOf, MAX_ITEMS } from './allowance.ts';
import { resultOf, type RouteResult, type TakenRoute } from './result.ts';
import { digestOf } from '../../signature/basics/request.ts';
import { renderText, type CompiledText, evaluateCondition } from '../../template/text.ts';
import { MAX_KEY_LENGTH } from '../../config/documents/alerting-schema.ts';
import { inhibitorsIn } from '../../config/compile/alerting.ts';
import { fnv, truncateTo } from '../../lib/text.ts';
import { UNNAMED } from '../../lib/person-name.ts';
import { severityLevel, severityOf } from '../../lib/severity.ts';
import { titleFrom, titleOf, TITLES } from '../../render/built-in-text.ts';
import { parseMoment } from '../../template/filters/dates.ts';

/** Notes what went wrong with an item that is kept nevertheless. */
type Note = (parameter: string, text: { readonly source: string } | null | undefined, why: string) => void;

/**
 * Returns the items of a route, as many as its webhook may bring. Its outbox decides which of them find a place, since it
 * knows what is open; the rest is counted. Ends have a bound of their own: without them, what is over would stay open.
 */
export function routeItems(taken: TakenRoute, alerting: Alerting, allowance: Allowance): RouteResult {
  const { source, route, elements, of, bySender, quiet } = taken;
  const items: DraftItem[] = [];
  const failures: RouteFailure[] = [];
  const notes: RouteFailure[] = [];
  const once = onceOf(taken);
  const leftOut = leftOutOf(taken);
  const valueOf = keptValues(taken, alerting);
  let looked = 0;
  for (const { scope, ...key } of elements) {
    const { count, by } = allowance.rows();
    if (count === 0 && by === 'minute') break;
    looked += 1;
    const own: RouteFailure[] = [];
    const note: Note = (parameter, text, why) =>
      own.push(failure(placeOf(route, scope), parameter, text?.source ?? '', why));
    const element = (route.each === null ? scope.payload : scope.item) ?? null;
    const draft = { ...factsOf(taken, alerting, scope, note), value: valueOf(element, note) };
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
    const to = renderReceivers(route, scope, source.locale, quiet.now);
    failures.push(...to.failures);
    const receivers = MESSAGE_KINDS[route.send.kind].hasReceiver ? to.phones : [null];
    if (receivers.length === 0) continue;
    const phones = receivers.slice(0, rows.count);
    leftOut.add(rows.by, looked, 0, receivers.length - phones.length);
    allowance.take(phones.length, characters, isEnd);
    // One that several routes take is one item.
    const identity = typeof element === 'object' && element !== null ? element : draft.index;
    const place = allowance.placeOf(identity);
    const severity = severityLevel(severityOf(element));
    const more = { ...(severity > 0 && { severity }), ...(bySender > 0 && { leftOut: bySender }) };
    items.push({ ...draft, ...more, place, phones, ...key, ...fact });
    once.claim(fact);
  }
  leftOut.add(looked < elements.length ? 'minute' : 'elements', looked, of - looked);
  const all = [...leftOut.notes(items.length), ...notes, ...once.notes()];
  return resultOf(route, { messages: [], failures, items, notes: all });
}

/** A longer key is replaced by its digest. UTF-16 units. */
const MAX_ONCE = 256;

type Key = Pick<DraftItem, 'once'>;

/** Of elements with the same key, a route takes the first one that makes a message. */
export function onceOf({ source, route: { name, once } }: Pick<TakenRoute, 'source' | 'route'>) {
  const notes: RouteFailure[] = [];
  const known = new Set<string | undefined>();
  let repeats = 0;
  return {
    /** The key of an element; null if an earlier element has it. */
    keyOf(scope: Scope): Key | null {
      if (once === null) return {};
      const rendered = renderText(once, scope, source.locale);
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
    claim({ once: key }: Key): void {
      known.add(key);
    },
    /** The errors of keys, and the number of elements that were left out. */
    notes(): readonly RouteFailure[] {
      if (once === null || repeats === 0) return notes;
      // Not written like a failure: a replay of failures reads the reasons to find the routes that failed.
      const reason = `elements left out because their \`once\` value is repeated: ${repeats} (route ${name})`;
      const of = { route: name, parameter: 'once', expression: once.source, code: 'duplicate' } as const;
      return [...notes, { ...of, reason }];
    },
  };
}

/** What a route's texts say of an item. */
function factsOf({ source, route }: TakenRoute, { incident, group }: Alerting, scope: Scope, note: Note) {
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
  const isResolved = isTrue('resolved');
  const at = incident?.at ? timeOf(textOf('incident.at', incident.at), incident.at, scope, note) : null;
  const isBack = !isResolved && isTrue('unacknowledged');
  const isHeld = isBack || (!isResolved && isTrue('acknowledged'));
  const by = isHeld ? titleFrom(textOf('incident.by', incident?.by)) || UNNAMED : '';
  const key = keyFrom(textOf('incident.key', incident?.key));
  const unkeyed = 'is empty: receivers are notified of the item once, without an incident';
  if (incident !== null && key === '') note('incident.key', incident.key, unkeyed);
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
    ...(at !== null && { at }),
    ...(isHeld && { holder: { by, isBack, message } }),
    flapping: incident?.flapping ?? null,
    group: groups === undefined ? null : JSON.stringify(groups),
    // As `source/route/key`.
    inhibitedBy: inhibitorsIn(inhibitors, source.id, route.name).map(([from, name, inhibitor]) =>
      [from, name, keyFrom(inhibitor)].join('/'),
    ),
  };
}

/** The length of a shortened key, without the hash of the whole key. */
const KEPT_OF_KEY = 200;

/** A long key becomes its beginning and a hash of the whole, so that different keys stay different. */
const keyFrom = (key: string): string =>
  key.length <= MAX_KEY_LENGTH ? key : `${truncateTo(key, KEPT_OF_KEY + 1)}${fnv(key).toString(36)}`;

/** Since when an item is so, by the sender's clock; a fast clock, or no time at all, counts as the arrival. */
function timeOf(text: string, template: CompiledText, { event }: Scope, note: Note): SenderTime {
  const arrival = { ms: Date.parse(event.received_at), isArrival: true };
  if (text === '') return arrival;
  const moment = parseMoment(text);
  // `0001-01-01T00:00:00Z` is what Go prints in the place of no time.
  if (moment.ok && !moment.value.dayOnly && moment.value.ms > 0) {
    const ms = Math.floor(moment.value.ms);
    return ms <= arrival.ms ? { ms, isArrival: false } : { ...arrival, ahead: ms };
  }
  const why = moment.ok ? 'does not say when' : moment.error;
  note('incident.at', template, `${why}: the time of its arrival counts`);
  return arrival;
}

/** The maximum length of an item as JSON (UTF-16 units). */
const MAX_VALUE_LENGTH = 65_536;

/** Makes JSON of items; of a source that keeps no payloads, only of the keys that the route's texts name. */
function keptValues({ source, route }: TakenRoute, { digest }: Alerting) {
  const texts = [route.send, digest]
    .flatMap((send) => (send === null ? [] : stepsOf(send)))
    .flatMap(({ params }) => params.flatMap((param) => param.texts));
  const named = source.store === 'metadata' ? namedOf(route, texts) : null;
  return (element: unknown, note: Note): string => {
    const part = namedPart(element, named);
    const text = JSON.stringify(part);
    if (text.length <= MAX_VALUE_LENGTH) return text;
    const why = `has ${text.length} characters as JSON, more than the ${MAX_VALUE_LENGTH} that are stored: it is cut to the keys its messages use`;
    note('each', route.each, why);
    const cut = source.store === 'metadata' ? part : namedPart(element, namedIn(texts, TITLES));
    const words = texts.flatMap((one) => one.source.match(/[\w\-\u0080-\uffff]+/g) ?? []);
    // What a message has to name is among these, or at a place where titles are.
    const known = new Set([...TITLES.flatMap((path) => path.split('.')), ...words]);
    return shortened(cut, MAX_VALUE_LENGTH, known);
  };
}

/** Found once for each route: its texts may be long. */
const namedOf = (route: TakenRoute['route'], texts: readonly CompiledText[]): Named | null => {
  const { named } = found.get(route) ?? { named: namedIn(texts) };
  found.set(route, { named });
  return named;
};

const found = new WeakMap<TakenRoute['route'], { readonly named: Named | null }>();

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
  const event = { id: '', type: null, source: '', received_at: '', dedupe_key: null };
  const title = titleOf({ item: value, key: null, event });
  return JSON.stringify(title === '' ? JSON.stringify(value).slice(0, max / 8) : { title });
}

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
export function namedIn(texts: readonly CompiledText[], also: readonly string[] = []): Named | null {
  const whole = new Set<string>();
  const through = new Set<string>();
  const add = (path: readonly string[]): void => {
    whole.add(path.at(-1) ?? '');
    for (const name of path.slice(0, -1)) through.add(name);
  };
  for (const path of also) add(path.split('.'));
  for (const { source } of texts) {
    const elements = new Set([...LISTS, 'item', 'payload', 'first', 'last']);
    for (const [, name = ''] of source.matchAll(LOOP)) elements.add(name);
    const expressions = EXPRESSIONS.flatMap((pattern) => [...source.matchAll(pattern)]);
    for (const { path, isWalked } of expressions.flatMap(([, inner = '']) => pathsIn(inner))) {
      if (path.includes(VARIABLE)) return null;
      const [last = '', before = ''] = path.toReversed();
      const isOfList = path.length === 2 && last === 'size' && LISTS.has(before);
      const isLoop = path.length === 1 && isWalked && LISTS.has(last);
      if (!isLoop && elements.has(last)) return null;
      if (!isOfList && COMPUTED.has(last)) {
        if (elements.has(before)) return null;
        whole.add(before);
      }
      add(path);
    }
  }
  return { whole, through };
}

/** Stands for a name that is known only when the template is rendered. */
const VARIABLE = '[';

/** The paths in an expression. `isWalked`: one that stands after `in`, since a loop walks it. */
function pathsIn(expression: string) {
  const paths: { path: string[]; isWalked: boolean }[] = [];
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

/** Returns only the named keys of a value, at any depth (null: all keys); lists keep their length. */
export function namedPart(value: unknown, named: Named | null): unknown {
  if (named === null || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => namedPart(element, named));
  const kept = Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (named.whole.has(key)) return [[key, inner]];
    return named.through.has(key) ? [[key, namedPart(inner, named)]] : [];
  });
  return Object.fromEntries(kept) as unknown;
}
