import { earliest } from '../lib/earliest.ts';
import { DurableObject } from 'cloudflare:workers';
import { lazyConfig } from '../config/lazy-config.ts';
import type { ByHandDocument } from '../config/alerting-schema.ts';
import type { Totals } from '../counts/counts.ts';
import type { Point } from '../counts/series.ts';
import { Alarm, ALARM_COMES_MS } from '../lib/alarm.ts';
import { hideFromLogs } from '../lib/log.ts';
import { openStore } from '../lib/store.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import type { Result } from '../lib/result.ts';
import type { FieldError } from '../lib/problem.ts';
import { secretValues, variable } from '../lib/secret.ts';
import { callEach, type Called, type OutboxCall } from '../outbox/many-outboxes.ts';
import { outboxNames } from '../outbox/outboxes.ts';
import type { TailBatch } from '../outbox/tail/frame.ts';
import type { Change } from './change.ts';
import { KvCopy } from './kv-copy.ts';
import { Managed, type Keeping, type Mark } from './managed.ts';
import { Pairings, type Captured, type Offer, type Pairing, type Taking } from './pairing.ts';
import type { Precondition } from './precondition.ts';
import { inForce, publishedInForce, Publishing, type PublishedSilence } from './publishing.ts';
import type { PublishReceipt, PublishRefusal } from './published.ts';
import { RemovedAccounts } from './removed-accounts.ts';
import { REGISTRY_STORE } from './schema.ts';
import { Sessions, type NewSession, type StoredSession } from './sessions.ts';
import { StoredSilences, type SilenceByHand } from './silences.ts';
import {
  REJECTED,
  Rejections,
  type LimitedEntry,
  type NumberedRejection,
  type RejectionEntry,
} from './rejections.ts';
import { outboxesPerRun, Rounds } from './rounds.ts';
import { readWatcher, TailHub } from './tail-hub.ts';
import { Versions, type VersionInfo } from './versions.ts';
import { watchOutboxes } from './watch-outboxes.ts';

/**
 * The object that a deployment has one of. It keeps the configuration's versions, the recent rejections, the pairing
 * windows, sessions and the sockets of the tail, and it restores alarms that outboxes have lost. KV has no compare-and-set and is
 * eventually consistent, so of two publishes at once one could be lost; here they queue up. KV gets a copy.
 */
