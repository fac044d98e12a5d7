import type { ByHandDocument } from '../config/documents/alerting-schema.ts';
import type { OverrideByHand } from '../config/compiled/overrides.ts';
import { ALARM_COMES_MS } from '../lib/alarm.ts';
import { MINUTE } from '../lib/duration.ts';
import { describeError, hideFromLogs, log } from '../lib/log.ts';
import type { FieldError } from '../lib/problem.ts';
import type { Result } from '../lib/result.ts';
import { secretValues } from '../lib/secret.ts';
import { callEach, type Called, type OutboxCall } from '../outbox/many-outboxes.ts';
import type { TailBatch } from '../outbox/tail/frame.ts';
import type { Change } from './change.ts';
import type { DoneCard } from './api-done.ts';
import type { Mark } from './managed.ts';
import type { Keeping, VersionInfo } from './api-version.ts';
import type { PairingResult, Offer, Pairing, Taking } from './pairing.ts';
import type { Precondition } from './precondition.ts';
import type { PublishReceipt, PublishRefusal } from './published.ts';
import type { Beside } from './in-force.ts';
import type { NewOverride } from './overrides.ts';
import { Recording } from './recording.ts';
import type { NewSession, StoredSession } from './sessions.ts';
import type { SilenceByHand } from './silences.ts';
import { readWatcher } from './tail-hub.ts';
import type { StoredVersion } from './versions.ts';

/** The wait after a fault of the alarm (ms). */
const AGAIN_MS = 5 * MINUTE;

/**
 * The one object that all parts of a deployment share. It keeps the configuration's versions, the recent rejections,
 * the pairing windows, sessions and the sockets of the tail, and it restores alarms that outboxes have lost. KV has no
 * compare-and-set and is eventually consistent, so one of two simultaneous publishes could be lost; here they queue up.
 * KV gets a copy.
 */
