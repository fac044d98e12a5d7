import type { LoadedConfig } from '../../config/config.ts';
import { lazyConfig } from '../../config/lazy-config.ts';
import { EMPTY_SET } from '../../config/schema.ts';
import { describeError, log } from '../../lib/log.ts';
import type { AcceptedEvent, DraftItem } from '../state/acceptance.ts';
import { readFact, writeFact } from '../state/facts.ts';
import type { Attempt, MessageRow } from '../state/message.ts';
import { Arrivals } from './arrivals.ts';
import { changed, Look, type IncidentsDeps } from './context.ts';
import type { Group, IncidentParts, IncidentRef, Subscriber } from './entries.ts';
import { holdBack } from './hold-back.ts';
import { resolve } from './incident.ts';
import { lookAtGroup } from './look-at-group.ts';
import { loadNotices, Notices } from './notices.ts';
import { notify } from './notify.ts';
import { OpenIncidents } from './open-incidents.ts';
import { lookAtReceivers, openEntriesOf } from './receivers.ts';
import { endRest, record, type Ended } from './record.ts';
import { expectAnswer, review } from './review.ts';
import type { Rules } from './rules.ts';
import { loadOpen } from './store.ts';

/** After a fault, or when the object has stopped, everything is looked at again after this (ms). */
const AGAIN_MS = 30_000;

/** How long a message waits whose configuration is to be read first (ms). */
export const UNREAD_MS = 1_000;

/** The newest configuration that this object has used: a copy from an edge cache may be older. */
const ACTIVATION = 'activation';

const BEHIND_MS = 120_000;

const NO_ITEMS = { references: [], waiting: 0 };

/**
 * The incidents of an outbox: takes items, and notifies of what is due. Rows are the truth, {@link OpenIncidents} is what they say in
 * memory. A message is queued when something is due. What it says is decided when its call goes out ({@link review}), and what its
 * receiver knows is written when the call has ended ({@link record}).
 */
export class Incidents {
  readonly #deps: IncidentsDeps;
  #loaded: { readonly open: OpenIncidents; readonly notices: Notices } | null = null;
  #isAsked = false;
  /** What was read or used last, and the newest activation. */
  #config: LoadedConfig | null = null;
  #activation: number | null = null;
  /** Since when only an older one is read (ms). */
  #olderSince: number | null = null;
  /** By the configuration of the last look. */
  #rules = new WeakMap<Subscriber, Rules>();

  constructor(deps: IncidentsDeps) {
    this.#deps = deps;
  }

  /** What is open, read when it is needed first. */
  get open(): OpenIncidents {
    return this.#all.open;
  }

  get #all(): { readonly open: OpenIncidents; readonly notices: Notices } {
    if (this.#loaded !== null) return this.#loaded;
    const loaded = { open: new OpenIncidents(), notices: new Notices() };
    this.#loaded = loaded;
    const { storage, clock, isUnderWay } = this.#deps;
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
        items.length === 0 ? NO_ITEMS : (arrivals ??= new Arrivals(sql, this.open, now)).take(event, items),
      apply: () => {
        if (arrivals === null) return;
        arrivals.apply();
        this.#changed(arrivals.changedRefs);
        this.#deps.onMoved(arrivals.moves);
        // If the object stops before it has looked, its alarm looks.
        this.#deps.wakeAt(now + AGAIN_MS);
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
    }
  }

  /** When something is to be looked at (ms); null: never. */
  nextAt(): number | null {
    if (!this.#isAny()) return null;
    const at = this.open.nextAt();
    return at === null || this.#olderSince === null ? at : Math.max(at, this.#deps.clock() + AGAIN_MS);
  }

  /** Looks at what is due, soon and once. */
  ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    // Not in the commit that asks.
    void Promise.resolve().then(() => this.run());
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
    const reviewed = review(look, row);
    this.ask();
    return reviewed ?? 'superseded';
  }

  /** A call for a message about incidents has ended, or the message is over: see {@link record}. */
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
    const { open } = this;
    const now = this.#deps.clock();
    const entries = openEntriesOf({ open }, name);
    if (entries.length === 0) return false;
    this.#lookNow().write(
      entries.map((entry) => changed(entry, resolve(entry.incident, null, entry.held, now))),
    );
    this.#changed(entries.map(({ ref }) => ref));
    this.ask();
    return true;
  }

  /** How many incidents are open, and how many items wait, counted for each receiver. */
  counts(): { readonly open: number; readonly waiting: number } {
    if (!this.#isAny()) return { open: 0, waiting: 0 };
    const { open, waiting } = this.open;
    return { open, waiting };
  }

  /** Notifies of what is due. Never throws. */
  async run(): Promise<void> {
    this.#isAsked = false;
    if (!this.#isAny()) return;
    const { config, clock, wakeAt, account } = this.#deps;
    try {
      const look = this.#lookBy(await config());
      if (look === null) return wakeAt(clock() + AGAIN_MS);
      this.#look(look);
      const next = this.open.nextAt();
      if (next !== null) wakeAt(next);
    } catch (thrown) {
      log('error', 'outbox.incidents.failed', { account: account(), error: describeError(thrown) });
      // What is in memory may differ from the rows.
      this.#loaded = null;
      wakeAt(clock() + AGAIN_MS);
    }
  }

  /** Most accounts have no incidents: their rows are not asked for again. */
  #isAny(): boolean {
    return this.open.size > 0 || this.open.subscribers.size > 0;
  }

  /** Null: this is an older configuration than one that was used already, and is not used. */
  #lookBy(config: LoadedConfig): Look | null {
    const { sql } = this.#deps.storage;
    const newest = (this.#activation ??= Number(readFact(sql, ACTIVATION) ?? 0));
    if (config.activation < newest && this.#isBehind()) return null;
    this.#olderSince = null;
    if (config.activation !== newest) writeFact(sql, ACTIVATION, String(config.activation));
    this.#activation = config.activation;
    const isNew = config !== this.#config;
    this.#config = config;
    const look = this.#lookAt(config);
    if (isNew) {
      this.open.lookAtAll(look.now);
      lookAtReceivers(look);
    }
    return look;
  }

  /** An edge cache is behind for a minute. What is older for longer is in force, whatever happened to the other one. */
  #isBehind(): boolean {
    const now = this.#deps.clock();
    this.#olderSince ??= now;
    return now - this.#olderSince < BEHIND_MS && now >= this.#olderSince;
  }

  /** By what was used last. Before anything was read, no throttle and no `repeat` is known. */
  #lookNow(): Look {
    return this.#config === null
      ? this.#lookAt(lazyConfig(EMPTY_SET, 0), new WeakMap())
      : this.#lookAt(this.#config);
  }

  #lookAt(config: LoadedConfig, rules = this.#rules): Look {
    const { open, notices } = this.#all;
    return new Look({ deps: this.#deps, open, notices, config, now: this.#deps.clock() }, rules);
  }

  #look(look: Look): void {
    const { open, now } = look;
    // What ends here may let others be notified. What is held back is known also where nobody is notified now: what is resolved in
    // quiet hours and was silenced was not missed.
    for (let groups: readonly Group[] | null = null; groups === null || groups.length > 0;) {
      holdBack(look, open.heldBack.takeUnchecked());
      groups = open.groupTimes.take(now);
      for (const group of groups) lookAtGroup(look, group);
    }
    for (const subscriber of open.subscriberTimes.take(now)) notify(look, subscriber);
  }
}
