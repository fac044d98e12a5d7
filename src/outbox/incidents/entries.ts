import type { LoadedConfig, Quiet } from '../../config/compiled/config.ts';
import type { Held, Incident, Statement, Pending } from './incident.ts';
import type { TextOptions } from '../../render/built-in-text.ts';
import type { MissedCounts } from '../../render/notification-scope.ts';
import type { Rules } from './rules.ts';

export interface IncidentRef {
  readonly source: string;
  readonly route: string;
  /** The incident's key. For an item that belongs to none, its event and its place in it. */
  readonly key: string;
  /** Empty for a `status`, which has no receiver. */
  readonly phone: string;
}

export type SubscriberRef = Omit<IncidentRef, 'key'>;

/** Identifies an incident, whoever its receivers are. Names of sources and routes have no `/`. */
export type IncidentParts = Omit<IncidentRef, 'phone'>;

export const partsOf = ({ source, route, key }: IncidentParts): IncidentParts => ({ source, route, key });

/** As `inhibited_by` and people have it. */
export const nameOf = ({ source, route, key }: IncidentParts): string => `${source}/${route}/${key}`;

/** Returns the incident of a name; null if the text is not one. */
export function namedBy(name: string): IncidentParts | null {
  const [, source, route, key] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(name) ?? [];
  return source === undefined || route === undefined || key === undefined ? null : { source, route, key };
}

/** An incident that is open, or whose resolution its receiver is still to be notified of. */
export interface Entry {
  readonly ref: IncidentRef;
  group: Group;
  incident: Incident;
  grouping: Grouping;
  /** Why nobody is notified, and the latest end of that (ms; null: it is not known). */
  held: (Held & { readonly until: number | null }) | null;
}

/** The group in which an incident is notified, and the incidents that inhibit it. */
export interface Grouping {
  /** The values that it shares with the others of its group; null if it is a group of its own. */
  readonly grouped: string | null;
  /** Nobody is notified while one of these is open. */
  readonly inhibitedBy: readonly string[];
}

export interface Group {
  readonly name: string;
  readonly subscriber: Subscriber;
  readonly entries: Set<Entry>;
  /** When its receiver is to be notified, and why (ms; Infinity: there is nothing to say); null: to be computed. */
  due: (GroupFacts & { readonly at: number }) | null;
  /** When something changes by itself: an incident expires, is stable, or is no longer held back (ms; Infinity: never). */
  changesAt: number;
}

/** The facts that decide when the receiver of a group is notified, and of what. Times in ms. */
export interface GroupFacts {
  /** `held`: nobody is notified, because of a silence or another incident. */
  readonly counts: Readonly<Record<Pending | 'held', number>>;
  /** Since when something of it waits to be notified; null if nothing does. */
  readonly waitsSince: number | null;
  /** When its receiver was last notified of it; null if not since something of it is open. */
  readonly notifiedAt: number | null;
  /** True if a step notifies its receiver of something, at any hour. */
  readonly isEscalated: boolean;
}

export interface SubscriberState {
  /** The times when something was sent to it, as far back as its throttle looks (ms). */
  sentAt: readonly number[];
  held: Holding | null;
  rest: Rest | null;
  /** Its last known quiet hours. A receiver keeps them when it is on no list of its route any more, or that is gone. */
  quiets: readonly Quiet[];
}

export interface Subscriber extends SubscriberState, SubscriberRef {
  readonly groups: Map<string, Group>;
  readonly entries: Map<string, Entry>;
  /** The numbers of incidents that ended without a notification since it is held back. */
  missed: MissedCounts;
  /** When the last of them closed (ms; -Infinity: none did). */
  missedAt: number;
  readonly messages: Outgoing[];
  /** When it is to be looked at (ms; Infinity: when something changes). */
  lookAt: number;
  /** The place of that time in the order in which times were set. */
  asked: number;
  /** When it was looked at last, and until when it is not notified of what was due then (ms; null: nothing holds it up). */
  lookedAt: number;
  until: number | null;
  rules: { readonly of: LoadedConfig; readonly rules: Rules } | null;
}

export interface Holding {
  readonly since: number;
  /** The end of the quiet hours that started the hold, whatever is published until then (ms); null: it was not these. */
  readonly until: number | null;
  readonly as: Quiet['do'];
  /** `joined`: the incidents that were open when it joined the list are one message. */
  readonly by: 'quiet' | 'throttle' | 'joined';
  /** The number of incidents that were only counted and are not watched any more; absent: none. */
  readonly unwatched?: number;
}

/**
 * Content stays due but is not sent, after a message that was not. It ends early when something opens or resolves, an
 * item of no incident comes, or the receiver is to be notified anew.
 */
export interface Rest {
  readonly since: number;
  /** The end of that message; `over`: something has changed since. */
  readonly after: 'dead' | 'expired' | 'cancelled' | 'suppressed' | 'over';
  /** The number of messages in a row that ended like that. */
  readonly failures: number;
  /** Hashes of the statements that are not made again. Absent: none is made, since the failure is about the receiver. */
  readonly said?: readonly number[];
}

/** What a receiver knows when the gateway has taken a message about incidents, in its row. */
export interface Says {
  readonly form: 'group' | 'digest';
  readonly groups: readonly string[];
  readonly incidents: readonly SaysOne[];
  /** The keys of the others that it counts as open: its links are about them, too. Absent: it has no links. */
  readonly also?: readonly string[];
  /** True if what it shows as open is only counted, see `beyond.ts`. */
  readonly counts?: boolean;
  /** True if it takes no place of the throttle: it is about resolutions, or about a step. */
  readonly isFree: boolean;
  /** True if it ends a hold: quiet hours, or a throttle. */
  readonly endsHold: boolean;
  /** The numbers of incidents that ended meanwhile without a notification. */
  readonly missed: MissedCounts;
}

/** The key, the statement, the number of its last item in the message, and the item that the message is about. */
export type SaysOne = readonly [key: string, statement: Statement, n: number, about: number | null];

/** The same of a message that somebody has incidents, or has them no longer. */
export interface SaysHolder extends TextOptions {
  readonly form: 'holder';
  /** The person who has or had them; null if it is not known. */
  readonly who: string | null;
  readonly keys: readonly string[];
}

/** A message that is queued or tried: its groups wait until it has ended. */
export interface Outgoing {
  readonly seq: number;
  readonly says: Says;
  readonly groups: ReadonlySet<string>;
  /** True if a call was made for it, or is under way. */
  isTried: boolean;
  isCalling: boolean;
}

export const nameOfGroup = ({ key }: IncidentParts, grouped: string | null): string =>
  grouped === null ? `#${key}` : nameOfShared(grouped);

/** Returns the name of the group of what shares these values. */
export const nameOfShared = (grouped: string): string => `=${grouped}`;

/** Returns what the incidents of a group share; null if it is the group of one. */
export const sharedBy = ({ name }: Pick<Group, 'name'>): string | null =>
  name.startsWith('=') ? name.slice(1) : null;

/** True if a message about this group is queued or tried. */
export const isOnItsWay = ({ subscriber, name }: Group): boolean =>
  subscriber.messages.some(({ groups }) => groups.has(name));

export function isLone({ entries }: Group): boolean {
  for (const { incident } of entries.values()) return incident.isLone;
  return false;
}
