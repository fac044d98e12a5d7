import type { LoadedConfig } from '../../config/compiled/config.ts';
import { EMPTY_SET } from '../../config/documents/schema.ts';
import { lazyConfig } from '../../config/load.ts';
import { describeError, log } from '../../lib/log.ts';
import { isWithOthers } from '../state/fallback.ts';
import { Arrivals, type ItemsResult } from './arrivals.ts';
import { Beyond } from './beyond.ts';
import { acknowledge, giveBack, resolveByHand, isOwedLate } from './incident.ts';
import { createLook, type IncidentsDeps, type Look } from './context.ts';
import * as store from './store.ts';
import type { IncidentParts } from './entries.ts';
import { notifyAll, type Faulty, beginCall, review } from './notify.ts';
import { addMessage, OpenIncidents, removeMessage } from './open-incidents.ts';
import { lookAtReceivers } from './receivers.ts';
import { endRests, record, type Ended } from './record.ts';
import type { AcceptedEvent, DraftItem, IncidentChange } from '../state/acceptance.ts';
import { wasTried, type Attempt, type MessageRow } from '../state/message.ts';
import { expectActivation, newestActivation } from '../state/meta.ts';

/** After a fault, or when the object has stopped, everything is looked at again after this time (ms). */
const AGAIN_MS = 30_000;

/** A message whose configuration must be read first waits so long (ms). */
const UNREAD_MS = 1_000;

const NO_ITEMS: ItemsResult = { references: [], waiting: 0, beyond: 0, messages: [] };

/**
 * The incidents of an outbox: takes items, and notifies of what is due. Rows are authoritative; {@link OpenIncidents}
 * is their content in memory. A message is queued when something is due. Its text is decided when its call goes out
 * ({@link review}), and its receiver's belief is written when the call has ended ({@link record}).
 */
export class Incidents {
  readonly #deps: IncidentsDeps;
  #open: OpenIncidents | null = null;
  #isAsked = false;
  #config: LoadedConfig | null = null;
  /** True if the last configuration that was to be used is not in force any more. */
  #isBehind = false;
  readonly #beyond: Beyond;
  readonly #early: store.Early;
  readonly #faulty: Faulty = new Map();
  /** The items that came since {@link notify} was called. */
  #arrivals: Arrivals | null = null;

  constructor(deps: IncidentsDeps) {
    this.#deps = deps;
    this.#beyond = new Beyond(deps.sql);
    this.#early = new store.Early(deps.sql);
  }

  get open(): OpenIncidents {
    return this.load();
  }

