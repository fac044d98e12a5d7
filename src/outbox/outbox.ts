import { DurableObject } from 'cloudflare:workers';
import { compileSilence } from '../config/compiled/silences.ts';
import type { LoadedConfig } from '../config/compiled/config.ts';
import type { SilenceDocument } from '../config/documents/alerting-schema.ts';
import { registry } from '../config/load.ts';
import type { Series } from '../counts/series.ts';
import { ALARM_COMES_MS, ALARM_LATE_MS } from '../lib/alarm.ts';
import { logFor } from '../lib/log.ts';
import { placed } from '../lib/bindings.ts';
import { openStore } from '../lib/store.ts';
import { HOUR, iso } from '../lib/time.ts';
import { inTime } from '../lib/wait.ts';
import type { MessageView } from '../answers/api-message.ts';
import type { OutboxStatus } from '../answers/api-status.ts';
import { isEmpty } from './housekeeping.ts';
import type { IncidentParts } from './incidents/entries.ts';
import { placeOf } from './incidents/store.ts';
import { countPress, readLink, type LinkContext, type LinkView, takeBack } from './links/read-link.ts';
import * as operate from './operate.ts';
import type { RefusedNotice } from './owner.ts';
import { createParts, type OutboxParts } from './parts.ts';
import * as events from './read/events.ts';
import { outboxGauges, type OutboxMetrics, outboxStatus } from './read/status.ts';
import * as list from './read/incidents.ts';
import * as read from './read/read.ts';
import { unknownFields } from './read/unknown-fields.ts';
import type { Acceptance, DraftMessage, IncidentChange, Receipt } from './state/acceptance.ts';
import type { EndedElsewhere, Handed, HandOnAnswer } from './state/fallback.ts';
import { mayHaveArrived, messageId, messageRow, messageSeq } from './state/message.ts';
import { expectActivation, type Pause } from './state/meta.ts';
import { OUTBOX_STORE } from './state/schema.ts';
import type { Tail } from './tail.ts';

/** The interval of checks for heartbeats during a long run. */
const SILENCE_LOOK_MS = 60_000;

/** After a publish, an outbox looks this much later whether its account was removed and holds nothing (ms). */
const REMOVAL_LOOK_MS = 150_000;

/** The time for which an alarm waits for the registry: meanwhile nothing that comes in is sent (ms). */
const ASK_MS = 5_000;

export interface Operated {
  /** Why nothing was done; null if it was done. */
  readonly refusal: string | null;
}

export interface Undo {
  readonly event: string;
  /** The receivers who got or may have got its messages. */
  readonly heard: readonly string[];
}

