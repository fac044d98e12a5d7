import { reasonsText } from './state/event.ts';
import { parseOwnJson } from '../lib/json.ts';
import { loggable } from '../lib/log.ts';
import { reasonText, type Reason } from '../lib/reason.ts';
import { iso } from '../lib/time.ts';
import type { EventFrame, MessageFrame } from '../answers/api-tail.ts';
import type { RecordedAttempt } from './send/decide.ts';
import type { About, AcceptedEvent, Receipt } from './state/acceptance.ts';
import { messageId, type MessageRow } from './state/message.ts';
import type { MessageState } from '../schema/states.ts';

/** The most changes that are kept, and so the most of an answer: some 200 KB. */
export const MAX_CHANGES = 200;

/** Cut at this length: an event's type is the sender's text. */
const MAX_TYPE = 200;

interface TailDeps {
  readonly account: () => string;
  readonly tag: string;
  readonly clock: () => number;
}

type ShownRow = Pick<MessageRow, 'seq' | 'event_id' | 'source' | 'route' | 'kind' | 'about'>;

type Tried = Pick<RecordedAttempt, 'attempt' | 'decision'>;

type OutboxFrame = EventFrame | MessageFrame;
/** What changed; its time and account are added where it is read. */
type Change = Omit<EventFrame, 'at' | 'account'> | Omit<MessageFrame, 'at' | 'account'>;

/** The last changes, in memory only: each event and each message once, without payloads, parameters and receivers. */
export class Tail {
  readonly #deps: TailDeps;
  readonly #changes = new Map<string, { readonly at: number; readonly change: Change }>();
  /** Nothing is known of what changed until then (ms). */
  #forgottenAt: number;
  /** The end of the last answer (ms). What changes in the same millisecond counts as later, so nobody misses it. */
  #answeredAt = 0;

  constructor(deps: TailDeps) {
    this.#deps = deps;
    this.#forgottenAt = deps.clock();
  }

  /** What changed after `since` (ms), oldest first; `at`: from when to ask next (ms); `missed`: there was more. */
  read(since: number) {
    const { account, clock } = this.#deps;
    const until = Math.max(clock(), this.#answeredAt);
    this.#answeredAt = until;
    const later = [...this.#changes.values()].filter(({ at }) => at > since);
    const frames = later.map(({ at, change }): OutboxFrame => ({
      ...change,
      at: iso(at),
      account: account(),
    }));
    return { frames, at: until, missed: since < this.#forgottenAt };
  }

  /** A message reached a state, by an attempt if there is one. Frames show only fields of the row that never change. */
  changed(row: ShownRow, state: MessageState, tried?: Tried): void {
    const message = messageId(row.seq, this.#deps.tag);
    const about = parseOwnJson<About | null>(row.about ?? 'null');
    this.#add(message, {
      type: 'message',
      message,
      event: row.event_id,
      source: row.source,
      route: row.route,
      kind: row.kind,
      state,
      ...(tried && shownOf(tried)),
      ...(about && {
        about: { form: about.form, new: about.new, resolved: about.resolved, firing: about.firing },
      }),
    });
  }

  event(event: AcceptedEvent, receipt: Receipt): void {
    const { duplicate } = receipt;
    const [code, reason] =
      receipt.reason === undefined
        ? [event.reasons[0]?.code, reasonsText(event.reasons)]
        : (['duplicate', receipt.reason] as const);
    this.#add(`${receipt.event} ${duplicate}`, {
      type: 'event',
      event: receipt.event,
      source: event.source,
      event_type: event.type?.slice(0, MAX_TYPE) ?? null,
      ...(event.subject !== undefined && { subject: event.subject }),
      state: event.state,
      duplicate,
      ...(code !== undefined && { code, reason: loggable(reason) }),
      ...(receipt.waiting !== undefined && { waiting: receipt.waiting }),
    });
  }

  #add(name: string, change: Change): void {
    this.#changes.delete(name);
    this.#changes.set(name, { at: Math.max(this.#deps.clock(), this.#answeredAt + 1), change });
    if (this.#changes.size <= MAX_CHANGES) return;
    const [oldest] = this.#changes;
    if (oldest === undefined) return;
    this.#changes.delete(oldest[0]);
    this.#forgottenAt = oldest[1].at;
  }
}

function shownOf({ attempt, decision: { reason, nextAt } }: Tried) {
  const { n, outcome, duration_ms, http_status } = attempt;
  return {
    n,
    outcome,
    duration_ms,
    ...(http_status !== undefined && { http_status }),
    ...(reason && frameReason(reason)),
    ...(nextAt !== null && { next_attempt_at: iso(nextAt) }),
  };
}

/** A frame has no numbers of people, which the gateway's own words may. */
function frameReason(reason: Reason) {
  const { code, params = {} } = reason;
  const masked = Object.entries(params).map(([name, value]) => [name, loggable(value)] as const);
  return { code, reason: loggable(reasonText(reason)), reason_params: Object.fromEntries(masked) };
}
