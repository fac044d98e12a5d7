import type { LoadedConfig } from '../../config/config.ts';
import { lazyConfig } from '../../config/lazy-config.ts';
import { EMPTY_SET } from '../../config/schema.ts';
import { earliest } from '../../lib/earliest.ts';
import { describeError, log } from '../../lib/log.ts';
import type { AcceptedEvent, DraftItem } from '../state/acceptance.ts';
import type { Attempt, MessageRow } from '../state/message.ts';
import { Arrivals, type Taken } from './arrivals.ts';
import { Beyond } from './beyond.ts';
import { changed, Look, type IncidentsDeps } from './context.ts';
import type { IncidentParts, IncidentRef, Subscriber } from './entries.ts';
import { InForce } from './in-force.ts';
import { acknowledge, resolve } from './incident.ts';
import { lookAtDue } from './look-at-due.ts';
import { loadNotices, Notices } from './notices.ts';
import { OpenIncidents } from './open-incidents.ts';
import { lookAtReceivers, openEntriesOf } from './receivers.ts';
import { endRest, record, type Ended } from './record.ts';
import { expectAnswer, review } from './review.ts';
import type { Rules } from './rules.ts';
import { loadOpen, readSubscriber } from './store.ts';

/** After a fault, or when the object has stopped, everything is looked at again after this (ms). */
const AGAIN_MS = 30_000;

/** How long a message waits whose configuration is to be read first (ms). */
export const UNREAD_MS = 1_000;

const NO_ITEMS: Taken = { references: [], waiting: 0, beyond: 0 };

/**
 * The incidents of an outbox: takes items, and notifies of what is due. Rows are the truth, {@link OpenIncidents} is what they say in
 * memory. A message is queued when something is due. What it says is decided when its call goes out ({@link review}), and what its
 * receiver knows is written when the call has ended ({@link record}).
 */
export class Incidents {
  readonly #deps: IncidentsDeps;
  #loaded: { readonly open: OpenIncidents; readonly notices: Notices } | null = null;
  #isAsked = false;
  readonly #inForce: InForce;
  readonly #beyond: Beyond;
  /** By the configuration of the last look. */
  #rules = new WeakMap<Subscriber, Rules>();

  constructor(deps: IncidentsDeps) {
    this.#deps = deps;
    this.#inForce = new InForce(deps.storage.sql);
    this.#beyond = new Beyond(deps.storage.sql);
  }

  /** What is open, read when it is needed first. */
  get open(): OpenIncidents {
    return this.#all.open;
  }

  get #all(): { readonly open: OpenIncidents; readonly notices: Notices } {
    if (this.#loaded !== null) return this.#loaded;
    const { storage, clock, isUnderWay } = this.#deps;
    const open = new OpenIncidents((of) => readSubscriber(storage.sql, of));
    const loaded = { open, notices: new Notices() };
    this.#loaded = loaded;
    const now = clock();
    loadOpen(storage.sql, loaded.open, now);
    loadNotices(storage.sql, loaded.open, loaded.notices);
    for (const notice of loaded.notices.all())
      if (isUnderWay(notice.seq)) expectAnswer({ open: loaded.open, now }, notice);
    loaded.open.lookAtAll(now);
    return loaded;
  }

