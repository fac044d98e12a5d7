import { reasonIn, type Reason } from '../../lib/reason.ts';
import type { AccountPolicy } from '../../config/compiled/config.ts';
import { minTime } from '../../lib/time.ts';
import {
  byStanding,
  connectionsOf,
  contactsOf,
  hourOf,
  standingIn,
  type Standing,
} from '../../lib/shares.ts';
import type { MessageView } from '../../answers/api-message.ts';
import type { Calls } from '../state/calls.ts';
import { lastOutcome, type MessageRow } from '../state/message.ts';
import { probeAtFor } from '../state/circuit.ts';
import type { Meta } from '../state/meta.ts';
import type { Claims } from './claims.ts';
import { attemptsInAll } from './decide.ts';

/** The platform opens no more than six connections at once for an object; a seventh call would only wait. */
export const MAX_IN_FLIGHT = 6;

/**
 * The waking time that costs as much as an alarm: a row ($1.00 a million), a request ($0.15), $12.50 a million GB-s.
 */
export const MAX_WAIT_MS = 700;

/** The interval of checks for missing credentials. A deploy that adds them restarts the object anyway. */
const BLOCKED_RECHECK_MS = 60_000;

/** Its code: why the account is paused or has no login, or the gateway's last failure. `until` in ms. */
export interface Wait extends Omit<NonNullable<MessageView['waits']>, 'until' | 'detail'> {
  readonly until?: number;
}

interface TimingDeps {
  readonly meta: Meta;
  readonly claims: Claims;
  readonly calls: Calls;
  readonly config: { blockedReason(): Reason | null };
  readonly clock: () => number;
}

/** When the next message may be sent, and how many now, by pace, circuit, pause, connections and calls. */
export class Timing {
  readonly #deps: TimingDeps;
  /** The receivers' limits at the last {@link useLimit}. */
  #limit = '';

  constructor(deps: TimingDeps) {
    this.#deps = deps;
  }

  /** When the next run is needed (ms); now or earlier: at once; null: nothing waits. */
  nextRunAt(policy: AccountPolicy): number | null {
    const { claims, clock, config, meta } = this.#deps;
    const now = clock();
    const { isBehind, lateAt, size } = claims.flight;
    if (isBehind) return now;
    // A call keeps its connection until it is recorded.
    const isFull = lateAt !== null && size >= MAX_IN_FLIGHT;
    if (isFull || meta.pause !== null) return lateAt;
    this.useLimit(policy);
    claims.queue.load(now);
    const nextAt = claims.queue.nextAt(now, (standing) => this.opensAt(policy, standing, now));
    const isBlocked = nextAt !== null && config.blockedReason() !== null;
    return minTime([lateAt, isBlocked ? now + BLOCKED_RECHECK_MS : nextAt]);
  }

  /** True if the next message is due so soon that an alarm would cost more than the wait. */
  isWorthWaiting(policy: AccountPolicy, stopAt: number): boolean {
    const now = this.#deps.clock();
    const nextAt = this.nextRunAt(policy);
    // Only an alarm comes for a record that could not be written.
    if (nextAt === null || nextAt === this.#deps.claims.flight.lateAt) return false;
    return nextAt > now && nextAt - now <= MAX_WAIT_MS && now < stopAt && this.#mayCall();
  }

  /** When a run with calls under way checks again (ms); null: when a call ends, for which messages wait that may be sent now but were not chosen. */
  nextTurnAt(policy: AccountPolicy, now: number): number | null {
    const { meta, claims, config } = this.#deps;
    const isFull = claims.flight.size > 0 && this.#free('urgent', now) <= 0;
    if (isFull || !this.#mayCall() || meta.pause !== null || config.blockedReason() !== null) return null;
    const isBusy = claims.flight.size > 0;
    return claims.queue.nextAt(now, (standing) =>
      isBusy && this.#free(standing, now) <= 0 ? Infinity : this.opensAt(policy, standing, now),
    );
  }

  /** When pace and circuit allow the next call for a message of a standing. */
  opensAt(policy: AccountPolicy, standing: Standing, now: number): number {
    const { claims, meta } = this.#deps;
    const probeAt = probeAtFor(meta.circuit, standing) ?? now;
    return Math.max(now, claims.pace.nextSendAt(policy, standing, now), probeAt);
  }

  /** Why a queued or retried message waits whose call is not under way. Changes nothing. */
  waitOf(row: MessageRow, policy: AccountPolicy, now: number): Wait {
    const { claims, config, meta } = this.#deps;
    const { perRecipient, newContacts } = policy;
    const standing = standingIn(row);
    const { last } = meta.circuit;
    const probeAt = probeAtFor(meta.circuit, standing);
    const isRetry = row.state === 'retrying';
    const tried = isRetry && { attempt: row.tries + 1, of: attemptsInAll(row, lastOutcome(row), policy) };
    const { pause } = meta;
    if (pause !== null) return { for: 'pause', ...reasonIn(pause), ...tried };
    const blocked = config.blockedReason();
    if (blocked !== null) return { for: 'login', ...blocked, ...tried };
    const bounds: [Wait['for'], number][] = [
      ['circuit', probeAt ?? now],
      [isRetry ? 'retry' : 'delay', row.next_at ?? now],
      ['receiver', claims.opensFor(row, policy, now)],
      ['contact', claims.contactFor(row, policy, now)],
      ['pace', claims.pace.nextSendAt(policy, standing, now)],
    ];
    const [reason, until] = bounds.reduce<(typeof bounds)[number]>(
      (latest, bound) => (bound[1] > latest[1] ? bound : latest),
      [probeAt === null ? 'turn' : 'circuit', now],
    );
    return {
      for: reason,
      ...(until > now && { until }),
      ...(reason === 'circuit' && last && reasonIn(last)),
      ...(reason === 'receiver' && perRecipient && { per_hour: hourOf(standing, perRecipient.perHour) }),
      ...(reason === 'contact' && newContacts && { per_day: contactsOf(standing, newContacts.perDay) }),
      ...tried,
    };
  }

  /** How many calls may be made now, together, the last one for a message of a standing. */
  capacity(policy: AccountPolicy, now: number): Readonly<Record<Standing, number>> {
    const { meta, claims, config } = this.#deps;
    const isStopped = meta.pause !== null || config.blockedReason() !== null;
    return byStanding((standing) =>
      isStopped ? 0 : Math.min(this.#free(standing, now), claims.pace.sendsAllowed(policy, standing, now)),
    );
  }

  /** Applies a changed limit at once to receivers that were full by the old one. */
  useLimit({ perRecipient, newContacts }: AccountPolicy): void {
    const limit = `${perRecipient?.perHour} ${newContacts?.perDay}`;
    if (limit === this.#limit) return;
    this.#limit = limit;
    this.#deps.claims.queue.turns.reopen(this.#deps.clock(), true);
  }

  #mayCall(): boolean {
    return this.#deps.calls.messagesOf('urgent') > 0;
  }

  /** Returns the number of calls that may begin: one probe while the circuit is open, if no answer is awaited. */
  #free(standing: Standing, now: number): number {
    const { meta, claims } = this.#deps;
    const { open, size } = claims.flight;
    const probeAt = probeAtFor(meta.circuit, standing);
    const connections = connectionsOf(standing, MAX_IN_FLIGHT) - size;
    const free = Math.min(connections, this.#deps.calls.messagesOf(standing));
    return probeAt === null ? free : Math.min(free, now >= probeAt ? 1 - open : 0);
  }
}
