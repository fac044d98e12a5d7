import { iso } from '../../lib/time.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { ItemView } from '../answers/api-incident.ts';
import type { About, Packed } from '../state/acceptance.ts';
import type { Wait } from '../send/timing.ts';
import type { EventSummary } from '../answers/api-event.ts';
import type { MessageView } from '../answers/api-message.ts';
import type { EventState } from '../state/states.ts';
import { withoutTokens } from '../state/links.ts';
import { fallbackLinks } from '../state/fallback.ts';
import { reasonOf } from '../state/reason.ts';
import { messageId, parseAttempts, type MessageRow, type Operation } from '../state/message.ts';

/**
 * An event with everything that is known of it. Payload, headers and query are JSON texts as they are stored; `null` if
 * they are not.
 */
export interface StoredEvent extends Omit<EventSummary, 'counts'> {
  readonly payload: string;
  readonly headers: string;
  readonly query: string;
  readonly messages: readonly MessageView[];
  /** The outcome of its items, if the outbox decides when people are notified; absent: there are none. */
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
  locale: string | null;
  state: EventState;
  reason: string | null;
  received_at: number;
  dedupe_key: string | null;
  duplicates: number;
  payload: Packed;
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

const waitView = ({ until, ...wait }: Wait): NonNullable<MessageView['waits']> => ({
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
  // Anybody who has a link can press it. A message that another account handed on has the links of that account.
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
    ...(row.reason !== null && reasonOf(row, parseAttempts(row.attempts).at(-1))),
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
    ...(row.locale !== null && { locale: row.locale }),
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
