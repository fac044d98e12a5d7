import { DurableObject } from 'cloudflare:workers';
import type { OverrideByHand } from '../config/compiled/overrides.ts';
import type { ByHandDocument } from '../config/documents/alerting-schema.ts';
import { Alarm, ALARM_COMES_MS } from '../lib/alarm.ts';
import { MINUTE } from '../lib/time.ts';
import { describeError, log, logFor } from '../lib/log.ts';
import { jurisdictionOf, placed } from '../lib/bindings.ts';
import { variable } from '../lib/secret.ts';
import { openStore } from '../lib/store.ts';
import { callEach, type Called, type OutboxCall, outboxNames } from '../outbox/many-outboxes.ts';
import type { RejectionEntry } from './api-rejection.ts';
import type { Suppression } from './api-suppression.ts';
import { Calendars, Overrides, type NewOverride } from './on-call.ts';
import type { Activation, ChangeCheck, NewPublish } from './change.ts';
import { InForce } from './in-force.ts';
import { KvCopy } from './kv-copy.ts';
import { Managed, inUse, Versions, type StoredVersion } from './versions.ts';
import { Pairings, type Offer } from './pairing.ts';
import { Publishing, RemovedAccounts } from './publishing.ts';
import { Rejections, type LimitedEntry, type RejectionFilter } from './rejections.ts';
import { outboxesPerRun, RegistrySchedule, Rounds } from './rounds.ts';
import { REGISTRY_STORE } from './schema.ts';
import { Sessions, type NewSession } from './sessions.ts';
import { Silences } from './silences.ts';
import type { NewSpam } from './spam.ts';
import { Suppressions } from './suppressions.ts';

/** The wait after a fault of the alarm (ms). */
const AGAIN_MS = 5 * MINUTE;

const clock = (): number => Date.now();

/**
 * The one object that all parts of a deployment share. It keeps the configuration's versions, the recent rejections,
 * the pairing windows and sessions, and it restores alarms that outboxes have lost. KV has no
 * compare-and-set and is eventually consistent, so one of two simultaneous publishes could be lost; here they queue up.
 * KV gets a copy.
 */
