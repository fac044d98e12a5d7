import { EVENT_ROOTS, type Scope } from '../../template/basics/scope.ts';
import { compileCondition, evaluateCondition } from '../../template/text.ts';
import { rightOnes, type Documents } from '../documents/check.ts';
import { noSuch } from '../documents/unknown-name.ts';
import type { Fault } from '../../lib/problem.ts';
import { hoursOf, WITHOUT_ZONE, hoursEnd } from './hours.ts';
import { compiledIf, type Report, type Reports } from '../documents/issues.ts';
import type { SilenceDocument, SilenceOf } from '../documents/alerting-schema.ts';
import type { Locale } from '../../template/basics/locale.ts';

export const BY_HAND = 'sil_';

/** The names in a silence's condition. An incident also has a key. */
const SILENCE_ROOTS: readonly string[] = [...EVENT_ROOTS, 'key'];

export type Silence = Readonly<NonNullable<ReturnType<typeof compileSilence>>>;

export function compileSilence(id: string, document: SilenceDocument, report: Report) {
  const { of: things, when: text, every } = document;
  const when = compiledIf('.when', text, (source) => compileCondition(source, SILENCE_ROOTS), report);
  const [from = null, until = null] = [document.from, document.until].map((time) =>
    time === undefined ? null : Date.parse(time),
  );
  const isEmpty = from !== null && until !== null && until <= from;
  if (isEmpty) report('.until', 'out-of-range', 'must be after `from`');
  if (isEmpty || (text !== undefined && when === null)) return null;
  const { group, keys, ...place }: SilenceOf = things ?? { source: '' };
  /** `grouped`: the values that the incidents of a group share, as one text. What is absent stands for any. */
  const of = { ...place, grouped: group && JSON.stringify(group), keys: keys && new Set(keys) };
  return { id, of: things ? of : null, when, from, until, every: every ? hoursOf(every) : null };
}

/** What a silence names that is not configured, so that it is of nothing; null if all of it is. */
export function unknownIn(
  { source, route }: Pick<SilenceOf, 'source' | 'route'>,
  sources: Pick<
    ReadonlyMap<string, { readonly routes: readonly { readonly name: string }[] }>,
    'get' | 'keys'
  >,
): Fault | null {
  const known = sources.get(source);
  if (known === undefined) return noSuch('source', source, [...sources.keys()]);
  const routes = known.routes.map(({ name }) => name);
  return route === undefined || routes.includes(route) ? null : noSuch('route', route, routes);
}

const ENDED = 'is in the past: the silence no longer has any effect';
const nothing: Report = () => undefined;

/** `now`: also warns of what is over. */
export const compileSilences = (
  documents: Documents<SilenceDocument>,
  { report, warn }: Reports = { report: nothing, warn: nothing },
  now: number | null = null,
): readonly Silence[] =>
  rightOnes(documents).flatMap(([id, document]) => {
    const path = `silences.${id}`;
    const silence = compileSilence(id, document, (inner, ...fault) => report(path + inner, ...fault));
    if (silence === null) return [];
    const { until, every } = silence;
    if (until !== null && now !== null && until <= now) warn(`${path}.until`, 'no-effect', ENDED);
    if (every !== null && document.every?.timezone === undefined)
      warn(`${path}.every`, 'time-zone', WITHOUT_ZONE);
    return [silence];
  });

/** What a silence may be of: an item of a route, or an incident. */
export interface Silenceable {
  readonly source: string;
  /** Null if it may be of any route. */
  readonly route: string | null;
  /** Null if it is of no incident. */
  readonly key: string | null;
  /** The values that it shares with the others of its group, as one text; null if it has no group. */
  readonly grouped: string | null;
  readonly scope: Scope;
}

type Times = Pick<Silence, 'from' | 'until' | 'every'>;

/**
 * Null if there is none. `until`: when it ends, or stops matching because of its hours (ms); null for never. A condition
 * that fails counts as false: a notification by mistake does less harm than a missing one.
 */
export function silencedBy(silences: readonly Silence[], what: Silenceable, locale: Locale, now: number) {
  for (const { id, of, when, ...times } of silences) {
    if (!isBetween(times, now)) continue;
    const end = endOf(times, now);
    if (end === null) continue;
    if (of !== null && !isOf(of, what)) continue;
    const holds = when === null ? null : evaluateCondition(when, what.scope, locale);
    if (holds === null || (holds.ok && holds.value)) return { id, until: end === Infinity ? null : end };
  }
  return null;
}

const isOf = (
  { source, type, route, grouped, keys }: NonNullable<Silence['of']>,
  { scope, ...what }: Silenceable,
): boolean =>
  source === what.source &&
  (route === undefined || route === what.route) &&
  (grouped === undefined || grouped === what.grouped) &&
  (keys === undefined || (what.key !== null && keys.has(what.key))) &&
  (type === undefined || type === scope.event.type);

/** Returns the state of a silence: pending, active or ended. A silence with hours is pending outside its hours. */
export function stateOf(times: Times, now: number): 'pending' | 'active' | 'ended' {
  if (times.until !== null && times.until <= now) return 'ended';
  return isBetween(times, now) && endOf(times, now) !== null ? 'active' : 'pending';
}

const isBetween = ({ from, until }: Times, now: number): boolean =>
  (from === null || from <= now) && (until === null || now < until);

/** Returns the time when a silence that has begun and not ended is next inactive; null if it is inactive now. */
function endOf({ until, every }: Times, now: number): number | null {
  const end = every === null ? Infinity : hoursEnd(every, now);
  return end === null ? null : Math.min(end, until ?? Infinity);
}
