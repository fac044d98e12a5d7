import {
  type LoadedConfig,
  type Route,
  type Source,
  numbersAt,
  isSuppressed,
  type Quiet,
  type Throttle,
} from '../../config/compiled/config.ts';
import { standingOf } from '../../lib/shares.ts';
import { DAY } from '../../lib/time.ts';
import { type Incident, isCalled } from './incident.ts';
import type { MessageRow } from '../state/message.ts';
import type { Locale } from '../../template/basics/locale.ts';

/** The rules by which a receiver is notified of a route's items, by the configuration in force. */
export type Rules = ReturnType<typeof rulesOf>;

/** After this, an incident is closed, unless its route says otherwise, and a lone item is given up (ms). */
export const EXPIRES_MS = 7 * DAY;

/**
 * `phone`: empty for a `status`. A receiver who is on no list of the route any more, or whose route is gone, keeps its
 * last known quiet hours, `before`.
 */
export function rulesOf(
  config: LoadedConfig,
  {
    phone,
    quiets: before = [],
    ...place
  }: Readonly<Record<'source' | 'route' | 'phone', string>> & {
    readonly quiets?: readonly Quiet[];
  },
  now: number,
) {
  // Even a deploy that does not understand the source notifies of waiting items.
  const { source, route } = placeIn(config, place);
  const { alerting = null, to = [], escalate = [] } = route ?? {};
  const lists = to.flatMap((one) => (one.from === 'document' ? [one] : []));
  const own = lists.filter(({ numbers }) => numbers.includes(phone));
  const isMember = route !== null && (phone === '' || own.length > 0 || lists.length < to.length);
  const onCall = own.filter((list) => numbersAt(list, now).includes(phone));
  const isReceiver = isMember && (own.length === 0 || onCall.length > 0);
  const steps = escalate.flatMap((step) => step.to);
  const inSteps = steps.filter(({ numbers }) => numbers.includes(phone));
  const isInSteps = inSteps.length > 0;
  const isOnCallInSteps = inSteps.some((list) => numbersAt(list, now).includes(phone));
  const ofLists = isMember ? own : isInSteps ? inSteps : lists;
  const priority = route?.delivery.priority ?? 'normal';
  const current = [alerting?.quiet, ...ofLists.map(({ quiet }) => quiet)].flatMap((quiet) => quiet ?? []);
  const quiets: readonly Quiet[] = isMember || isInSteps || before.length === 0 ? current : before;
  const throttle: readonly Throttle[] = [
    ...(alerting?.throttle ?? []),
    ...ofLists.flatMap((list) => list.throttle),
  ];
  const incident = alerting?.incident ?? null;
  return {
    /** Null if the source or the route does not exist any more. Items that wait are notified with the built-in text. */
    source,
    route,
    incident,
    expiresMs: incident?.expiresMs ?? EXPIRES_MS,
    repeatMs: isReceiver || isOnCallInSteps ? (incident?.repeatMs ?? null) : null,
    group: alerting?.group ?? null,
    throttle,
    quiets: priority === 'high' ? [] : quiets,
    /** It is still one of the route's receivers, and on call if they take turns. Of a number from a payload, taken for granted. */
    isReceiver,
    /** It is still in one of the route's lists, on call or not. */
    isMember,
    /** It is notified of nothing new any more: it is on none of the route's lists, or not on call. */
    hasLeft: route !== null && !isReceiver && !isOnCallInSteps,
    /** The start of its turn (ms); -Infinity if it takes no turns. */
    onCallSince: Math.min(...onCall.map(({ turns }) => turns?.at(now).since ?? -Infinity)),
    /** When the next turn of the route or of its steps begins: these rules hold until then (ms; Infinity: no turns). */
    handoverAt: Math.min(...[...lists, ...steps].map(({ turns }) => turns?.at(now).until ?? Infinity)),
    /** A step of the route names it, on call or not. */
    isInSteps,
    /** A step names it, and it is on call there if those of its list take turns. */
    isOnCallInSteps,
    priority,
    standing: standingOf(source?.isOpen === true, priority),
    locale: localeOf({ source }),
  };
}

/** True if a receiver is still notified of an incident: by a list, or by a step that has notified them. */
export const isAmong = ({ isReceiver, isOnCallInSteps }: Rules, incident: Incident): boolean =>
  isReceiver || (isOnCallInSteps && isCalled(incident));

/** Both are null if they are gone, or this deploy does not understand them. */
export function placeIn(
  config: LoadedConfig | null,
  { source: id, route: name }: { readonly source: string; readonly route: string },
): { readonly source: Source | null; readonly route: Route | null } {
  try {
    const source = config?.sources.get(id) ?? null;
    return { source, route: source?.routes.find((one) => one.name === name) ?? null };
  } catch {
    return { source: null, route: null };
  }
}

export const localeOf = ({ source }: { readonly source: Source | null }): Locale =>
  source?.locale ?? { country: undefined, locale: 'en', timezone: 'UTC' };

type Sent = Pick<MessageRow, 'source' | 'route' | 'phone'>;

const routeOf = (config: LoadedConfig, { source, route }: Sent) =>
  placeIn(config, { source: source ?? '', route: route ?? '' }).route;

/** True if a message's receiver has opted out, as far as is known, and its route is not transactional. */
export const isSuppressedIn = (config: LoadedConfig | null, row: Sent): boolean =>
  config !== null &&
  row.phone !== null &&
  isSuppressed(config, row.phone) &&
  routeOf(config, row)?.isTransactional !== true;

/** True if all receivers of a message's route have opted out, or all whose turn it is. Those from payloads are not known. */
export const isWholeRouteSuppressed = (config: LoadedConfig | null, row: Sent, now: number): boolean =>
  config !== null &&
  routeOf(config, row)?.to.every(
    (to) => to.from === 'document' && numbersAt(to, now).every((number) => isSuppressed(config, number)),
  ) === true;
