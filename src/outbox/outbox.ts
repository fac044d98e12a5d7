import type { AccountPolicy, LoadedConfig } from '../config/compiled/config.ts';
import { ALARM_COMES_MS } from '../lib/alarm.ts';
import { logFor } from '../lib/log.ts';
import { placed } from '../lib/placed.ts';
import { openStore } from '../lib/store.ts';
import type { IncidentParts } from './incidents/entries.ts';
import { changeIncidents, type ChangeByHand } from './incidents-by-hand.ts';
import type { CancelFilter, CancelStep } from './operate/cancel-many.ts';
import type { BulkFilter, BulkFrom, BulkStep } from './operate/operate.ts';
import type { RefusedNotice } from './notify/refused.ts';
import { cancelMany, operate, pauseAccount, resumeAccount, retryMany, type Operated } from './operations.ts';
import { createParts, type OutboxParts } from './parts.ts';
import { pressLink, takeBack, type LinkView, type Undo } from './pressing.ts';
import { ReadableOutbox } from './readable-outbox.ts';
import { lookForRemoval, reportRemoval } from './removal.ts';
import type { MessageView } from './answers/api-message.ts';
import type { Acceptance, DraftMessage, Receipt } from './state/acceptance.ts';
import type { EndedElsewhere, Handed, HandOnAnswer } from './state/fallback.ts';
import { messageSeq } from './state/message.ts';
import { OUTBOX_STORE } from './state/schema.ts';

/** The interval of checks for heartbeats during a long run. */
const SILENCE_LOOK_MS = 60_000;

/**
 * The outbox of one account: accepts events durably, and sends their messages. The object has the account's name. Its
 * rows are authoritative. A commit or the alarm starts sending. This file has the calls that change something, and the
 * alarm; `readable-outbox.ts` has those that only read, and `parts.ts` makes the parts that they use.
 */
