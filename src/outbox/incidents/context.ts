import type { Standing } from '../../lib/shares.ts';
import type { AccountPolicy, LoadedConfig } from '../../config/compiled/config.ts';
import type { DraftMessage, MessageOrigin } from '../state/acceptance.ts';
import type { MessageRow } from '../state/message.ts';
import type { Move } from './arrivals.ts';
import type { Beyond } from './beyond.ts';
import { factsOf } from './due.ts';
import type { Entry, Group, IncidentParts, Subscriber, SubscriberState } from './entries.ts';
import type { InForce } from './in-force.ts';
import { pendingOf, type Incident } from './incident.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { rulesOf, type Rules } from './rules.ts';
import { writeIncident, writeSubscriber } from './store.ts';

/** A message about incidents, and its origin. */
export interface NotificationDraft {
  readonly draft: DraftMessage;
  readonly origin: MessageOrigin;
}

/** The parts of the outbox that incidents use. */
export interface IncidentsDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql'>;
  readonly inForce: InForce;
  readonly policyIn: (config: LoadedConfig) => AccountPolicy;
  /** Returns the time when the account lets a receiver have another message and one more after it (ms). */
  readonly updateAt: (
    policy: AccountPolicy,
    to: { readonly phone: string; readonly standing: Standing },
    now: number,
  ) => number;
  /** Queues a message, and returns its number; `also` writes in the same transaction. Null: there is no space. */
  readonly queue: (message: NotificationDraft, also?: () => void) => number | null;
  /** Writes something newer into the row of a message that waits, and returns the row. */
  readonly rewrite: (row: MessageRow, message: NotificationDraft) => MessageRow;
  /** True if a message's call is under way, or was when the object stopped. */
  readonly isUnderWay: (seq: number) => boolean;
  /** Makes a message that will be retried due at once. */
  readonly hurry: (seq: number) => void;
  /** Incidents opened, were resolved, expired or are held back. */
  readonly onMoved: (moves: readonly Move[]) => void;
  /** The maximum of open incidents is reached: further ones are only counted. */
  readonly onBeyond: () => void;
  /** A step was due, but it has no receivers. */
  readonly onNobody: (incident: IncidentParts, step: number) => void;
  /** A receiver was notified by this message. */
  readonly onNotified: (row: MessageRow) => void;
  /** Sets the alarm (ms). */
  readonly wakeAt: (at: number) => void;
  readonly account: () => string;
  readonly clock: () => number;
}

/** One look at the open incidents, at this moment (ms) and by this configuration. */
export class Look {
  readonly deps: IncidentsDeps;
  readonly open: OpenIncidents;
  readonly beyond: Beyond;
  readonly config: LoadedConfig;
  readonly now: number;

  constructor({
    deps,
    open,
    beyond,
    config,
    now,
  }: Pick<Look, 'deps' | 'open' | 'beyond' | 'config' | 'now'>) {
    this.deps = deps;
    this.open = open;
    this.beyond = beyond;
    this.config = config;
    this.now = now;
  }

  get sql(): SqlStorage {
    return this.deps.storage.sql;
  }

  /** Returns a receiver's rules. Its row keeps their quiet hours for the time when it is on no list any more. */
  rulesFor(subscriber: Subscriber): Rules {
    const { config, now, open } = this;
    let known = subscriber.rules;
    if (known?.of !== config || known.rules.handoverAt <= now) {
      known = { of: config, rules: rulesOf(config, subscriber, now) };
      const { quiets } = known.rules;
      if (JSON.stringify(quiets) !== JSON.stringify(subscriber.quiets))
        this.setSubscriber(subscriber, { quiets });
    }
    subscriber.rules = known;
    open.handoverAt = Math.min(open.handoverAt, known.rules.handoverAt);
    return known.rules;
  }

  /** Writes an incident's new state, in its row and in memory. */
  set({ ref, grouping, incident: known }: Entry, incident: Incident): void {
    writeIncident(this.sql, ref, { known, incident, now: this.now });
    this.open.put(ref, incident, grouping, this.now);
  }

  /** Writes a receiver's new state in the same way. */
  setSubscriber(subscriber: Subscriber, change: Partial<SubscriberState>): void {
    writeSubscriber(this.sql, Object.assign(subscriber, change), this.now);
  }
}

/**
 * The row of one of a group's incidents has the time when the group was notified last. If that incident closes, another
 * one keeps the time, on which the next repeat depends; even one that is held back, which the message did not name.
 */
export function keepNotifiedAt(
  look: Look,
  { entries }: Group,
  { notifiedAt, notifiedIn }: Pick<Incident, 'notifiedAt' | 'notifiedIn'>,
): void {
  if ((factsOf(entries).notifiedAt ?? 0) >= (notifiedAt ?? 0)) return;
  const heir = [...entries].find(({ incident }) => pendingOf(incident) === 'known');
  if (heir !== undefined) look.set(heir, { ...heir.incident, notifiedAt, notifiedIn });
}
