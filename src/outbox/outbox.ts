import { DurableObject } from 'cloudflare:workers';
import { DEFAULT_ACCOUNT } from '../config/account-policy.ts';
import type { AccountPolicy, LoadedConfig } from '../config/config.ts';
import { readCredentials } from '../config/credentials.ts';
import { loadConfig, parsePublished, useConfig } from '../config/load.ts';
import { placementOf, type Holds } from '../config/placement.ts';
import { registry } from '../config/registry-client.ts';
import { noticeSecret } from '../config/secret-names.ts';
import { secretValues, variable } from '../lib/secret.ts';
import { secureRandomBytes } from '../lib/id.ts';
import { describeError, hideFromLogs, log } from '../lib/log.ts';
import { sleep } from '../lib/sleep.ts';
import type { Acceptance, DraftMessage, Quota, Receipt, Refusal } from './state/acceptance.ts';
import {
  BUSY,
  countAdmitted,
  heldBytes,
  refusalOf,
  refusedReceipt,
  storedBytes,
} from './accept/admission.ts';
import { callGateway } from './send/call-gateway.ts';
import { Calls, callsPerRun } from './state/calls.ts';
import { cancelMessages, type CancelFilter, type CancelStep } from './operate/cancel-many.ts';
import { commitAcceptance, insertMessages, type CommitContext, type Committed } from './accept/commit.ts';
import { Dispatch, type Recorded } from './send/dispatch.ts';
import { outboxGauges, type OutboxMetrics } from './read/gauges.ts';
import { GroupCommit } from './accept/group.ts';
import { Heartbeats, type PulseChange } from './notify/heartbeat.ts';
import { Housekeeping, isAnythingStored, SWEEP_EACH_MS } from './housekeeping.ts';
import { Live } from './tail/tail.ts';
import { logAttempt, logMessage, logPulse, logStanding, logStorage, type Origin } from './log-lines.ts';
import { messageSeq, type MessageRow } from './state/message.ts';
import { Meta, type Pause } from './state/meta.ts';
import { standingNotices, storageNotice, type Notice, type Standing } from './notify/notice.ts';
import { Notifier } from './notify/notifier.ts';
import {
  cancelMessage,
  retryMessage,
  retryMessages,
  type BulkFilter,
  type BulkStep,
  type OperateContext,
} from './operate/operate.ts';
import { Pulse } from './notify/pulse.ts';
import * as read from './read/read.ts';
import { lastSweptSeq } from './storage/retention.ts';
import { migrate } from './state/schema.ts';
import { accountOf, shardIn, shardPolicy } from './state/shards.ts';
import { SourceLimits } from './accept/source-limits.ts';
import { outboxStatus, type OutboxStatus } from './read/status.ts';
import { maxStorageBytes, StorageGuard } from './storage/storage-guard.ts';
import { StorageWatch } from './storage/storage-watch.ts';
import type { EventSummary, MessageView, StoredEvent } from './read/views.ts';

/** An alarm that failed for a reason of its own (a broken read, a bug) is tried again after this, for ever. */
const ALARM_RETRY_MS = 30_000;

/** An alarm that starts an object is called well within this after the constructor. */
const ALARM_COMES_MS = 100;

/** A source that falls silent in the middle of a long run is looked at so often. */
const PULSE_MS = 60_000;

/** An object that takes no new messages looks so long after a change whether it still needs its share of the pace. */
const HELD_LOOK_MS = 150_000;

const DEAD_TEXT = (account: string): string =>
  `hookbell: a message of the account ${account} will not be tried again. More may follow within the hour; the admin API lists them under /messages?state=dead.`;

const REDIRECTED_TEXT = (account: string): string =>
  `hookbell: the gateway of the account ${account} redirects calls elsewhere, and redirects are not followed. Is its base URL right?`;