export class Outbox extends ReadableOutbox {
  protected override readonly parts: OutboxParts;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, placed(env));
    logFor(env);
    openStore(ctx.storage, OUTBOX_STORE);
    this.parts = createParts(ctx, this.env);
    const { alarm, incidents, loop, schedule } = this.parts;
    void ctx.blockConcurrencyWhile(async () => {
      await alarm.read();
      // Not at once: the object may have been started by its alarm, which is not pending any more.
      setTimeout(() => {
        incidents.lookAtAll();
        loop.resume();
        schedule.armLost();
      }, ALARM_COMES_MS);
    });
  }

  /**
   * Accepts an event: dedupe row, event, messages and alarm in one synchronous block, so that all of it is committed
   * or none; concurrent calls share the commit. Resolves when it is on disk. `policy`: the account's, as the caller has
   * read it; absent: this object reads its own.
   */
  accept(acceptance: Acceptance, policy?: AccountPolicy): Promise<Receipt> {
    this.parts.config.offer(policy, Date.now(), acceptance.publicUrl);
    return this.parts.loop.accept(acceptance);
  }

  /** Queues a message that was sent by hand, and returns it; null if there is no space for it. */
  async send(message: DraftMessage, configVersion: number): Promise<MessageView | null> {
    const { loop, messages } = this.parts;
    const id = loop.now(() => messages.send(message, configVersion));
    return id === null ? null : await this.readMessage(id);
  }

  /**
   * Another account gives fallbacks to this one; see {@link OtherAccounts}. Each is taken once, however often it comes.
   */
  async takeHanded(handed: readonly Handed[]): Promise<readonly HandOnAnswer[]> {
    const { account, config, loop, others } = this.parts;
    const { accounts } = await config.read();
    const isGone = accounts.get(account())?.isRemoved ?? true;
    return loop.now(() => others.take(handed, isGone));
  }

  /** Another account reports how fallbacks of this account's messages ended. */
  endedElsewhere(ended: readonly EndedElsewhere[]): void {
    const { loop, others } = this.parts;
    loop.now(() => others.endedElsewhere(ended));
  }

  /** Never throws: the platform gives up an alarm after a few failures, and then nothing would be sent. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    const {
      alarm,
      calls,
      owner,
      config,
      housekeeping,
      incidents,
      loop,
      onFault,
      others,
      schedule,
      sendEscapes,
    } = this.parts;
    alarm.begin(info?.scheduledTime);
    // A run that a commit has started continues, and the calls made here count towards it.
    if (!loop.running) calls.begin();
    try {
      owner.send();
      others.send(loop.late);
      sendEscapes(loop.late);
      incidents.ask();
      if (loop.running) loop.wake();
      const run = loop.running ? Promise.resolve() : this.#run();
      // Housekeeping does not wait until a fault of sending is over.
      await Promise.allSettled([run]);
      const loaded = await config.read();
      sendCanary(this.parts, loaded);
      await housekeeping.run(loaded);
      await run;
      schedule.arm(loaded, loop.running);
      await reportRemoval(this.parts, loaded);
    } catch (thrown) {
      onFault(thrown);
    }
    alarm.end();
  }

  /** Heartbeats are checked during the run as well: it may take minutes. */
  async #run(): Promise<void> {
    const { loop, config, housekeeping } = this.parts;
    const look = (): void => {
      if (config.known !== null) this.ctx.waitUntil(housekeeping.look(config.known));
    };
    const looks = setInterval(look, SILENCE_LOOK_MS);
    await loop.run().finally(() => clearInterval(looks));
  }

  /**
   * The registry calls this regularly. Asks the platform whether the alarm is still set, and sets it again if it was
   * lost.
   */
  async look(): Promise<void> {
    const { alarm, config, housekeeping, loop, schedule } = this.parts;
    const loaded = await config.read();
    await alarm.read();
    if (alarm.isRunning) return;
    housekeeping.remind();
    schedule.arm(loaded, loop.running);
    lookForRemoval(this.parts, loaded);
  }

  /** A webhook of a source was refused before it became an event: its owner is notified, once an hour. */
  refused(notice: RefusedNotice): void {
    this.parts.owner.refused(notice);
  }

  /** See {@link changeIncidents}. */
  async changeIncidents(
    change: ChangeByHand,
    of: { readonly names: readonly IncidentParts[]; readonly by: string; readonly isDryRun: boolean },
  ): Promise<readonly (boolean | null)[]> {
    return changeIncidents(this.parts, change, { ...of, config: await this.parts.config.read() });
  }

  /** See {@link pressLink}. */
  pressLink(token: string): LinkView | null {
    return pressLink(this.parts, token);
  }

  /** See {@link takeBack}. */
  takeBack(token: string, by: string): Undo | null {
    return takeBack(this.parts, token, by);
  }

  /** The link of a canary was pressed. */
  answerCanary(message: string): void {
    const { canary, clock, loop, tag } = this.parts;
    loop.now(() => canary.answer(messageSeq(message, tag) ?? 0, clock()));
  }

  /** See {@link operate}. */
  retry(id: string, by: string): Operated | null {
    return operate(this.parts, 'retry', id, by);
  }

  cancel(id: string, by: string): Operated | null {
    return operate(this.parts, 'cancel', id, by);
  }

  retryAll(filter: BulkFilter, by: string, from: BulkFrom): BulkStep {
    return retryMany(this.parts, filter, by, from);
  }

  cancelAll(filter: CancelFilter, by: string, from: BulkFrom): CancelStep {
    return cancelMany(this.parts, filter, by, from);
  }

  /** Puts a new configuration into use: a publish changed the account's pace or heartbeats. */
  async useConfig(published: string): Promise<void> {
    const { alarm, canary, claims, config, escapes, housekeeping, inForce, incidents, loop } = this.parts;
    const loaded = await config.use(published);
    loop.now(() => {
      // KV may have it in some seconds only, and this object may start again before.
      inForce.expect(loaded.activation);
      claims.queue.changed(Date.now());
      escapes.watchAll();
      incidents.lookAtAll();
    });
    if (!alarm.isRunning) alarm.bringForward(housekeeping.alarmAt(loaded));
    alarm.bringForward(canary.nextAt(config.policyIn(loaded).canary));
    lookForRemoval(this.parts, loaded);
  }

  /** Somebody watches the tail: what happens here is reported to it until nobody watches. */
  watch(): void {
    this.parts.tail.watch();
  }

  pause(by: string, reason: string): void {
    pauseAccount(this.parts, by, reason);
  }

  resume(): void {
    resumeAccount(this.parts);
  }
}

/** Sends the canary if it is due, and reports the last one if nobody has pressed its link in time. */
function sendCanary(parts: OutboxParts, loaded: LoadedConfig): void {
  const { canary, clock, config, loop, messages, owner } = parts;
  const policy = config.policyIn(loaded).canary;
  const now = clock();
  if ((canary.nextAt(policy) ?? Infinity) > now) return;
  const origin = { event: null, source: null, since: now, configVersion: loaded.version };
  loop.late(() =>
    canary.look(policy, now, {
      queue: (draft) => messages.queue({ drafts: [draft], origin }),
      unanswered: (seq, sentAt) => owner.unanswered(seq, sentAt),
    }),
  );
}
