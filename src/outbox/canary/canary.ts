import type { CanaryPolicy } from '../../config/compiled/config.ts';
import { hoursBegin } from '../../config/compiled/hours.ts';
import { minTime, iso, DAY, HOUR } from '../../lib/time.ts';
import type { CanaryStatus } from '../../answers/api-status.ts';
import { parseOwnJson } from '../../lib/json.ts';
import type { DraftMessage } from '../state/acceptance.ts';
import { readFact, writeFact } from '../state/meta.ts';

const FACT = 'canary';

/** Long ago (ms): the platform takes no alarm for 0. */
const AT_ONCE = 1;

export const CANARY = 'canary';

/** The place of the link in the text, until the message is written. */
const STAND_IN = 'https://action.invalid/canary';

/** In one row. Times in ms. */
interface CanaryState {
  /** The policy that it was made with. */
  readonly by: string;
  readonly nextAt: number;
  /** The last canary: when it was queued, its message, and when its link was pressed. */
  readonly sentAt?: number;
  readonly seq?: number;
  readonly answeredAt?: number;
  readonly isReported?: boolean;
}

/** Sends a link to the owner's phone, once in a while: its press proves that messages arrive. */
export class Canary {
  readonly #sql: SqlStorage;
  #state: CanaryState | null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const text = readFact(sql, FACT);
    this.#state = text === null ? null : parseOwnJson(text);
  }

  get isOn(): boolean {
    return this.#state !== null;
  }

  /** Returns the time when {@link look} has something to do (ms); null: never. */
  nextAt(policy: CanaryPolicy | null): number | null {
    const state = this.#state;
    if (policy === null) return state === null ? null : AT_ONCE;
    if (state === null || state.by !== JSON.stringify(policy)) return AT_ONCE;
    return minTime([state.nextAt, dueAt(state, policy)]);
  }

  /** Does what is due. To be called in a change. `unanswered`: nobody has pressed the link of a message in time. */
  look(
    policy: CanaryPolicy | null,
    now: number,
    queue: (draft: DraftMessage) => number | null,
    unanswered: (sentAt: number, seq: number) => void,
  ): void {
    if (policy === null) return this.#keep(null);
    const by = JSON.stringify(policy);
    let state = this.#state;
    if (state?.by !== by) state = { ...state, by, nextAt: hoursBegin(policy.hours, now) };
    const { sentAt, seq } = state;
    if (sentAt !== undefined && seq !== undefined && (dueAt(state, policy) ?? Infinity) <= now) {
      unanswered(sentAt, seq);
      state = { ...state, isReported: true };
    }
    if (state.nextAt <= now) {
      const queued = queue(draftOf(policy));
      // One for which there was no space was not sent: the next day has another.
      const waitMs = queued === null ? DAY : policy.everyMs;
      // The clock of the time zone may be set forward in between, and this may be late.
      const nextAt = hoursBegin(policy.hours, Math.max(now, state.nextAt + waitMs - 2 * HOUR));
      state = queued === null ? { ...state, nextAt } : { by, nextAt, sentAt: now, seq: queued };
    }
    this.#keep(state);
  }

  /** The link of a message was pressed. An older message proves nothing about the last one. */
  answer(seq: number, now: number): void {
    const state = this.#state;
    if (state?.seq === seq && state.answeredAt === undefined) this.#keep({ ...state, answeredAt: now });
  }

  answeredAt(seq: number): number | null {
    return this.#state?.seq === seq ? (this.#state.answeredAt ?? null) : null;
  }

  status(): { readonly canary?: CanaryStatus } {
    if (this.#state === null) return {};
    const { sentAt, answeredAt, nextAt } = this.#state;
    const last = sentAt === undefined ? {} : { sent_at: iso(sentAt) };
    const answer = answeredAt === undefined ? {} : { answered_at: iso(answeredAt) };
    return { canary: { ...last, ...answer, next_at: iso(nextAt) } };
  }

  #keep(state: CanaryState | null): void {
    this.#state = state;
    writeFact(this.#sql, FACT, state && JSON.stringify(state));
  }
}

/** Returns the time when the last one is overdue (ms); null if it is answered, or its owner knows. */
const dueAt = ({ sentAt, answeredAt, isReported }: CanaryState, { withinMs }: CanaryPolicy): number | null =>
  sentAt === undefined || answeredAt !== undefined || isReported === true ? null : sentAt + withinMs;

function draftOf({ to, everyMs, label }: CanaryPolicy): DraftMessage {
  return {
    route: null,
    kind: 'text',
    phone: to,
    params: { message: `${label}: ${STAND_IN}` },
    links: { all: [{ standIn: STAND_IN, id: CANARY, label, isOfEvent: false, expiresMs: everyMs }] },
    expiresMs: everyMs,
  };
}