const policyIn = (config: LoadedConfig, outbox: string): AccountPolicy =>
  shardPolicy(config.accounts.get(accountOf(outbox)) ?? DEFAULT_ACCOUNT, shardIn(outbox), Date.now());

/** What came of a person's action: `refusal` says why nothing did. */
export interface Operated {
  readonly refusal: string | null;
}

/**
 * The outbox of one account: takes events over durably, and sends their messages. The object's name is the account's.
 * What is written here is the truth; its alarm drives delivery, and nothing else does.
 */
export class Outbox extends DurableObject<Env> {
  readonly #meta: Meta;
  readonly #calls: Calls;
  readonly #dispatch: Dispatch;
  readonly #notifier: Notifier;
  readonly #accepts: GroupCommit<Acceptance, Receipt>;
  readonly #live: Live;
  readonly #heartbeats: Heartbeats;
  readonly #limits: SourceLimits;
  readonly #guard: StorageGuard;
  readonly #storageWatch: StorageWatch;
  readonly #housekeeping: Housekeeping;
  #nextSeq: number;
  /** The configuration as it was read last; null: not yet. */
  #config: LoadedConfig | null = null;
  /** The time of the pending alarm; null when there is none or it is running. */
  #armedAt: number | null = null;
  #isInAlarm = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    hideFromLogs(() => secretValues(env));
    const { sql } = ctx.storage;
    migrate(ctx.storage);
    this.#meta = new Meta(sql, secureRandomBytes);
    this.#calls = new Calls(callsPerRun(variable(env, 'CALLS_PER_RUN')));
    this.#notifier = new Notifier({
      sql,
      policy: () => this.#policy(),
      secret: (name) => noticeSecret(env, name),
      fetch: (input, init) => {
        this.#calls.spend();
        return fetch(input, init);
      },
      mayCall: () => this.#calls.isAnyLeft,
      clock: Date.now,
    });
    this.#heartbeats = new Heartbeats(sql);
    this.#limits = new SourceLimits(sql);
    this.#guard = new StorageGuard(sql, maxStorageBytes(variable(env, 'OUTBOX_MAX_MIB')));
    this.#accepts = new GroupCommit({
      commit: (acceptances) => this.#commit(acceptances),
      flushed: () => ctx.storage.sync(),
      sizeOf: heldBytes,
      refused: ({ event }) => refusedReceipt(event.id, BUSY),
    });
    this.#dispatch = new Dispatch({
      sql,
      meta: this.#meta,
      policy: () => this.#policy(),
      calls: this.#calls,
      call: (message, timeoutMs) => callGateway(env, this.#account, message, timeoutMs),
      obstacle: () => {
        const credentials = readCredentials(env, this.#account);
        return credentials.ok ? null : credentials.error.join('; ');
      },
      flushed: () => ctx.storage.sync(),
      onRecorded: (recorded) => {
        this.#noticeRecorded(recorded);
        this.#live.changed(recorded.row, recorded.decision.state, recorded.attempt);
      },
      onExpired: (row) => {
        logMessage('message.expired', row, this.#origin);
        this.#live.changed(row, 'expired');
      },
      onClaimed: (row) => this.#live.changed(row, 'sending'),
      clock: Date.now,
      random: Math.random,
      // It only rejects when it is called off.
      sleep,
    });
    this.#live = new Live({
      sql,
      tag: this.#meta.tag,
      account: () => this.#account,
      watched: this.#meta,
      send: (batch) => {
        this.#calls.spend();
        return registry(env).report(batch);
      },
      clock: Date.now,
      later: (ms, work) => void setTimeout(work, ms),
    });
    this.#storageWatch = new StorageWatch({
      storage: ctx.storage,
      guard: this.#guard,
      sendingSeqs: () => this.#dispatch.sendingSeqs(),
      onSweep: () => this.#keepForSweep(),
      onChange: (kind, level) => {
        logStorage(kind, level, this.#origin);
        this.#notifier.add(storageNotice(kind, level, this.#account, Date.now()));
        this.#armFor(this.#notifier.nextAt());
        this.#tellOwner();
      },
      waitUntil: (work) => ctx.waitUntil(work),
      outbox: () => ctx.id.name ?? '',
    });
    this.#housekeeping = new Housekeeping({
      storage: ctx.storage,
      calls: this.#calls,
      pulse: new Pulse({
        heartbeats: this.#heartbeats,
        calls: this.#calls,
        name: () => ctx.id.name ?? '',
        account: () => this.#account,
        lastEvents: (sources) => this.lastEvents(sources),
        ask: (name, sources) => env.OUTBOX.getByName(name).lastEvents(sources),
        onChanges: (changes) => this.#noticePulses(changes),
        clock: () => Date.now(),
      }),
      isSending: (seq) => this.#dispatch.isSending(seq),
      retentionMs: (config) => policyIn(config, this.#name).retentionMs,
      onSweep: (config) => {
        this.#dispatch.counters.forgetSources((source) => config.sources.has(source));
        this.#limits.forgetSources((source) => config.sources.has(source));
        this.#keepForSweep();
      },
      onSwept: () => this.#storageWatch.look(),
      wakeRegistry: () => registry(env).wake(),
      isWaitedFor: () => this.#armedAt !== null && this.#armedAt <= Date.now(),
      outbox: () => ctx.id.name ?? '',
      clock: () => Date.now(),
    });
    const { last } = sql.exec<{ last: number | null }>('SELECT max(seq) AS last FROM messages').one();
    this.#nextSeq = Math.max(last ?? 0, this.#dispatch.cursor, lastSweptSeq(sql)) + 1;
    void ctx.blockConcurrencyWhile(async () => {
      this.#armedAt = await ctx.storage.getAlarm();
      // Not at once: what starts the object may be its alarm, which does not stand any more.
      setTimeout(() => this.#armLost(), ALARM_COMES_MS);
    });
  }

  /**
   * Takes an event over: dedupe claim, event, messages and wake-up in one synchronous block, so that all of it is
   * committed or none; calls that come at the same time share the commit. The answer comes when it is on disk.
   */
  accept(acceptance: Acceptance): Promise<Receipt> {
    return this.#accepts.add(acceptance);
  }

  /** Queues a message that no webhook asked for, and shows it; null: there is no space for it. */
  send(message: DraftMessage, configVersion: number): MessageView | null {
    if (this.#guard.level().state === 'full') return null;
    const context = this.#commitContext();
    const origin = { event: null, source: null, since: context.now, configVersion };
    const [id] = this.ctx.storage.transactionSync(() => insertMessages(context, [message], origin));
    this.#nextSeq += 1;
    this.#dispatch.counters.queued(null, 1);
    this.#keepCounters();
    this.#wake(context.now);
    this.#armLost(context.now + SWEEP_EACH_MS);
    this.#live.queued(context.nextSeq);
    return this.readMessage(id ?? '');
  }

  /** Never throws: the platform gives an alarm up after a few failures, and then nothing would be sent. */
  override async alarm(): Promise<void> {
    this.#armedAt = null;
    this.#isInAlarm = true;
    this.#calls.begin();
    this.#tellOwner();
    try {
      if (!this.#dispatch.running) await this.#run();
      const config = await this.#readConfig();
      await this.#housekeeping.run(config);
      this.#arm(config);
      await this.#reportHeld(config);
    } catch (thrown) {
      log('error', 'outbox.alarm.failed', { account: this.#account, error: describeError(thrown) });
      this.#armFor(Date.now() + ALARM_RETRY_MS);
    }
    this.#isInAlarm = false;
  }

  /** A run may take minutes, and silence must not be noticed so late. */
  async #run(): Promise<void> {
    const look = (): void => {
      if (this.#config !== null) this.ctx.waitUntil(this.#housekeeping.look(this.#config));
    };
    const looks = setInterval(look, PULSE_MS);
    await this.#dispatch.run().finally(() => clearInterval(looks));
  }

  /** The registry's regular look: has the alarm stand again if the platform gave it up, whatever this instance believes. */
  async look(): Promise<void> {
    const config = await this.#readConfig();
    const armedAt = await this.ctx.storage.getAlarm();
    if (this.#isInAlarm) return;
    this.#armedAt = armedAt;
    this.#housekeeping.remind();
    this.#arm(config);
  }

  listEvents(filter: read.EventFilter): read.Page<EventSummary> {
    return read.listEvents(this.#readContext, filter);
  }

  readEvent(id: string): StoredEvent | null {
    return read.readEvent(this.#readContext, id);
  }

  listMessages(filter: read.MessageFilter): read.Page<MessageView> {
    return read.listMessages(this.#readContext, filter);
  }

  readMessage(id: string): MessageView | null {
    return read.readMessage(this.#readContext, id);
  }

  /** Another attempt at a message that gave up or waits; see `operate.ts`. Null: there is no such message. */
  retry(id: string, by: string): Operated | null {
    return this.#operate(id, by, retryMessage, (row) => this.#live.changed(row, 'queued'));
  }

  /** Takes a message out of delivery. Null: there is no such message. */
  cancel(id: string, by: string): Operated | null {
    return this.#operate(id, by, cancelMessage, (row) => this.#noticeCancelled(row, by));
  }

  /** Cancels a bounded number of waiting messages behind the number `after`, or only counts them; see {@link cancelMessages}. */
  cancelAll(filter: CancelFilter, by: string, from: { after: number; isDryRun: boolean }): CancelStep {
    const context = this.#operateContext(by);
    const done = this.ctx.storage.transactionSync(() =>
      cancelMessages(context, filter, from, (row) => this.#noticeCancelled(row, by)),
    );
    if (done.cancelled === 0 || from.isDryRun) return done;
    this.#keepCounters();
    this.#wake(context.now);
    return done;
  }

  #noticeCancelled(row: MessageRow, by: string): void {
    this.#dispatch.counters.reached(row.source, 'cancelled');
    logMessage('message.cancelled', row, this.#origin, { by });
    this.#live.changed(row, 'cancelled');
  }

  /** Retries a bounded number of messages behind the number `after`; the answer says where to go on. */
  retryAll(filter: BulkFilter, by: string, after: number): BulkStep {
    const onRetried = (row: MessageRow): void => this.#live.changed(row, 'queued');
    const context = { ...this.#operateContext(by), onRetried };
    const done = this.ctx.storage.transactionSync(() => retryMessages(context, filter, after));
    if (done.retried === 0) return done;
    this.#dispatch.counters.keepNow();
    this.#keepCounters();
    this.#wake(context.now);
    return done;
  }

  /** An object that takes no new messages says what it still holds, so that it is looked into until that is nothing. */
  async #reportHeld(config: LoadedConfig): Promise<void> {
    const policy = policyIn(config, this.#name);
    const shard = shardIn(this.#name);
    if (shard < policy.shards) return;
    const known = placementOf(policy).left.find((one) => one.shard === shard);
    const was = known === undefined ? 'nothing' : known.waits ? 'waiting' : 'rows';
    const holds = this.#holds();
    if (holds === was) return;
    this.#calls.spend();
    await registry(this.env).reportHeld(this.#name, holds);
    if (was === 'waiting') this.#armFor(Date.now() + HELD_LOOK_MS);
  }

  #holds(): Holds {
    const isAny = (rows: string): boolean =>
      this.ctx.storage.sql.exec(`SELECT 1 FROM ${rows} LIMIT 1`).toArray().length > 0;
    const waiting = `messages WHERE next_at IS NOT NULL OR (seq > ${this.#dispatch.cursor} AND state = 'queued')`;
    if (this.#dispatch.sendingSeqs().length > 0 || isAny(waiting)) return 'waiting';
    return ['events', 'messages', 'dedupe_claims', 'notices'].some(isAny) ? 'rows' : 'nothing';
  }

  /** What was counted here, and how the queue stands. */
  metrics(): OutboxMetrics {
    const context = { ...this.#readContext, meta: this.#meta, now: Date.now() };
    return {
      totals: this.#dispatch.counters.totals,
      watched: this.#heartbeats.watched(),
      storage: this.#guard.level(),
      ...outboxGauges(context),
    };
  }

  /** When sources were heard of last by this object (ms). */
  lastEvents(sources: readonly string[]): readonly (number | null)[] {
    return sources.map((source) => this.#dispatch.counters.lastEventAt(source));
  }

  /** A publish changed the account's pace or heartbeats: what was published, and perhaps something to do now. */
  useConfig(published: string): void {
    const now = Date.now();
    this.#config = useConfig(this.env.CONFIG, parsePublished(published), now);
    this.#wake(now);
    if (!this.#isInAlarm) this.#armFor(this.#housekeeping.alarmAt(this.#config));
    if (shardIn(this.#name) >= policyIn(this.#config, this.#name).shards) this.#armFor(now + HELD_LOOK_MS);
  }

  /** Somebody looks at the live view: what happens here is told to it until nobody does. */
  watch(): void {
    this.#live.watch();
  }

  async status(): Promise<OutboxStatus> {
    const level = this.#guard.level();
    return outboxStatus(this.#readContext, { meta: this.#meta, level }, await this.#policy(), Date.now());
  }

  /**
   * Holds all messages back until {@link resume}. `by`: who asked. `isTold`: another object of the account has its
   * owner told already; the answer is the same for the next one.
   */
  pause(by: string, reason: string, isTold = false): boolean {
    return this.#changePause({ at: Date.now(), by, reason }, isTold);
  }

  /** Ends a pause, whoever made it, and has an open circuit probe at once; see {@link pause}. */
  resume(isTold = false): boolean {
    const now = Date.now();
    const { circuit } = this.#meta;
    if (circuit.probeAt !== null) this.#meta.circuit = { ...circuit, probeAt: now };
    const told = this.#changePause(null, isTold);
    this.#wake(now);
    return told;
  }

  #changePause(pause: Pause | null, isTold: boolean): boolean {
    const before = { pause: this.#meta.pause, circuit: this.#meta.circuit };
    this.#meta.pause = pause;
    // After a pause the first 403 is the first again.
    this.#meta.forbidden = null;
    if (!this.#noticeStanding(before, isTold)) return isTold;
    // The alarm is for the case that this object stops before the owner is told.
    this.#armFor(this.#notifier.nextAt());
    this.#tellOwner();
    return true;
  }

  /** Logs a change, notes what the owner must know of it unless that was done, and says whether it was anything. */
  #noticeStanding(before: Standing, isTold = false): boolean {
    const after = { pause: this.#meta.pause, circuit: this.#meta.circuit };
    const notices = standingNotices(before, after, this.#account, Date.now());
    for (const { kind } of notices) logStanding(kind, after, this.#origin);
    for (const notice of isTold ? [] : notices) this.#notifier.add(notice);
    return !isTold && notices.length > 0;
  }

  /** Beside whatever else goes on: a channel that hangs must not hold up an alarm, and with it the messages. */
  #tellOwner(): void {
    this.ctx.waitUntil(this.#notifier.run().then(() => this.#armFor(this.#notifier.nextAt())));
  }

  #noticeRecorded(recorded: Recorded): void {
    const { before, attempt, decision } = recorded;
    logAttempt(recorded, this.#origin);
    const account = this.#account;
    const about = { account, at: new Date().toISOString() };
    const swarm: Notice[] = [];
    if (decision.state === 'dead') swarm.push({ ...about, kind: 'message.dead', text: DEAD_TEXT(account) });
    if (attempt.outcome === 'redirected')
      swarm.push({ ...about, kind: 'gateway.redirected', text: REDIRECTED_TEXT(account) });
    const added = swarm.filter((notice) => this.#notifier.addFirstOfHour(notice));
    if (this.#noticeStanding(before) || added.length > 0) this.#tellOwner();
  }

  #noticePulses(changes: readonly PulseChange[]): void {
    for (const { notice, heartbeat, silentMs } of changes) {
      logPulse(notice.kind, heartbeat, silentMs, this.#origin);
      this.#notifier.add(notice);
    }
    this.#armFor(this.#notifier.nextAt());
    this.#tellOwner();
  }

  #operate(
    id: string,
    by: string,
    action: typeof retryMessage,
    onDone: (row: MessageRow) => void = () => undefined,
  ): Operated | null {
    const seq = messageSeq(id, this.#meta.tag);
    const row = seq === null ? null : read.messageRow(this.#readContext, seq);
    if (row === null) return null;
    const context = this.#operateContext(by);
    const done = action(context, row);
    if (!done.ok) return { refusal: done.error };
    onDone(row);
    // What the last attempt came to cannot be read from the row any more.
    this.#dispatch.counters.keepNow();
    this.#keepCounters();
    this.#wake(context.now);
    return { refusal: null };
  }

  #operateContext(by: string): OperateContext {
    const { sql } = this.ctx.storage;
    return { sql, now: Date.now(), by, isSending: (seq) => this.#dispatch.isSending(seq) };
  }

  /** Writes a group of acceptances in one commit; all or none. */
  #commit(acceptances: readonly Acceptance[]): readonly Receipt[] {
    const { sql } = this.ctx.storage;
    const { tag } = this.#meta;
    const now = Date.now();
    let nextSeq = this.#nextSeq;
    let room = this.#guard.room();
    const answered = this.#limits.within(() =>
      this.ctx.storage.transactionSync(() =>
        acceptances.map((acceptance) => {
          const context = { sql, tag, now, nextSeq };
          const refusal = refusalOf(context, { limits: this.#limits, room }, acceptance);
          if (refusal !== null) return refusedReceipt(acceptance.event.id, refusal);
          const one = commitAcceptance(context, acceptance);
          // It is another object's.
          if (one.receipt.keeper !== undefined) return one.receipt;
          room -= storedBytes(acceptance);
          countAdmitted(this.#limits, acceptance, one, now);
          nextSeq += one.queued;
          return { acceptance, ...one };
        }),
      ),
    );
    const taken = answered.filter((one) => 'acceptance' in one);
    const accepted = taken.map(({ acceptance }) => acceptance);
    const firstSeq = this.#nextSeq;
    // Before anything else: were a number given twice because the live view threw, messages would be lost.
    this.#nextSeq = nextSeq;
    if (nextSeq > firstSeq) this.#wake(now);
    this.#armLost(now + SWEEP_EACH_MS);
    this.#count(accepted, taken, now);
    this.#storageWatch.look();
    this.#live.accepted(accepted, taken, firstSeq);
    return answered.map((one) => ('acceptance' in one ? one.receipt : one));
  }

  /** Before rows are deleted: they are what counters are found in again. */
  #keepForSweep(): void {
    if (this.#dispatch.counters.isChanged) this.#dispatch.counters.keepNow();
    this.#keepCounters();
  }

  /** Takes a webhook into account whose event another object of the account keeps; else says why it is not taken. */
  admit(source: string, quota: Quota): Refusal | null {
    const now = Date.now();
    return this.#limits.within(() =>
      this.ctx.storage.transactionSync(() => {
        const over = this.#limits.over(source, quota, now);
        if (over === null) this.#limits.take(source, quota, now);
        return over;
      }),
    );
  }

  #count(acceptances: readonly Acceptance[], committed: readonly Committed[], now: number): void {
    const { counters } = this.#dispatch;
    for (const [index, { receipt, isNew, queued }] of committed.entries()) {
      const event = acceptances[index]?.event;
      if (event === undefined) continue;
      if (receipt.duplicate && event.isHome) counters.duplicate(event.source, now);
      // It is back.
      if (this.#heartbeats.isSilent(event.source)) this.#armFor(now);
      if (!isNew) continue;
      counters.event(event);
      counters.queued(event.source, queued);
      // Nothing but the event's row tells of it, and nobody could find that in time.
      if (queued === 0) counters.keepNow();
    }
    this.#keepCounters();
  }

  /** Part of the commit that changed what they count. */
  #keepCounters(): void {
    this.#dispatch.counters.countedTo(this.#nextSeq);
    this.#dispatch.keepCounters();
  }

  /** Arms the alarm for whatever is next: a message, a notice, or housekeeping. */
  #arm(config: LoadedConfig): void {
    this.#armFor(this.#dispatch.nextRunAt(policyIn(config, this.#name)));
    this.#armFor(this.#notifier.nextAt());
    this.#armFor(this.#housekeeping.alarmAt(config));
  }

  /** What is held or watched has an alarm, always: the alarm itself finds out for when it is needed. */
  #armLost(at = Date.now()): void {
    if (this.#armedAt !== null || this.#isInAlarm) return;
    const isNeeded =
      isAnythingStored(this.ctx.storage.sql) ||
      this.#notifier.nextAt() !== null ||
      this.#heartbeats.isWatching;
    if (isNeeded) this.#armFor(at);
  }

  get #name(): string {
    const { name } = this.ctx.id;
    if (name === undefined) throw new Error('an outbox is only ever reached by its account’s name');
    return name;
  }

  get #account(): string {
    return accountOf(this.#name);
  }

  /** Where a log line comes from. */
  get #origin(): Origin {
    return { account: this.#account, outbox: this.ctx.id.name ?? '', tag: this.#meta.tag };
  }

  get #readContext(): read.ReadContext {
    return {
      sql: this.ctx.storage.sql,
      tag: this.#meta.tag,
      account: this.#account,
      dispatch: this.#dispatch,
    };
  }

  #commitContext(): CommitContext {
    return { sql: this.ctx.storage.sql, tag: this.#meta.tag, now: Date.now(), nextSeq: this.#nextSeq };
  }

  async #policy(): Promise<AccountPolicy> {
    return policyIn(await this.#readConfig(), this.#name);
  }

  async #readConfig(): Promise<LoadedConfig> {
    this.#config = await loadConfig(this.env, Date.now(), () => this.#calls.spend());
    return this.#config;
  }

  /**
   * There may be more to send: tells the run under way, or arms the alarm for when something can be done. The alarm of a
   * run stands until the run has ended, and comes again if the object stops before.
   */
  #wake(now: number): void {
    this.#dispatch.dueAt(now);
    const policy = this.#config === null ? null : policyIn(this.#config, this.#name);
    if (this.#dispatch.running) this.#dispatch.notify();
    else if (policy === null) this.#armFor(now);
    // What came in cannot go earlier than pace and circuit allow, and for then the alarm may stand already.
    else if (this.#armedAt === null || this.#armedAt > this.#dispatch.opensAt(policy, now))
      this.#armFor(this.#dispatch.nextRunAt(policy));
  }

  /** Only ever moves the alarm to an earlier time: each `setAlarm` is a row written. */
  #armFor(at: number | null): void {
    if (at === null || (this.#armedAt !== null && this.#armedAt <= at)) return;
    this.#armedAt = at;
    // Not awaited: the write is part of the surrounding commit, which the platform's output gate waits for.
    void this.ctx.storage.setAlarm(at);
  }
}