export class Registry extends DurableObject<Env> {
  readonly #parts: ReturnType<typeof createParts>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, placed(env));
    logFor(env);
    openStore(ctx.storage, REGISTRY_STORE);
    this.#parts = createParts(ctx, this.env);
    const { alarm, copy, pairings, schedule } = this.#parts;
    // A received key must be deleted in time even if nobody ever asks for it.
    pairings.sweep(Date.now());
    void ctx.blockConcurrencyWhile(async () => {
      await alarm.read();
      // Not at once: the object may have been started by its alarm, which is not pending any more.
      setTimeout(() => schedule.armLost(copy), ALARM_COMES_MS);
    });
  }

  /** Returns the set in force, or an earlier version, with the overrides by hand; null if there is no such version. */
  read(version?: number): (StoredVersion & { readonly overrides: readonly OverrideByHand[] }) | null {
    const { versions, overrides } = this.#parts;
    const stored = versions.read(version);
    return stored === null ? null : { ...stored, overrides: overrides.list(Date.now()) };
  }

  /**
   * Returns the text that KV has under its current key, for callers that cannot read KV; null if its version is gone.
   */
  published(): string | null {
    return this.#parts.inForce.json();
  }

  /** Calls outboxes for a request that does not have enough calls for all of them; see `many-outboxes.ts`. */
  callOutboxes(calls: readonly OutboxCall[]): Promise<readonly Called[]> {
    return callEach(this.env, calls);
  }

  /** Outboxes call this daily, so that this object's alarm is also restored if it was lost. */
  async wake(): Promise<void> {
    const { alarm, copy, schedule } = this.#parts;
    await alarm.read();
    schedule.armLost(copy);
  }

  /** Never throws: the platform gives up an alarm after a few failures. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    const { alarm, copy, versions, rejections, rounds, schedule } = this.#parts;
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

  // Calls of parts, which say what each does. Not targets: a call of one takes longer, and holds the registry in memory.

  publish(asked: NewPublish) {
    return this.#parts.publishing.publish(asked);
  }

  check(asked: ChangeCheck) {
    return this.#parts.publishing.check(asked);
  }

  activate(asked: Activation) {
    return this.#parts.publishing.activate(asked);
  }

  takeOver(name: string, by: string, now: number) {
    return this.#parts.publishing.takeOver(name, by, now);
  }

  versions(limit: number, before: number | null) {
    return this.#parts.publishing.list(limit, before);
  }

  files() {
    return this.#parts.publishing.files();
  }

  forgetAccount(account: string) {
    return this.#parts.publishing.forgetAccount(account, Date.now());
  }

  addSilence(document: ByHandDocument, by: string, now: number, id?: string) {
    return this.#parts.silences.add(document, by, now, id);
  }

  endSilence(id: string, now: number) {
    return this.#parts.silences.end(id, now);
  }

  findSilence(id: string, now: number) {
    return this.#parts.silences.find(id, now);
  }

  silences(now: number) {
    return this.#parts.silences.list(now);
  }

  addOverride(override: NewOverride, by: string, now: number) {
    return this.#parts.overrides.add(override, by, now);
  }

  endOverride(id: string, now: number) {
    return this.#parts.overrides.end(id, now);
  }

  suppress(suppression: Omit<Suppression, 'at'>, now: number) {
    return this.#parts.suppressions.add(suppression, now);
  }

  unsuppress(phone: string) {
    return this.#parts.suppressions.remove(phone);
  }

  optIn(phone: string, now: number) {
    return this.#parts.suppressions.optIn(phone, now);
  }

  findSuppression(phone: string) {
    return this.#parts.suppressions.find(phone);
  }

  suppressions(limit: number, before: number | null) {
    return this.#parts.suppressions.list(limit, before);
  }

  recordRejection(entry: RejectionEntry) {
    return this.#parts.rejections.record(entry);
  }

  recordLimited(entries: readonly LimitedEntry[]) {
    return this.#parts.rejections.recordLimited(entries);
  }

  recordSpam(spam: NewSpam) {
    return this.#parts.rejections.recordSpam(spam);
  }

  rejectionsAfter(n: number) {
    return this.#parts.rejections.listAfter(n);
  }

  rejections(limit: number, before: number | null, filter?: RejectionFilter) {
    return this.#parts.rejections.list(limit, before, filter);
  }

  findRejections(end: string, limit: number) {
    return this.#parts.rejections.find(end, limit);
  }

  rejectionTotals() {
    return this.#parts.rejections.totals();
  }

  rejectionSeries(source: string | undefined, from: number, to: number) {
    return this.#parts.rejections.readSeries(source, from, to);
  }

  spam(n: number) {
    return this.#parts.rejections.spam.read(n);
  }

  startRelease(n: number, id: string) {
    return this.#parts.rejections.spam.startRelease(n, id);
  }

  endRelease(n: number, now: number) {
    return this.#parts.rejections.spam.endRelease(n, now);
  }

  openPairing(source: string, now: number) {
    return this.#parts.pairings.open(source, now);
  }

  lookAtPairing(source: string, now: number) {
    return this.#parts.pairings.look(source, now);
  }

  takePairing(source: string, now: number) {
    return this.#parts.pairings.take(source, now);
  }

  closePairing(source: string) {
    return this.#parts.pairings.close(source);
  }

  capturePairing(source: string, key: string, offer: Offer) {
    return this.#parts.pairings.capture(source, key, offer);
  }

  addSession(session: NewSession) {
    return this.#parts.sessions.add(session);
  }

  findCode(id: string, now: number) {
    return this.#parts.sessions.code(id, now);
  }

  redeemCode(code: string, session: Pick<NewSession, 'id' | 'client'>, now: number) {
    return this.#parts.sessions.redeem(code, session, now);
  }

  findSession(id: string, now: number) {
    return this.#parts.sessions.find(id, now);
  }

  sessions(now: number) {
    return this.#parts.sessions.list(now);
  }

  endSession(id: string) {
    return this.#parts.sessions.end(id);
  }

  calendarCode(list: string) {
    return this.#parts.calendars.code(list);
  }

  makeCalendar(list: string, isNew: boolean) {
    return this.#parts.calendars.make(list, isNew);
  }
}

/** Makes the parts of the registry, each with the others that it needs. The tables must exist. */
function createParts(ctx: DurableObjectState, env: Env) {
  const { storage } = ctx;
  const { sql } = storage;
  const alarm = new Alarm(storage, clock);
  const versions = new Versions(sql, clock);
  const removed = new RemovedAccounts(sql);
  const inForce = new InForce(storage, () => ({
    versions,
    removed,
    silences,
    overrides,
    suppressions,
    copy,
  }));
  const silences = new Silences(sql, inForce);
  const overrides = new Overrides(sql, { env, versions, inForce });
  const suppressions = new Suppressions(sql, inForce);
  const rounds = new Rounds({
    sql,
    names: () => outboxNames(env),
    look: (name) => env.OUTBOX.getByName(name).look(),
    portion: outboxesPerRun(variable(env, 'CALLS_PER_RUN')),
    clock,
  });
  const schedule = new RegistrySchedule({ alarm, versions, rounds });
  const copy = new KvCopy({
    sql,
    kv: env.CONFIG,
    active: () => inForce.read(),
    jurisdiction: jurisdictionOf(env),
    documents: (version) => {
      const stored = versions.read(version);
      return stored === null ? null : inUse(stored);
    },
    wakeAt: (at) => schedule.setCopyAt(at),
    clock,
  });
  const publishing = new Publishing({
    env,
    storage,
    versions,
    removed,
    overrides,
    suppressions,
    managed: new Managed(sql),
    inForce,
    copy,
  });
  return {
    alarm,
    versions,
    inForce,
    silences,
    overrides,
    suppressions,
    rounds,
    schedule,
    copy,
    publishing,
    sessions: new Sessions(sql),
    pairings: new Pairings(sql),
    rejections: new Rejections(sql),
    calendars: new Calendars(sql),
  };
}