  /** The items of a commit. Call `apply` after its transaction. */
  arrivals(now: number): Pick<Arrivals, 'take' | 'apply'> {
    const { sql } = this.#deps.storage;
    let arrivals: Arrivals | null = null;
    return {
      take: (event: AcceptedEvent, items: readonly DraftItem[]) =>
        items.length === 0
          ? NO_ITEMS
          : (arrivals ??= new Arrivals(sql, this.open, this.#beyond, now)).take(event, items),
      apply: () => {
        if (arrivals === null) return;
        arrivals.apply();
        this.#changed(arrivals.changedRefs);
        this.#deps.onMoved(arrivals.moves);
        if (arrivals.isBeyond) this.#deps.onBeyond();
        this.ask();
      },
    };
  }

  /** What waits after a failure does so no longer: there is something new to say. */
  #changed(refs: readonly IncidentRef[]): void {
    const { open } = this;
    for (const ref of refs) {
      const subscriber = open.subscriber(ref);
      if (endRest(this.#deps.storage.sql, subscriber))
        open.subscriberTimes.bringForward(subscriber, this.#deps.clock());
      const group = open.get(ref)?.group.name;
      const notice = group === undefined ? undefined : subscriber.notices.get(group);
      if (notice?.isTried === true && notice.before === null) this.#deps.hurry(notice.seq);
      open.subscribers.forgetIdle(subscriber);
    }
  }

  /** When something is to be looked at (ms); null: never. */
  nextAt(): number | null {
    if (!this.#isAny()) return null;
    const at = this.#nextLookAt();
    return at === null || !this.#inForce.isOlder ? at : Math.max(at, this.#deps.clock() + AGAIN_MS);
  }

  #nextLookAt(): number | null {
    return earliest([this.open.nextAt(), this.#beyond.nextAt()]);
  }

  /** Something may be due: the commit that is being made looks, or the next one. */
  ask(): void {
    if (this.#isAny()) this.#isAsked = true;
  }

  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Another configuration is in force, or a person changed something: everything is looked at again. */
  lookAtAll(): void {
    if (!this.#isAny()) return;
    this.open.lookAtAll(this.#deps.clock());
    this.ask();
  }

  /**
   * A message about incidents is claimed: see {@link review}. `config`: in force; null: it has to be read, and the message waits.
   * Returns the row to send, or why it is not sent.
   */
  review(row: MessageRow, config: LoadedConfig | null): MessageRow | 'superseded' | 'unread' {
    const look = config === null ? null : this.#lookBy(config);
    if (look === null) return 'unread';
    try {
      const reviewed = review(look, row);
      this.ask();
      return reviewed ?? 'superseded';
    } catch (thrown) {
      // What is in memory may differ from the rows.
      this.#loaded = null;
      throw thrown;
    }
  }

  /** A call for a message about incidents has ended, or the message is over. To be called in the transaction that says so. */
  record(row: MessageRow, state: Ended, outcome: Attempt['outcome'] | null): void {
    if (row.says === null) return;
    record(this.#lookNow(), row, state, outcome);
    this.ask();
  }

  /** A message that is dead is followed by its fallback, which says the same. */
  fellBack(seq: number, next: number): void {
    const { notices } = this.#all;
    const notice = notices.remove(seq);
    if (notice !== null) notices.put({ ...notice, seq: next, isTried: true, composedAt: null, before: null });
  }

  /** Resolves an incident by hand, for all its receivers. False: it is not open. */
  close(name: IncidentParts): boolean {
    const now = this.#deps.clock();
    const entries = openEntriesOf(this, name);
    if (entries.length === 0) return false;
    this.#lookNow().write(
      entries.map((entry) => changed(entry, resolve(entry.incident, null, entry.held, now))),
    );
    this.#changed(entries.map(({ ref }) => ref));
    this.ask();
    return true;
  }

  /** A person has an incident: nothing is repeated until it resolves. False: it is not open. */
  acknowledge(name: IncidentParts, by: string): boolean {
    const entries = openEntriesOf(this, name);
    if (entries.length === 0) return false;
    const now = this.#deps.clock();
    this.#lookNow().write(entries.map((entry) => changed(entry, acknowledge(entry.incident, by, now))));
    return true;
  }

  /** How many incidents are open, and how many items wait, counted for each receiver. */
  counts(): { readonly open: number; readonly waiting: number } {
    if (!this.#isAny()) return { open: 0, waiting: 0 };
    return { open: this.open.open, waiting: this.open.waiting };
  }

  /** Notifies of what is due, if it was asked for. `config`: in force; null: it has to be read first. Never throws. */
  notify(config: LoadedConfig | null): void {
    if (!this.#isAsked || config === null) return;
    this.#isAsked = false;
    const { clock, wakeAt, account } = this.#deps;
    try {
      const look = this.#lookBy(config);
      if (look === null) return wakeAt(clock() + AGAIN_MS);
      lookAtDue(look);
      const next = this.#nextLookAt();
      if (next !== null) wakeAt(next);
    } catch (thrown) {
      log('error', 'outbox.incidents.failed', { account: account(), error: describeError(thrown) });
      this.#loaded = null;
      wakeAt(clock() + AGAIN_MS);
    }
  }

  /** Most accounts have no incidents: their rows are not asked for again. */
  #isAny(): boolean {
    return this.open.size > 0 || this.open.subscribers.size > 0 || this.#beyond.nextAt() !== null;
  }

  /** Null: this is an older configuration than one that was used already, and is not used. */
  #lookBy(config: LoadedConfig): Look | null {
    const use = this.#inForce.use(config, this.#deps.clock());
    if (use === 'older') return null;
    const look = this.#lookAt(config);
    if (use === 'new') {
      this.open.lookAtAll(look.now);
      lookAtReceivers(look);
    }
    return look;
  }

  /** By what was used last. Before anything was read, no route is known. */
  #lookNow(): Look {
    const { config } = this.#inForce;
    return config === null ? this.#lookAt(lazyConfig(EMPTY_SET, 0), new WeakMap()) : this.#lookAt(config);
  }

  #lookAt(config: LoadedConfig, rules = this.#rules): Look {
    const { open, notices } = this.#all;
    return new Look(
      { deps: this.#deps, open, notices, beyond: this.#beyond, config, now: this.#deps.clock() },
      rules,
    );
  }
}
