import type { AccountPolicy, LoadedConfig } from '../../config/config.ts';
import type { DraftMessage, Origin } from '../state/acceptance.ts';
import type { MessageRow } from '../state/message.ts';
import type { Move } from './arrivals.ts';
import type { Beyond } from './beyond.ts';
import type { Entry, Grouping, IncidentRef, Subscriber } from './entries.ts';
import type { Incident } from './incident.ts';
import type { Notices } from './notices.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { rulesOf, type Rules } from './rules.ts';
import { writeIncident } from './store.ts';

/** A message about incidents, and where it comes from. */
export interface NotificationDraft {
  readonly draft: DraftMessage;
  readonly origin: Origin;
}

/** What incidents need from their outbox. */
export interface IncidentsDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly policyIn: (config: LoadedConfig) => AccountPolicy;
  /** When the account lets a receiver have another message and one more after it (ms). */
  readonly updateAt: (policy: AccountPolicy, phone: string, now: number) => number;
  /** Queues a message, and returns its number; `also` writes in the same transaction. Null: there is no space. */
  readonly queue: (message: NotificationDraft, also?: () => void) => number | null;
  /** Whether a message's call is under way, or was when the object stopped. */
  readonly isUnderWay: (seq: number) => boolean;
  /** A message that will be retried is due at once. */
  readonly hurry: (seq: number) => void;
  /** Incidents opened, were resolved, expired or are held back. */
  readonly onMoved: (moves: readonly Move[]) => void;
  /** So much is open that more is only counted. */
  readonly onBeyond: () => void;
  /** A receiver was notified by this message. */
  readonly onNotified: (row: MessageRow) => void;
  /** Sets the alarm (ms). */
  readonly wakeAt: (at: number) => void;
  readonly account: () => string;
  readonly clock: () => number;
}

/** What an incident was and is now; a change that is not written yet. */
export interface Change {
  readonly ref: IncidentRef;
  readonly grouping: Grouping;
  readonly known: Incident;
  readonly incident: Incident;
}

export const changed = ({ ref, grouping, incident: known }: Entry, incident: Incident): Change => ({
  ref,
  grouping,
  known,
  incident,
});

/** One look at what is open: at this moment (ms), by this configuration. */
export class Look {
  readonly deps: IncidentsDeps;
  readonly open: OpenIncidents;
  readonly notices: Notices;
  readonly beyond: Beyond;
  readonly config: LoadedConfig;
  readonly now: number;
  readonly #rules: WeakMap<Subscriber, Rules>;
  readonly #looked = new Set<Subscriber>();

  /** `rules`: of every subscriber, as they were looked up last. */
  constructor(
    parts: Pick<Look, 'deps' | 'open' | 'notices' | 'beyond' | 'config' | 'now'>,
    rules: WeakMap<Subscriber, Rules>,
  ) {
    this.deps = parts.deps;
    this.open = parts.open;
    this.notices = parts.notices;
    this.beyond = parts.beyond;
    this.config = parts.config;
    this.now = parts.now;
    this.#rules = rules;
  }

  get sql(): SqlStorage {
    return this.deps.storage.sql;
  }

  rulesFor(subscriber: Subscriber): Rules {
    const before = this.#rules.get(subscriber) ?? null;
    if (before !== null && this.#looked.has(subscriber)) return before;
    const rules = rulesOf(this.config, subscriber, before);
    this.#rules.set(subscriber, rules);
    this.#looked.add(subscriber);
    return rules;
  }

  /** Writes changes that no item brought. */
  write(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.deps.storage.transactionSync(() => this.writeRows(changes));
    this.apply(changes);
  }

  /** The first half of {@link write}, in the caller's transaction. */
  writeRows(changes: readonly Change[]): void {
    const { now, sql } = this;
    for (const { ref, known, incident } of changes)
      if (known !== incident) writeIncident(sql, ref, { known, incident, now });
  }

  /** The other half: memory follows the rows. */
  apply(changes: readonly Change[]): void {
    for (const { ref, incident, grouping } of changes) this.open.put(ref, incident, grouping, this.now);
  }
}
