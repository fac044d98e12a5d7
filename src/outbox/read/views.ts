import { iso } from '../../lib/iso.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { Operation } from '../operate/operate.ts';
import type { ItemView } from '../incidents/item-views.ts';
import type { About } from '../state/acceptance.ts';
import type { Wait } from '../send/timing.ts';
import { withoutTokens } from '../state/links.ts';
import { fallbackLinks } from '../state/fallback.ts';
import { messageId, parseAttempts, type Attempt, type MessageRow } from '../state/message.ts';

/** A message as the admin API shows it. Times are ISO 8601. */
export interface MessageView {
  readonly id: string;
  readonly event: string | null;
  readonly source: string | null;
  readonly route: string | null;
  readonly account: string;
  readonly kind: string;
  readonly phone: string | null;
  /** Exactly the form fields sent, without credentials and links that can be pressed. */
  readonly params: Readonly<Record<string, string>>;
  readonly state: string;
  readonly reason?: string;
  readonly attempts: readonly AttemptView[];
  /** Actions of people on it. */
  readonly actions?: readonly ActionView[];
  /** The incidents and items in it. */
  readonly about?: About;
  /** The message that is sent in place of this one. */
  readonly fallback?: string;
  /** The account that sends it, if that is another; without `fallback`: it has not taken it yet. */
  readonly fallback_account?: string;
  /** The message in whose place this one is sent, and its account, if that is another. */
  readonly fallback_of?: string;
  readonly fallback_of_account?: string;
  /** The time when the escape channel got it. */
  readonly escaped_at?: string;
  readonly next_attempt_at?: string;
  /** The reason why it waits; absent: it does not wait to be sent. */
  readonly waits?: WaitView;
  readonly created_at: string;
  readonly sent_at?: string;
  readonly config_version: number;
}

interface ActionView {
  readonly action: string;
  readonly by: string;
  readonly at: string;
}

/** `until`: ISO 8601; absent: nobody knows. */
type WaitView = Omit<Wait, 'until'> & { readonly until?: string };

type AttemptView = Omit<Attempt, 'at'> & { readonly at: string };

/** An event in a list: without its payload and messages, which may be large. */
export interface EventSummary {
  readonly id: string;
  readonly source: string;
  readonly type: string | null;
  /** By which lists show it; absent: its source has no such line, or keeps no payloads. */
  readonly subject?: string;
  readonly state: string;
  readonly reason?: string;
  readonly received_at: string;
  readonly dedupe_key?: string;
  readonly duplicates: number;
  readonly config_version: number;
  /** False: the source keeps no payloads. */
  readonly stored: boolean;
  /** The event that this one is a replay of. */
  readonly replay_of?: string;
  /** The person who asked for the replay. */
  readonly replayed_by?: string;
  /** Its receivers, by what they got; absent: nobody asked, or the page has too many messages. */
  readonly counts?: EventCounts;
}

/** The numbers of receivers who got it, will not get it, and will perhaps get it. */
export interface EventCounts {
  readonly sent: number;
  readonly failed: number;
  readonly waiting: number;
}

/**
 * An event with everything that is known of it. Payload, headers and query are JSON texts, as they are stored; `null`
 * where they are not.
 */
export interface StoredEvent extends EventSummary {
  readonly payload: string;
  readonly headers: string;
  readonly query: string;
  readonly messages: readonly MessageView[];
  /** The outcome of its items, where the outbox decides when people are notified; absent: there are none. */
  readonly items?: readonly ItemView[];
  /** The number of messages that do not fit into the answer; the list of messages has them. Absent: none. */
  readonly messages_left_out?: number;
}

/** A row of `events`. */
export interface EventRow extends Record<string, SqlStorageValue> {
  id: string;
  source: string;
  type: string | null;
  subject: string | null;
  state: string;
  reason: string | null;
  received_at: number;
  dedupe_key: string | null;
  duplicates: number;
  payload: string;
  headers: string;
  query: string;
  first_message: number;
  message_count: number;
  config_version: number;
  stored: number;
  replay_of: string | null;
  replayed_by: string | null;
  items: string;
}

const waitView = ({ until, ...wait }: Wait): WaitView => ({
  ...wait,
  ...(until !== undefined && { until: iso(until) }),
});

interface ViewContext {
  readonly tag: string;
  readonly account: string;
  /** True if its call is under way, which the row does not show. */
  readonly sending: boolean;
  readonly wait?: Wait | undefined;
}

export function messageView(row: MessageRow, facts: ViewContext): MessageView {
  const { wait } = facts;
  // Only memory knows which receivers are at their limit, or new.
  const isHeld = wait?.for === 'receiver' || wait?.for === 'contact';
  const nextAt = row.next_at ?? (isHeld ? wait.until : undefined);
  const { of, by, to, from } = fallbackLinks(row);
  // Whoever has a link can press it. A message that another account handed on has that one's links.
  const mayHaveLinks = row.links !== null || from !== undefined;
  const shown = (json: string): string => (mayHaveLinks ? withoutTokens(json) : json);
  const params = parseOwnJson<Record<string, string>>(shown(row.params));
  return {
    id: messageId(row.seq, facts.tag),
    event: row.event_id,
    source: row.source,
    route: row.route,
    account: facts.account,
    kind: row.kind,
    phone: row.phone,
    params: { ...(row.phone !== null && { phone: row.phone }), ...params },
    state: facts.sending ? 'sending' : row.state,
    ...(row.reason !== null && { reason: row.reason }),
    attempts: parseAttempts(shown(row.attempts)).map((attempt) => ({ ...attempt, at: iso(attempt.at) })),
    ...(row.actions !== '[]' && {
      actions: parseOwnJson<readonly Operation[]>(row.actions).map((one) => ({ ...one, at: iso(one.at) })),
    }),
    ...(row.about !== null && { about: parseOwnJson<About>(row.about) }),
    ...(by !== undefined && { fallback: messageId(by, facts.tag) }),
    ...(of !== undefined && { fallback_of: messageId(of, facts.tag) }),
    ...(to?.message !== undefined && { fallback: to.message }),
    ...(to !== undefined && { fallback_account: to.account }),
    ...(from !== undefined && { fallback_of: from.message, fallback_of_account: from.account }),
    ...(row.escaped && { escaped_at: iso(row.escaped) }),
    ...(nextAt !== undefined && !facts.sending && { next_attempt_at: iso(nextAt) }),
    ...(wait && { waits: waitView(wait) }),
    created_at: iso(row.created_at),
    ...(row.sent_at !== null && { sent_at: iso(row.sent_at) }),
    config_version: row.config_version,
  };
}

export function eventSummary(row: EventRow): EventSummary {
  return {
    id: row.id,
    source: row.source,
    type: row.type,
    ...(row.subject !== null && { subject: row.subject }),
    state: row.state,
    ...(row.reason !== null && { reason: row.reason }),
    received_at: iso(row.received_at),
    ...(row.dedupe_key !== null && { dedupe_key: row.dedupe_key }),
    duplicates: row.duplicates,
    config_version: row.config_version,
    stored: row.stored === 1,
    ...(row.replay_of !== null && { replay_of: row.replay_of }),
    ...(row.replayed_by !== null && { replayed_by: row.replayed_by }),
  };
}
