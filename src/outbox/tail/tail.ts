import type { TailFrame } from './frame.ts';
import type { MessageFrame } from '../answers/api-frame.ts';
import { TailReport, type ReportDeps } from './report.ts';
import { loggable } from '../../lib/log.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { About, Acceptance } from '../state/acceptance.ts';
import type { Committed } from '../accept/commit.ts';
import { messageId, type MessageRow } from '../state/message.ts';
import type { RecordedAttempt } from '../send/decide.ts';
import { reasonOf } from '../state/reason.ts';
import type { MessageState } from '../state/states.ts';
import { iso } from '../../lib/time.ts';

interface TailDeps extends ReportDeps {
  /** The outbox's random tag, part of each message id. */
  readonly tag: string;
}

/** An event, and the result of its commit. */
export interface CommittedEvent {
  readonly acceptance: Acceptance;
  readonly committed: Committed;
}

/** The columns of a message's row that a frame shows. */
export type ShownRow = Pick<MessageRow, 'seq' | 'event_id' | 'source' | 'route' | 'kind' | 'about'>;

/** Cut at this length: an event's type is the sender's text. */
const MAX_TYPE = 200;

/** An attempt, and the decision after it. */
type Tried = Pick<RecordedAttempt, 'attempt' | 'decision'>;

/** Makes the tail's frames of an outbox. While nobody watches, it reads and makes nothing. */
export class Tail {
  readonly #deps: TailDeps;
  readonly #report: TailReport;

  constructor(deps: TailDeps) {
    this.#deps = deps;
    this.#report = new TailReport(deps);
  }

  watch(): void {
    this.#report.watch();
  }

  /** Events were accepted. */
  accepted(events: readonly CommittedEvent[]): void {
    if (!this.#report.isWatched) return;
    for (const { acceptance, committed } of events) {
      this.#event(acceptance.event, committed);
      for (const row of committed.queued) this.changed(row, 'queued');
    }
  }

  /** A message reached a state, by an attempt if there is one. Frames show only fields of the row that never change. */
  changed(row: ShownRow, state: MessageState, tried?: Tried): void {
    if (this.#report.isWatched) this.#report.add(() => this.#message(row, state, tried));
  }

  #event(event: Acceptance['event'], { receipt }: Committed): void {
    const { clock, account } = this.#deps;
    const reason = receipt.reason ?? event.reason;
    this.#report.add(() => ({
      type: 'event',
      at: iso(clock()),
      event: receipt.event,
      source: event.source,
      event_type: event.type?.slice(0, MAX_TYPE) ?? null,
      ...(event.subject !== undefined && { subject: event.subject }),
      state: event.state,
      duplicate: receipt.duplicate,
      ...(reason !== null && { reason: loggable(reason) }),
      ...(receipt.waiting !== undefined && { waiting: receipt.waiting }),
      account: account(),
    }));
  }

  #message(row: ShownRow, state: MessageState, tried?: Tried): TailFrame {
    const { tag, clock, account } = this.#deps;
    return {
      type: 'message',
      at: iso(clock()),
      message: messageId(row.seq, tag),
      event: row.event_id,
      source: row.source,
      route: row.route,
      kind: row.kind,
      state,
      ...(tried && shownOf(tried)),
      ...(row.about !== null && { about: aboutOf(row.about) }),
      account: account(),
    };
  }
}

function shownOf({ attempt, decision: { state, reason, nextAt } }: Tried) {
  const { n, outcome, duration_ms, http_status } = attempt;
  const seen = reasonOf({ state, reason, actions: '[]', fallback: null }, attempt);
  return {
    n,
    outcome,
    duration_ms,
    ...(http_status !== undefined && { http_status }),
    ...(seen && { ...seen, reason: loggable(seen.reason) }),
    ...(nextAt !== null && { next_attempt_at: iso(nextAt) }),
  };
}

function aboutOf(text: string): NonNullable<MessageFrame['about']> {
  const { incidents: _, ...about } = parseOwnJson<About>(text);
  return about;
}