export class Registry extends DurableObject<Env> {
  readonly #alarm: Alarm;
  readonly #versions: Versions;
  readonly #copy: KvCopy;
  readonly #removed: RemovedAccounts;
  readonly #silences: StoredSilences;
  readonly #managed: Managed;
  readonly #pairings: Pairings;
  readonly #sessions: Sessions;
  readonly #rejections: Rejections;
  readonly #tail: TailHub;
  readonly #rounds: Rounds;
  readonly #publishing: Publishing;
  readonly #published: () => string | null;
  /** When the copy to KV continues (ms); null: KV has everything, or nothing was tried since the object started. */
  #copyAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    hideFromLogs(() => secretValues(env));
    openStore(ctx.storage, REGISTRY_STORE);
    const { sql } = ctx.storage;
    this.#alarm = new Alarm(ctx.storage);
    this.#versions = new Versions(sql);
    this.#removed = new RemovedAccounts(sql);
    this.#silences = new StoredSilences(sql);
    this.#managed = new Managed(sql);
    const beside = { versions: this.#versions, removed: this.#removed, silences: this.#silences };
    this.#published = () => publishedInForce(beside);
    this.#rejections = new Rejections(sql);
    this.#sessions = new Sessions(sql, (id) => this.#tail.end(id));
    this.#pairings = new Pairings(sql);
    // A received key must be deleted in time even if nobody ever asks for it.
    this.#pairings.sweep(Date.now());
    this.#copy = new KvCopy({
      sql,
      kv: env.CONFIG,
      active: () => inForce(beside),
      documents: (version) => this.read(version)?.documents ?? null,
      wakeAt: (at) => {
        this.#copyAt = at;
        this.#arm();
      },
      clock: Date.now,
    });
    this.#rounds = new Rounds({
      sql,
      names: () => outboxNames(env),
      look: (name) => env.OUTBOX.getByName(name).look(),
      portion: outboxesPerRun(variable(env, 'CALLS_PER_RUN')),
      clock: () => Date.now(),
    });
    this.#tail = new TailHub({
      ctx,
      version: () => this.#versions.active().version,
      watch: () => this.#watchOutboxes(),
      clock: Date.now,
    });
    this.#publishing = new Publishing({
      env,
      storage: ctx.storage,
      ...beside,
      managed: this.#managed,
      copy: this.#copy,
      onPublished: () => {
        if (this.#tail.isWatched) ctx.waitUntil(this.#watchOutboxes());
      },
    });
    void ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.read();
      // Not at once: what starts the object may be its alarm, which is not pending any more.
      setTimeout(() => this.#armLost(), ALARM_COMES_MS);
    });
  }

  /** Connects a client of the tail. Only the admin API calls this, after it has authenticated the client. */
  override fetch(request: Request): Promise<Response> {
    return this.#tail.join(readWatcher(new URL(request.url).searchParams));
  }

  /** Ignores what clients send. The platform answers `ping` without calling this. */
  override webSocketMessage(): void {}

  /**
   * Answers a close with a close (RFC 6455 §7.1.1). It has a code, since proxies treat one without as a broken
   * connection.
   */
  override webSocketClose(socket: WebSocket): void {
    socket.close(1000);
  }

  /** What an outbox reports to the tail; false: nobody watches any more. */
  report({ frames, dropped }: TailBatch): boolean {
    return this.#tail.show(frames, dropped);
  }

  /** See {@link Publishing.publish}. */
  publish(
    change: Change,
    by: string,
    now: number,
    condition?: Precondition,
    note?: string,
    mark?: Mark,
  ): Promise<Result<PublishReceipt, PublishRefusal>> {
    return this.#publishing.publish(change, by, now, condition, note, mark);
  }

  /** See {@link Publishing.check}. */
  check(change: Change, condition?: Precondition): Promise<Result<readonly FieldError[], PublishRefusal>> {
    return this.#publishing.check(change, condition);
  }

  /** See {@link Publishing.activate}. */
  activate(
    version: number,
    condition?: Precondition,
    mark?: Mark,
  ): Promise<Result<PublishReceipt, PublishRefusal>> {
    return this.#publishing.activate(version, condition, mark);
  }

  /** See {@link Publishing.takeOver}. */
  takeOver(name: string, by: string, now: number): Promise<Result<PublishReceipt, PublishRefusal>> {
    return this.#publishing.takeOver(name, by, now);
  }

  /** See {@link Managed.read}. */
  keeping(): Keeping {
    return this.#managed.read();
  }

  /** See {@link Managed.files}. */
  files(): string {
    return this.#managed.files();
  }

  /** See {@link Publishing.forgetAccount}. */
  forgetAccount(account: string): Promise<boolean> {
    return this.#publishing.forgetAccount(account, Date.now());
  }

  /** See {@link Publishing.addSilence}. */
  addSilence(document: ByHandDocument, by: string, now: number): Promise<PublishedSilence | null> {
    return this.#publishing.addSilence(document, by, now);
  }

  /** See {@link Publishing.endSilence}. */
  endSilence(id: string, now: number): Promise<PublishedSilence | 'over' | null> {
    return this.#publishing.endSilence(id, now);
  }

  /** See {@link StoredSilences.list}. */
  silences(now: number): readonly SilenceByHand[] {
    return this.#silences.list(now);
  }

  /** Calls outboxes for a request that has not enough calls for all of them; see `many-outboxes.ts`. */
  callOutboxes(calls: readonly OutboxCall[]): Promise<readonly Called[]> {
    return callEach(this.env, calls);
  }

  /** Never throws: the platform gives up an alarm after a few failures. */
  override async alarm(): Promise<void> {
    this.#alarm.begin();
    await this.#copy.run();
    if (this.#isPublished) await this.#rounds.run();
    this.#alarm.end();
    this.#arm();
  }

  /** Outboxes call this daily, so that this object's alarm is restored as well if it was lost. */
  async wake(): Promise<void> {
    await this.#alarm.read();
    this.#armLost();
  }

  /** See {@link Versions.read}. */
  read(version?: number): { readonly version: number; readonly documents: string } | null {
    return this.#versions.read(version);
  }

  /** What KV has a copy of under its current key, for callers that cannot read KV; null: its version is gone. */
  published(): string | null {
    return this.#published();
  }

  /** See {@link Versions.list}. */
  versions(limit: number, before: number | null): readonly VersionInfo[] {
    return this.#versions.list(limit, before);
  }

  recordRejection(entry: RejectionEntry): void {
    this.#showRejection(this.#rejections.record(entry), entry);
  }

  /** Records webhooks that were over their sources' limits. */
  recordLimited(entries: readonly LimitedEntry[]): void {
    for (const entry of entries) this.#showRejection(this.#rejections.recordLimited(entry), entry);
  }

  /** Recent rejections, newest first. */
  rejections(limit: number, before: number | null): readonly NumberedRejection[] {
    return this.#rejections.list(limit, before);
  }

  /** How many requests were ever refused and recorded. */
  rejectionTotals(): Totals {
    return this.#rejections.totals;
  }

  /** How many requests were refused by time (ms), as {@link Series.read} gives it. `from`: since when all was counted. */
  rejectionSeries(
    source: string | undefined,
    from: number,
    to: number,
  ): { readonly from: number; readonly points: readonly Point[] } {
    const { series } = this.#rejections;
    return { from: series.from, points: series.read(REJECTED, source, from, to) };
  }

  /** Opens a window in which the source's provider may send its signing key. */
  openPairing(source: string, now: number): Pairing {
    return this.#pairings.open(source, now);
  }

  /** The state of the source's pairing. Changes nothing. */
  lookAtPairing(source: string, now: number): Pairing {
    return this.#pairings.look(source, now);
  }

  /** Returns the received key and deletes it; no other call shows it. */
  takePairing(source: string, now: number): Taking {
    return this.#pairings.take(source, now);
  }

  closePairing(source: string): void {
    this.#pairings.close(source);
  }

  /** Records a key that somebody sent, and returns whether the request may be answered. */
  capturePairing(source: string, key: string, offer: Offer): Promise<Captured> {
    return this.#pairings.capture(source, key, offer);
  }

  /** See {@link Sessions.add}. */
  addSession(session: NewSession): boolean {
    return this.#sessions.add(session);
  }

  /** See {@link Sessions.isCode}. */
  isCode(id: string, now: number): boolean {
    return this.#sessions.isCode(id, now);
  }

  /** See {@link Sessions.redeem}. */
  redeemCode(code: string, session: Pick<NewSession, 'id' | 'client'>, now: number): number | null {
    return this.#sessions.redeem(code, session, now);
  }

  /** See {@link Sessions.has}. */
  isSession(id: string, now: number): boolean {
    return this.#sessions.has(id, now);
  }

  /** See {@link Sessions.list}. */
  sessions(now: number): readonly StoredSession[] {
    return this.#sessions.list(now);
  }

  /** See {@link Sessions.end}. */
  endSession(id: string): boolean {
    return this.#sessions.end(id);
  }

  #showRejection(n: number | null, { at, source, status, reason, detail }: RejectionEntry): void {
    if (n !== null) this.#tail.show([{ type: 'rejection', n, at, source, status, reason, detail }]);
  }

  get #isPublished(): boolean {
    return this.#versions.active().activation > 0;
  }

  #armLost(): void {
    if (this.#alarm.isRunning || !this.#isPublished) return;
    this.#alarm.bringForward(this.#copy.isBehind ? this.#copy.retryAt : this.#rounds.nextAt());
  }

  /**
   * Sets the alarm for the copy or the next round, whichever is first. Rounds are left out while an alarm runs; its end
   * sets it again.
   */
  #arm(): void {
    const roundsAt = this.#alarm.isRunning || !this.#isPublished ? null : this.#rounds.nextAt();
    const at = earliest([this.#copyAt, roundsAt]);
    if (at !== null) this.#alarm.set(at);
  }

  #watchOutboxes(): Promise<void> {
    const removed = parseOwnJson<Record<string, unknown>>(this.#removed.json() ?? '{}');
    const { accounts } = lazyConfig(this.#versions.inForce(), 0, { removed });
    return watchOutboxes(this.env, [...accounts.keys()]);
  }
}