/** The outbox of one account, whose name it has. Its rows are authoritative. First the calls that change something. */
export class Outbox extends DurableObject<Env> {
  readonly #parts: OutboxParts;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, placed(env));
    logFor(env);
    openStore(ctx.storage, OUTBOX_STORE);
    this.#parts = createParts(ctx, this.env);
    const { alarm, clock, incidents, loop } = this.#parts;
    void ctx.blockConcurrencyWhile(async () => {
      await alarm.read();
      // Not at once: the object may have been started by its alarm, which is not pending any more.
      setTimeout(() => {
        alarm.renew(ALARM_COMES_MS);
        incidents.lookAtAll();
        loop.resume();
        loop.armLost(clock());
      }, ALARM_COMES_MS);
    });
  }

  /** All or nothing, shared by concurrent calls; resolves when on disk. `policy`: JSON, if the caller has read it. */
  accept(acceptance: Acceptance, policy?: string): Promise<Receipt> {
    const { clock, config, loop } = this.#parts;
    config.offer(policy, acceptance.event.activation, clock(), acceptance.publicUrl);
    return loop.accept(acceptance);
  }

  /** Queues a message that was sent by hand, and returns it; null if there is no space for it. */
  async send(message: DraftMessage, configVersion: number): Promise<MessageView | null> {
    const { clock, loop, messages, tag } = this.#parts;
    const origin = { event: null, source: null, since: clock(), configVersion };
    const seq = loop.now(() => messages.queue({ drafts: [message], origin }));
    return seq === null ? null : await this.readMessage(messageId(seq, tag));
  }

  /** Another account gives fallbacks to this one. Each is taken once, however often it comes. */
  async takeHanded(handed: readonly Handed[]): Promise<readonly HandOnAnswer[]> {
    const { account, config, loop, others } = this.#parts;
    const { accounts } = await config.read();
    const isGone = accounts.get(account())?.isRemoved ?? true;
    return loop.now(() => others.take(handed, isGone));
  }

  endedElsewhere(ended: readonly EndedElsewhere[]): void {
    const { loop, others } = this.#parts;
    loop.now(() => others.endedElsewhere(ended));
  }

  /** Never throws: the platform gives up an alarm after a few failures, and then nothing would be sent. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    const { alarm, calls, config, escapes, housekeeping, incidents, loop, others, owner } = this.#parts;
    alarm.begin(info?.scheduledTime);
    // A run that a commit has started continues, and the calls made here count towards it.
    if (!loop.running) calls.begin();
    try {
      owner.send();
      others.send(loop.late);
      escapes.send(loop.late, incidents);
      incidents.ask();
      if (loop.running) loop.wake();
      const run = loop.running ? Promise.resolve() : this.#run();
      // Housekeeping does not wait until a fault of sending is over.
      await Promise.allSettled([run]);
      const loaded = await config.read();
      sendCanary(this.#parts, loaded);
      await housekeeping.run(loaded);
      await run;
      loop.arm(loaded);
      await this.#reportRemoval(loaded);
    } catch (thrown) {
      loop.failed(thrown);
    }
    alarm.end();
  }

  /** Heartbeats are checked during the run as well: it may take minutes. */
  async #run(): Promise<void> {
    const { loop, config, housekeeping } = this.#parts;
    const look = (): void => {
      if (config.known !== null) this.ctx.waitUntil(housekeeping.look(config.known));
    };
    const looks = setInterval(look, SILENCE_LOOK_MS);
    await loop.run().finally(() => clearInterval(looks));
  }

  /** The registry calls this regularly: an alarm that was lost is set again. */
  async look(): Promise<void> {
    const { alarm, config, housekeeping, loop } = this.#parts;
    const loaded = await config.read();
    await alarm.read();
    alarm.renew(ALARM_LATE_MS);
    if (alarm.isRunning) return;
    housekeeping.remind();
    loop.arm(loaded);
    this.#lookForRemoval(loaded);
  }

  refused({ kind, source, detail }: RefusedNotice): void {
    this.#parts.owner.first([kind, source, detail], HOUR, source);
  }

  async changeIncidents(change: IncidentChange['change'], of: operate.Changed) {
    return operate.changeIncidents(this.#parts, change, of, await this.#parts.config.read());
  }

  pressLink(token: string): LinkView | null {
    return this.#parts.loop.now(() => countPress(this.#links(), token));
  }

  /** Takes back a press, and its messages that were not sent yet; may be repeated. Null if it cannot be taken back. */
  takeBack(token: string, by: string): Undo | null {
    const { incidents, loop, sql, tag } = this.#parts;
    const taken = loop.now(() => {
      const done = takeBack(this.#links(), token);
      if (done?.view.link.id !== 'ack' || done.isRepeat) return done;
      const { source, route } = done.view;
      for (const { key } of done.view.incidents) incidents.change({ source, route, key }, 'given back', by);
      return done;
    });
    if (taken === null) return null;
    const heard = taken.seqs.flatMap((seq) => {
      this.cancel(messageId(seq, tag), by);
      const row = messageRow({ sql }, seq);
      return row === null || (row.state === 'cancelled' && !mayHaveArrived(row)) ? [] : (row.phone ?? []);
    });
    return { event: taken.event, heard };
  }

  #links(): LinkContext {
    const { canary, clock, links, read: reading } = this.#parts;
    return { ...reading(), links, canary, now: clock() };
  }

  answerCanary(message: string): void {
    const { canary, clock, loop, tag } = this.#parts;
    loop.now(() => canary.answer(messageSeq(message, tag) ?? 0, clock()));
  }

  /** `by`: who asked. Null: there is no such message. */
  retry(id: string, by: string): Operated | null {
    return this.#operate(operate.retryMessage, id, by);
  }

  cancel(id: string, by: string): Operated | null {
    return this.#operate(operate.cancelMessage, id, by);
  }

  #operate(act: operate.Act, id: string, by: string): Operated | null {
    const parts = this.#parts;
    const row = messageRow(parts, messageSeq(id, parts.tag) ?? 0);
    if (row === null) return null;
    const done = this.#changed(() => act(parts, row, by));
    return { refusal: done.ok ? null : done.error };
  }

  /** A bounded number of messages; the answer says where the next call continues. */
  retryAll(filter: operate.BulkFilter, by: string, from: operate.BulkFrom): operate.BulkStep {
    return this.#changed(() => operate.retryMessages(this.#parts, filter, by, from), from.isDryRun);
  }

  cancelAll(filter: operate.CancelFilter, by: string, from: operate.BulkFrom): operate.CancelStep {
    return this.#changed(() => operate.cancelMessages(this.#parts, filter, by, from), from.isDryRun);
  }

  /** Makes a change of rows that the queue may have read. `isDryRun`: it changes nothing. */
  #changed<Done>(change: () => Done, isDryRun = false): Done {
    const { claims, clock, loop } = this.#parts;
    if (isDryRun) return change();
    return loop.now(() => {
      const done = change();
      claims.queue.changed(clock());
      return done;
    });
  }

  async useConfig(published: string): Promise<void> {
    const { alarm, canary, claims, clock, config, escapes, housekeeping, incidents, loop, sql } = this.#parts;
    const loaded = await config.use(published);
    loop.now(() => {
      // KV may have it in some seconds only, and this object may start again before.
      expectActivation(sql, loaded.activation);
      claims.queue.changed(clock());
      escapes.watchAll();
      incidents.lookAtAll();
    });
    if (!alarm.isRunning) alarm.bringForward(housekeeping.alarmAt(loaded));
    alarm.bringForward(canary.nextAt(config.policyIn(loaded).canary));
    this.#lookForRemoval(loaded);
  }

  /** Holds back all messages of the account until {@link resume}. `by`: who asked. */
  pause(by: string): void {
    this.#setPause({ at: this.#parts.clock(), by, code: 'paused', params: { by } });
  }

  /** Ends any pause, and lets an open circuit probe at once. */
  resume(): void {
    const { clock, meta } = this.#parts;
    this.#changed(() => {
      if (meta.circuit.probeAt !== null) meta.circuit = { ...meta.circuit, probeAt: clock() };
      this.#setPause(null);
    });
  }

  #setPause(pause: Pause | null): void {
    const { meta, owner } = this.#parts;
    const before = { pause: meta.pause, circuit: meta.circuit };
    meta.pause = pause;
    // After a pause, 403s are counted from the first again.
    meta.forbidden = null;
    owner.changed(before);
  }

  /** The account may have been removed: an outbox that holds nothing has no other alarm that would say so. */
  #lookForRemoval(loaded: LoadedConfig): void {
    const { alarm, clock, config } = this.#parts;
    if (config.policyIn(loaded).isRemoved) alarm.bringForward(clock() + REMOVAL_LOOK_MS);
  }

  /** Once the outbox of a removed account stores nothing more, the registry forgets the account; lists read it until then. */
  async #reportRemoval(loaded: LoadedConfig): Promise<void> {
    const { account, calls, config, sql } = this.#parts;
    if (!config.policyIn(loaded).isRemoved || !isEmpty(sql)) return;
    calls.spend();
    const asked = registry(this.env).forgetAccount(account());
    if (!(await inTime(ASK_MS, asked, 'the registry did not answer in time'))) this.#lookForRemoval(loaded);
  }

  listEvents(filter: events.EventFilter) {
    return events.listEvents(this.#parts.read(), filter);
  }

  async readEvent(id: string): Promise<events.StoredEvent | null> {
    return events.readEvent(await this.#reading(), id);
  }

  handedOn(event: string, taken: readonly string[] | undefined) {
    return read.handedOn(this.#parts.read(), event, taken);
  }

  async listMessages(filter: read.MessageFilter): Promise<read.Page<MessageView>> {
    return read.listMessages(await this.#reading(), filter);
  }

  async readMessage(id: string): Promise<MessageView | null> {
    return read.readMessage(await this.#reading(), id);
  }

  /** Includes what messages wait for, which depends on the account's policy; left out if that cannot be read. */
  async #reading(): Promise<read.ReadContext> {
    const { clock, config, read: reading, timing } = this.#parts;
    const policy = config.last ?? (await config.policy().catch(() => null));
    const now = clock();
    return { ...reading(), ...(policy !== null && { waitOf: (row) => timing.waitOf(row, policy, now) }) };
  }

  async listIncidents(filter: list.IncidentFilter): Promise<read.Page<list.PlacedIncident>> {
    return list.listIncidents(await this.#readingOpen(), filter);
  }

  findIncidents(ids: readonly string[]): readonly (IncidentParts | null)[] {
    return ids.map((id) => placeOf(this.#parts.sql, id));
  }

  /** See {@link list.readIncidents}. If it is called for the incidents alone, each has the silence that matches it now. */
  async readIncidents(
    incidents: readonly IncidentParts[],
    options: { readonly limit: number; readonly isWhole: boolean },
  ): Promise<readonly list.IncidentView[]> {
    const { config, ...context } = await this.#readingOpen();
    const views = list.readIncidents({ ...this.#parts.read(), config }, incidents, options);
    if (config === null || !options.isWhole) return views;
    return views.map((view) => withSilence(view, { ...context, config }));
  }

  async summarizeIncidents(): Promise<readonly list.OpenOfSource[]> {
    return list.openSummary(await this.#readingOpen());
  }

  /** What a silence would match now, and which of its fields nobody has. Null if its condition is wrong. */
  async lookAtSilence(document: Pick<SilenceDocument, 'of' | 'when'>) {
    const silence = compileSilence('', document, () => undefined);
    if (silence === null) return null;
    const reading = await this.#readingOpen();
    const fields = unknownFields(reading.sql, reading.config, silence.when);
    return { ...list.matching(reading, silence), fields };
  }

  /** `config` is null if it cannot be read now. */
  async #readingOpen(): Promise<list.SummaryContext> {
    const { clock, config, incidents, sql } = this.#parts;
    const loaded = config.known ?? (await config.read().catch(() => null));
    return { sql, open: incidents.open, config: loaded, now: clock() };
  }

  readLink(token: string): LinkView | null {
    return readLink(this.#links(), token);
  }

  eventReceivers(ids: readonly string[]) {
    return events.eventReceivers(this.#parts.sql, ids);
  }

  replaysOf(ids: readonly string[]) {
    return events.replaysOf(this.#parts.sql, ids);
  }

  /** Returns what changed after a time (ms); see {@link Tail.read}. */
  changes(since: number): ReturnType<Tail['read']> {
    return this.#parts.tail.read(since);
  }

  metrics(): OutboxMetrics {
    const { claims, clock, disk, heartbeats, incidents, meta, read: reading } = this.#parts;
    return {
      totals: claims.totals(),
      watched: heartbeats.watched(),
      storage: disk.measure(),
      incidents: { open: incidents.open.open, waiting: incidents.open.waiting },
      ...outboxGauges({ ...reading(), meta, now: clock() }),
    };
  }

  /** Returns counts over time (ms), of one source or all. `from`: the time since which everything was counted. */
  series(...of: Parameters<Series['read']>) {
    const { series } = this.#parts.claims;
    return { from: series.from, points: series.read(...of) };
  }

  async status(): Promise<OutboxStatus> {
    const { canary, clock, config, disk, escapes, incidents, meta, read: reading } = this.#parts;
    const policy = await config.policy();
    const facts = { meta, level: disk.measure(), incidents: incidents.open, escapes, canary };
    return outboxStatus(reading(), facts, policy, clock());
  }
}

function sendCanary(parts: OutboxParts, loaded: LoadedConfig): void {
  const { canary, clock, config, loop, messages, owner } = parts;
  const policy = config.policyIn(loaded).canary;
  const now = clock();
  if ((canary.nextAt(policy) ?? Infinity) > now) return;
  const origin = { event: null, source: null, since: now, configVersion: loaded.version };
  const queue = (draft: DraftMessage): number | null => messages.queue({ drafts: [draft], origin });
  loop.late(() =>
    canary.look(policy, now, queue, (sentAt, seq) => {
      for (const by of [seq, undefined]) owner.tell(['canary.unanswered', iso(sentAt)], by);
    }),
  );
}

/** A receiver who was notified is looked at again only when a repeat is due, but a silence counts at once. */
function withSilence(
  view: list.IncidentView,
  context: list.SummaryContext & { readonly config: LoadedConfig },
): list.IncidentView {
  const { incident, receiver } = view;
  const entry = context.open.get({ ...incident, phone: receiver.phone ?? '' });
  if (entry === null || entry.incident.resolvedAt !== null || receiver.silence !== undefined) return view;
  const silence = list.silenceOf(context, context.config.silences, entry);
  return silence === null ? view : { ...view, receiver: { ...receiver, silence } };
}