export class Registry extends Recording {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    hideFromLogs(() => secretValues(env));
    const { alarm, copy, pairings, schedule } = this.parts;
    // A received key must be deleted in time even if nobody ever asks for it.
    pairings.sweep(Date.now());
    void ctx.blockConcurrencyWhile(async () => {
      await alarm.read();
      // Not at once: the object may have been started by its alarm, which is not pending any more.
      setTimeout(() => schedule.armLost(copy), ALARM_COMES_MS);
    });
  }

  /** Connects a client of the tail. Only the admin API calls this, after it has authenticated the client. */
  override fetch(request: Request): Promise<Response> {
    return this.parts.tail.join(readWatcher(new URL(request.url).searchParams));
  }

  /** Ignores what clients send. The platform answers `ping` without calling this. */
  override webSocketMessage(): void {}

  /**
   * Answers a close with a close (RFC 6455 §7.1.1). The answer has a code, since proxies treat a close without one as a
   * broken connection.
   */
  override webSocketClose(socket: WebSocket): void {
    socket.close(1000);
  }

  /** Passes an outbox's frames to the tail. False if nobody watches any more. */
  report({ frames, dropped }: TailBatch): boolean {
    return this.parts.tail.show(frames, dropped);
  }

  /** See {@link Publishing.publish}. */
  publish(
    change: Change,
    by: string,
    now: number,
    condition?: Precondition,
    note?: string,
    mark?: Mark,
    publicUrl?: string,
  ): Promise<Result<PublishReceipt, PublishRefusal>> {
    return this.parts.publishing.publish(change, by, now, condition, note, mark, publicUrl);
  }

  /** See {@link Publishing.check}. */
  check(
    change: Change,
    condition?: Precondition,
    publicUrl?: string,
  ): Promise<Result<readonly FieldError[], PublishRefusal>> {
    return this.parts.publishing.check(change, condition, publicUrl);
  }

  /** See {@link Publishing.activate}. */
  activate(
    version: number,
    condition?: Precondition,
    mark?: Mark,
    publicUrl?: string,
  ): Promise<Result<PublishReceipt, PublishRefusal>> {
    return this.parts.publishing.activate(version, condition, mark, publicUrl);
  }

  /** See {@link Publishing.takeOver}. */
  takeOver(name: string, by: string, now: number): Promise<Result<PublishReceipt, PublishRefusal>> {
    return this.parts.publishing.takeOver(name, by, now);
  }

  /** See {@link Managed.read}. */
  keeping(): Keeping {
    return this.parts.managed.read();
  }

  /** See {@link Managed.files}. */
  files(): string {
    return this.parts.managed.files();
  }

  /** See {@link Publishing.forgetAccount}. */
  forgetAccount(account: string): Promise<boolean> {
    return this.parts.publishing.forgetAccount(account, Date.now());
  }

  /** See {@link Publishing.addSilence}. */
  addSilence(
    document: ByHandDocument,
    by: string,
    now: number,
    id?: string,
  ): Promise<Beside<SilenceByHand> | null> {
    return this.parts.publishing.addSilence(document, by, now, id);
  }

  /** See {@link Publishing.endSilence}. */
  endSilence(id: string, now: number): Promise<Beside<SilenceByHand> | 'over' | null> {
    return this.parts.publishing.endSilence(id, now);
  }

  /** See {@link StoredSilences.find}. */
  findSilence(id: string, now: number): SilenceByHand | null {
    return this.parts.silences.find(id, now);
  }

  /** See {@link StoredSilences.list}. */
  silences(now: number): readonly SilenceByHand[] {
    return this.parts.silences.list(now);
  }

  /** See {@link Publishing.addOverride}. */
  addOverride(
    override: NewOverride,
    by: string,
    now: number,
  ): Promise<Beside<OverrideByHand> | 'full' | null> {
    return this.parts.publishing.addOverride(override, by, now);
  }

  /** See {@link Publishing.endOverride}. */
  endOverride(id: string, now: number): Promise<Beside<OverrideByHand> | null> {
    return this.parts.publishing.endOverride(id, now);
  }

  /** See {@link DoneCards.set}. */
  setDone(card: string, mark: number, by: string, now: number): DoneCard {
    return this.parts.done.set(card, mark, by, now);
  }

  /** See {@link DoneCards.undo}. */
  undoDone(card: string): boolean {
    return this.parts.done.undo(card);
  }

  /** See {@link DoneCards.list}. */
  doneCards(): readonly DoneCard[] {
    return this.parts.done.list();
  }

  /** See {@link Calendars.code}. */
  calendarCode(list: string): string | null {
    return this.parts.calendars.code(list);
  }

  /** See {@link Calendars.make}. */
  makeCalendar(list: string, isNew: boolean): string {
    return this.parts.calendars.make(list, isNew);
  }

  /** Calls outboxes for a request that does not have enough calls for all of them; see `many-outboxes.ts`. */
  callOutboxes(calls: readonly OutboxCall[]): Promise<readonly Called[]> {
    return callEach(this.env, calls);
  }

  /** Never throws: the platform gives up an alarm after a few failures. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    const { alarm, copy, versions, rejections, rounds, schedule } = this.parts;
    alarm.begin(info?.scheduledTime);
    let isWell = true;
    const works: readonly (() => unknown)[] = [
      () => copy.run(),
      () => rejections.spam.sweep(Date.now()),
      () => (versions.isPublished ? rounds.run() : null),
      () => alarm.end(),
      () => (isWell ? schedule.arm() : null),
    ];
    for (const work of works)
      try {
        await work();
      } catch (thrown) {
        log('error', 'outbox.sweep.failed', { error: describeError(thrown) });
        isWell = false;
      }
    if (!isWell) alarm.bringForward(Date.now() + AGAIN_MS);
  }

  /** Outboxes call this daily, so that this object's alarm is also restored if it was lost. */
  async wake(): Promise<void> {
    const { alarm, copy, schedule } = this.parts;
    await alarm.read();
    schedule.armLost(copy);
  }

  /** See {@link Versions.read} and {@link StoredOverrides.list}. */
  read(version?: number): (StoredVersion & { readonly overrides: readonly OverrideByHand[] }) | null {
    const { versions, overrides } = this.parts;
    const stored = versions.read(version);
    return stored === null ? null : { ...stored, overrides: overrides.list(Date.now()) };
  }

  /**
   * Returns the text that KV has under its current key, for callers that cannot read KV; null if its version is gone.
   */
  published(): string | null {
    return this.parts.published();
  }

  /** See {@link Versions.list}. */
  versions(limit: number, before: number | null): readonly VersionInfo[] {
    return this.parts.versions.list(limit, before);
  }

  /** Opens a window in which the source's provider may send its signing key. */
  openPairing(source: string, now: number): Pairing {
    return this.parts.pairings.open(source, now);
  }

  /** Returns the state of the source's pairing. Changes nothing. */
  lookAtPairing(source: string, now: number): Pairing {
    return this.parts.pairings.look(source, now);
  }

  /** Returns the received key and deletes it; no other call shows it. */
  takePairing(source: string, now: number): Taking {
    return this.parts.pairings.take(source, now);
  }

  closePairing(source: string): void {
    this.parts.pairings.close(source);
  }

  /** Records a key that somebody sent. The result decides if the request may be answered. */
  capturePairing(source: string, key: string, offer: Offer): Promise<PairingResult> {
    return this.parts.pairings.capture(source, key, offer);
  }

  /** See {@link Sessions.add}. */
  addSession(session: NewSession): boolean {
    return this.parts.sessions.add(session);
  }

  /** See {@link Sessions.code}. */
  findCode(id: string, now: number): Pick<NewSession, 'actor'> | null {
    return this.parts.sessions.code(id, now);
  }

  /** See {@link Sessions.redeem}. */
  redeemCode(code: string, session: Pick<NewSession, 'id' | 'client'>, now: number): number | null {
    return this.parts.sessions.redeem(code, session, now);
  }

  /** See {@link Sessions.find}. */
  findSession(id: string, now: number): Pick<NewSession, 'actor'> | null {
    return this.parts.sessions.find(id, now);
  }

  /** See {@link Sessions.list}. */
  sessions(now: number): readonly StoredSession[] {
    return this.parts.sessions.list(now);
  }

  /** See {@link Sessions.end}. */
  endSession(id: string): boolean {
    return this.parts.sessions.end(id);
  }
}
