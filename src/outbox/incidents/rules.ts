import {
  type LoadedConfig,
  type Route,
  type Source,
  numbersAt,
  isSuppressed,
  type GroupRule,
  type IncidentRule,
  type Quiet,
  type Throttle,
} from '../../config/compiled/config.ts';
import { standingOf, type Standing } from '../../lib/shares.ts';
import { DAY } from '../../lib/time.ts';
import { type Incident, isCalled } from './incident.ts';
import type { MessageRow } from '../state/message.ts';
import type { Locale } from '../../template/basics/locale.ts';

/** The rules by which a receiver is notified of a route's items, by the configuration in force. */
export interface Rules {
  /** Null if the source or the route does not exist any more. Items that wait are notified with the built-in text. */
  readonly source: Source | null;
  readonly route: Route | null;
  readonly incident: IncidentRule | null;
  readonly expiresMs: number;
  readonly repeatMs: number | null;
  readonly group: GroupRule | null;
  readonly throttle: readonly Throttle[];
  readonly quiets: readonly Quiet[];
  /** It is still one of the route's receivers, and on call if they take turns. Of a number from a payload, taken for granted. */
  readonly isReceiver: boolean;
  /** It is still in one of the route's lists, on call or not. */
  readonly isMember: boolean;
  /** It is notified of nothing new any more: it is on none of the route's lists, or not on call. */
  readonly hasLeft: boolean;
  /** The start of its turn (ms); -Infinity if it takes no turns. */
  readonly onCallSince: number;
  /** When the next turn of the route or of its steps begins: these rules hold until then (ms; Infinity: no turns). */
  readonly handoverAt: number;
  /** A step of the route names it, on call or not. */
  readonly isInSteps: boolean;
  /** A step names it, and it is on call there if those of its list take turns. */
  readonly isOnCallInSteps: boolean;
  readonly priority: 'normal' | 'high';
  readonly standing: Standing;
  readonly locale: Locale;
}

/** After this, an incident is closed, unless its route says otherwise, and a lone item is given up (ms). */
export const EXPIRES_MS = 7 * DAY;

/** A receiver of a route. `phone`: empty for a `status`. `quiets`: its last known quiet hours. */
type AlertReceiver = Readonly<Record<'source' | 'route' | 'phone', string>> & { quiets?: readonly Quiet[] };

/** A receiver who is on no list of the route any more, or whose route is gone, keeps its last known quiet hours. */
export function rulesOf(
  config: LoadedConfig,
  { phone, quiets: before = [], ...place }: AlertReceiver,
  now: number,
): Rules {
  // Even a deploy that does not understand the source notifies of waiting items.
  const { source, route } = placeIn(config, place);
  const alerting = route?.alerting ?? null;
  const lists = (route?.to ?? []).flatMap((to) => (to.from === 'document' ? [to] : []));
  const own = lists.filter(({ numbers }) => numbers.includes(phone));
  const isMember = route !== null && (phone === '' || own.length > 0 || lists.length < route.to.length);
  const onCall = own.filter((list) => numbersAt(list, now).includes(phone));
  const isReceiver = isMember && (own.length === 0 || onCall.length > 0);
  const steps = (route?.escalate ?? []).flatMap(({ to }) => to);
  const inSteps = steps.filter(({ numbers }) => numbers.includes(phone));
  const isInSteps = inSteps.length > 0;
  const isOnCallInSteps = inSteps.some((list) => numbersAt(list, now).includes(phone));
  const ofLists = isMember ? own : isInSteps ? inSteps : lists;
  const priority = route?.delivery.priority ?? 'normal';
  const current = [alerting?.quiet, ...ofLists.map(({ quiet }) => quiet)].flatMap((quiet) => quiet ?? []);
  const quiets = isMember || isInSteps || before.length === 0 ? current : before;
  return {
    source,
    route,
    incident: alerting?.incident ?? null,
    expiresMs: alerting?.incident?.expiresMs ?? EXPIRES_MS,
    repeatMs: isReceiver || isOnCallInSteps ? (alerting?.incident?.repeatMs ?? null) : null,
    group: alerting?.group ?? null,
    throttle: [...(alerting?.throttle ?? []), ...ofLists.flatMap(({ throttle }) => throttle)],
    quiets: priority === 'high' ? [] : quiets,
    isReceiver,
    isMember,
    hasLeft: route !== null && !isReceiver && !isOnCallInSteps,
    onCallSince: Math.min(...onCall.map(({ turns }) => turns?.at(now).since ?? -Infinity)),
    handoverAt: Math.min(...[...lists, ...steps].map(({ turns }) => turns?.at(now).until ?? Infinity)),
    isInSteps,
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
export function isWholeRouteSuppressed(config: LoadedConfig | null, row: Sent, now: number): boolean {
  const route = config === null ? null : routeOf(config, row);
  return (
    config !== null &&
    route !== null &&
    route.to.every(
      (to) => to.from === 'document' && numbersAt(to, now).every((number) => isSuppressed(config, number)),
    )
  );
}
