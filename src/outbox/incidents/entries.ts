import type { LoadedConfig } from '../../config/config.ts';
import type { Quiet } from '../../config/alerting.ts';
import type { Held, Incident, Statement } from './incident.ts';
import type { TextOptions } from '../../render/incident-words.ts';
import type { Rules } from './rules.ts';

/** Which incident of which receiver. */
export interface IncidentRef {
  readonly source: string;
  readonly route: string;
  /** The incident's key; of an item that belongs to none, its event and place in it. */
  readonly key: string;
  /** Empty for a `status`, which has no receiver. */
  readonly phone: string;
}

/** Which receiver of a route. */
export type SubscriberRef = Omit<IncidentRef, 'key'>;

/** An incident, whoever its receivers are. */
export type IncidentParts = Omit<IncidentRef, 'phone'>;

/** The name of an incident, as `inhibited_by` and people have it. */
export const nameOf = ({ source, route, key }: IncidentParts): string => `${source}/${route}/${key}`;

/** An incident that is open, or whose resolution its receiver is to be notified of. */
export interface Entry {
  readonly ref: IncidentRef;
  group: Group;
  incident: Incident;
  grouping: Grouping;
  /** Why nobody is notified, and until when at most (ms; null: it is not known). */
  held: (Held & { readonly until: number | null }) | null;
}

/** The group in which an incident is notified, and when it is not. */
export interface Grouping {
  /** The values that it shares with the others of its group; null: it is a group of its own. */
  readonly grouped: string | null;
  /** Nobody is notified while one of these is open. */
  readonly inhibitedBy: readonly string[];
}

/** Incidents of one subscriber that are notified together. */
export interface Group {
  readonly name: string;
  readonly subscriber: Subscriber;
  readonly entries: Set<Entry>;
  /** The facts of its incidents; null: an incident has changed since they were worked out. */
  due: Due | null;
  /** The time at which something changes by itself: an incident expires, is stable, or is held back no more (ms; Infinity: never). */
  changesAt: number;
}

/** The facts that decide when the receiver of a group is notified, and of what. Times in ms. */
export interface Due {
  /** Infinity: there is nothing to say. */
  readonly at: number;
  /** Since when something of it waits; null: nothing does. */
  readonly since: number | null;
  /** True if it has something that its receiver does not know of. */
  readonly isNew: boolean;
  /** True if all of it that its receiver knows of is resolved, and its receiver does not know that. */
  readonly isClosing: boolean;
  /** True if a step notifies its receiver of something, at any hour. */
  readonly isEscalated: boolean;
}

/** The content of a receiver's row. */
export interface SubscriberState {
  /** When it was sent something, as far back as its throttle looks (ms). */
  sentAt: readonly number[];
  held: Holding | null;
  /** After a message that ended without being sent. */
  rest: Rest | null;
  /** Its quiet hours when it was notified last: who was notified of something keeps them when its route is gone. */
  quiets: readonly Quiet[];
}

/** A receiver of a route. */
export interface Subscriber extends SubscriberState {
  readonly source: string;
  readonly route: string;
  readonly phone: string;
  readonly groups: Map<string, Group>;
  /** By their incidents' keys. */
  readonly entries: Map<string, Entry>;
  /** The number of incidents that opened and closed without a notification since it is held back. */
  missed: number;
  /** The time at which the last of them closed (ms; -Infinity: none did). */
  missedAt: number;
  /** Those that are queued or tried. */
  readonly messages: Outgoing[];
  /** When it is to be looked at (ms; Infinity: when something changes). */
  lookAt: number;
  /** The place of that time among the times that were set. */
  asked: number;
  /** When it was looked at last, and until when it is not notified of what was due then (ms); null: nothing holds it up. */
  lookedAt: number;
  until: number | null;
  /** As they were looked up last. */
  rules: { readonly of: LoadedConfig; readonly rules: Rules } | null;
}

/** Why messages to a receiver are held back. */
export interface Holding {
  readonly since: number;
  /** When the quiet hours end that began it, whatever is published until then (ms); null: it is no quiet hours. */
  readonly until: number | null;
  readonly as: Quiet['do'];
  /** `joined`: what was open when it joined the list is one message. */
  readonly by: 'quiet' | 'throttle' | 'joined';
}

/**
 * The time after a message that was not sent, in which its content stays due but is not sent. It ends early when an incident opens or is
 * resolved, an item of no incident arrives, or the receiver is to be notified anew: by a step, a list, a turn, or an acknowledgement that ran out.
 */
export interface Rest {
  /** When the message ended (ms). */
  readonly since: number;
  /** The end of that message; `over`: something has changed since. */
  readonly after: 'dead' | 'expired' | 'cancelled' | 'suppressed' | 'over';
  /** The number that ended so in a row. */
  readonly failures: number;
  /** Hashes of the statements that are not made again: see `hashOf`. Absent: no statement is made, since the failure is about the receiver. */
  readonly said?: readonly number[];
}

/**
 * The content of a message about incidents, in its row. When the gateway has taken the message, its receiver knows this.
 */
export interface Says {
  readonly form: 'group' | 'digest';
  /** The names of the groups that it is about. */
  readonly groups: readonly string[];
  readonly incidents: readonly SaysOne[];
  /** It takes no place of the throttle: it says what is resolved, or what a step notifies of. */
  readonly isFree: boolean;
  /** It ends what was held back: quiet hours, or a throttle. */
  readonly endsHold: boolean;
  /** The number of incidents that opened and closed meanwhile without a notification. */
  readonly missed: number;
}

/** Key, statement, up to which item, and the item that the message is about. */
export type SaysOne = readonly [key: string, statement: Statement, n: number, about: number | null];

/** The content of a message to the others of an incident, in its row: somebody has incidents of its route, or has them no more. */
export interface SaysHolder extends TextOptions {
  readonly form: 'holder';
  /** The person who has them, or had; null: it is not known. */
  readonly who: string | null;
  /** The incidents by their keys. */
  readonly keys: readonly string[];
}

/** A message that is queued or tried. Its groups wait until it has ended. */
export interface Outgoing {
  readonly seq: number;
  readonly says: Says;
  /** Names of groups. */
  readonly groups: ReadonlySet<string>;
  /** True if a call was made for it, or is. */
  isTried: boolean;
  /** True if its call is under way. */
  isCalling: boolean;
}

export const nameOfGroup = ({ key }: IncidentParts, grouped: string | null): string =>
  grouped === null ? `#${key}` : `=${grouped}`;

/** True if a message about this group is queued or tried. */
export const isOnItsWay = ({ subscriber, name }: Group): boolean =>
  subscriber.messages.some(({ groups }) => groups.has(name));

export function isLone({ entries }: Group): boolean {
  for (const { incident } of entries.values()) return incident.isLone;
  return false;
}