  /**
   * Returns the open incidents. They are read when first needed, and before the row of a message changes: that row shows
   * whether they are on their way. To be called, since the bundle leaves out a getter whose value nobody uses.
   */
  load(): OpenIncidents {
    if (this.#open !== null) return this.#open;
    const { claims, sql } = this.#deps;
    const open = new OpenIncidents((of) => store.readSubscriber(sql, of));
    this.#open = open;
    const now = this.#deps.clock();
    store.loadOpen(sql, open, now);
    for (const { subscriber, message } of store.loadMessages(sql, open))
      if (claims.flight.has(message.seq) || isWithOthers(sql, message.seq))
        beginCall({ open, now }, subscriber, message);
    open.lookAtAll(now);
    return open;
  }

  /** Does work that changes rows and memory. If it throws, memory is read from the rows again. */
  within<Done>(work: () => Done): Done {
    try {
      return work();
    } catch (thrown) {
      this.#open = null;
      this.#arrivals = null;
      this.#deps.alarm.bringForward(this.#deps.clock() + AGAIN_MS);
      throw thrown;
    }
  }

  /** Takes an event's items, in the transaction of its commit, which is made {@link within}. */
  take(event: AcceptedEvent, items: readonly DraftItem[]): ItemsResult {
    if (items.length === 0) return NO_ITEMS;
    this.#isAsked = true;
    expectActivation(this.#deps.sql, event.activation);
    this.#arrivals ??= new Arrivals(this.#look(), this.#early);
    return this.#arrivals.take(event, items);
  }

  nextAt(): number | null {
    if (!this.#isAny()) return null;
    const at = this.#nextLookAt();
    return at === null || !this.#isBehind ? at : Math.max(at, this.#deps.clock() + AGAIN_MS);
  }

  #nextLookAt(): number | null {
    const { subscribers, handoverAt } = this.open;
    const at = Math.min(subscribers.nextAt, this.#beyond.nextAt() ?? Infinity, handoverAt);
    return at === Infinity ? null : at;
  }

  /** Something may be due: the commit that is being made checks, or the next one. */
  ask(): void {
    if (this.#isAny()) this.#isAsked = true;
  }

  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** True if there are notifications whose calls are not under way. */
  isAnyWaiting(): boolean {
    const { subscribers } = this.open;
    return [...subscribers.values()].some(({ messages }) => messages.some(({ isCalling }) => !isCalling));
  }

  /** Another configuration is in force, or a person changed something: everything is looked at again. */
  lookAtAll(): void {
    if (!this.#isAny()) return;
    this.open.lookAtAll(this.#deps.clock());
    this.ask();
  }

  /** Returns the row of a claimed message to send. Null: it has ended, or the configuration must be read first. */
  review(row: MessageRow): MessageRow | null {
    const { clock, config, messages } = this.#deps;
    // If its end cannot be written, memory has it as before.
    return this.within(() => {
      const { form } = store.readSays(row);
      // These are sent as they were written, or not at all.
      const isWritten = form === 'beyond' || form === 'holder';
      const unread = isWritten ? this.#look() : null;
      const look = config.known === null ? unread : this.#lookBy(config.known);
      if (look === null) {
        // Only an older configuration could be read: the registry is asked again after a while.
        const wait = config.inForce(clock()) === null ? UNREAD_MS : AGAIN_MS;
        messages.postpone(row, clock() + wait);
        return null;
      }
      const reviewed = review(look, row);
      this.ask();
      if (reviewed === null) messages.end(row, { state: 'superseded', reason: { code: 'outdated' } });
      return reviewed;
    });
  }

  /** A call has ended, or the message is over. To be called in the transaction that records this. */
  record(row: MessageRow, state: Ended, outcome: Attempt['outcome'] | null): void {
    if (row.says === null) return;
    this.within(() => record(this.#look(), row, state, outcome));
    this.ask();
  }

  /** A message about incidents was claimed and its call could not be made: it waits as before. */
  putBack(row: MessageRow): void {
    const found = this.open.subscribers.outgoing(row);
    this.record(row, 'queued', null);
    if (found !== null) found.message.isTried = wasTried(row);
  }

  /** The fallback of a dead message follows it, with the same content. */
  fellBack(row: MessageRow, next: number, outcome: Attempt['outcome']): void {
    this.record(row, 'retrying', outcome);
    const found = this.open.subscribers.outgoing(row);
    if (found === null) return;
    removeMessage(found.subscriber, row.seq);
    addMessage(found.subscriber, { ...found.message, seq: next, isTried: true, isCalling: false });
  }

  /** The escape channel has the content of these messages: what is due later is in other messages. */
  escaped(rows: readonly Pick<MessageRow, 'seq' | 'source' | 'route' | 'phone'>[]): void {
    const { subscribers } = this.open;
    for (const row of rows) {
      const found = subscribers.outgoing(row);
      if (found === null) continue;
      found.message.isTried = true;
      subscribers.bringForward(found.subscriber, this.#deps.clock());
    }
    this.ask();
  }

  /** Until its fallback has ended elsewhere, its receiver may know the content. `outcome`: of the call; null: none. */
  handedOn(row: MessageRow, outcome: Attempt['outcome'] | null): void {
    if (row.says === null) return;
    if (outcome !== null) this.record(row, 'retrying', outcome);
    const found = this.open.subscribers.outgoing(row);
    if (found !== null)
      beginCall({ open: this.open, now: this.#deps.clock() }, found.subscriber, found.message);
  }

  /**
   * A person has an incident, so that nothing is repeated for a time and it does not escalate, or has it no longer; or it
   * is resolved by hand, also for whoever was notified before it expired. False: it is not open.
   */
  change(name: IncidentParts, to: IncidentChange['change'] | 'given back', by: string): boolean {
    const look = this.#look();
    const { sql, now } = look;
    this.ask();
    const changed = look.change(name, ({ incident, held }) => {
      if (to === 'acknowledged') return acknowledge(incident, { by, at: now });
      return to === 'resolved' ? resolveByHand(incident, by, held, now) : giveBack(incident, by, now);
    });
    if (to !== 'resolved' || changed.length === 0) return changed.length > 0;
    // It may have opened again for others.
    for (const past of store.readExpired(sql, name))
      if (isOwedLate(past.incident, now)) look.set(past, resolveByHand(past.incident, by, null, now));
    const refs = changed.map(({ ref }) => ref);
    endRests(look, refs);
    return true;
  }

  /** Follows up on new items, and notifies of what is due, if the configuration need not be read. Never throws. */
  notify(): void {
    const { account, alarm, clock, config, owner } = this.#deps;
    try {
      this.within(() => {
        const arrivals = this.#arrivals;
        this.#arrivals = null;
        if (arrivals !== null) {
          const look = this.#look();
          endRests(look, arrivals.changed);
          look.moved(arrivals.moves);
          if (arrivals.isBeyond) owner.first(['incidents.beyond']);
        }
        const inForce = this.#isAsked ? config.inForce(clock()) : null;
        if (inForce === null) return;
        this.#isAsked = false;
        const look = this.#lookBy(inForce);
        if (look === null) return alarm.bringForward(clock() + AGAIN_MS);
        notifyAll(look, this.#faulty);
        alarm.bringForward(this.#nextLookAt());
      });
    } catch (thrown) {
      log('error', 'outbox.incidents.failed', { account: account(), error: describeError(thrown) });
    }
  }

  /** Most accounts have no incidents: their rows are not read again. */
  #isAny(): boolean {
    return this.open.size > 0 || this.open.subscribers.size > 0 || this.#beyond.nextAt() !== null;
  }

  /** Looks by the configuration that was used last. Before any was used, no route is known. */
  #look(): Look {
    const { open } = this;
    const config = this.#config ?? lazyConfig(EMPTY_SET, 0);
    return createLook(this.#deps, open, this.#beyond, config, this.#deps.clock());
  }

  /** Null if it is not in force any more. If it is new, or a handover is due, everything is looked at again. */
  #lookBy(config: LoadedConfig): Look | null {
    const { sql } = this.#deps;
    this.#isBehind = config.activation < newestActivation(sql);
    if (this.#isBehind) return null;
    expectActivation(sql, config.activation);
    const isNew = config !== this.#config;
    this.#config = config;
    const look = this.#look();
    const { open, now } = look;
    if (isNew || open.handoverAt <= now) {
      open.handoverAt = Infinity;
      open.lookAtAll(now);
      lookAtReceivers(look);
    }
    return look;
  }
}
