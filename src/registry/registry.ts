import { DurableObject } from 'cloudflare:workers';
import type { OverrideByHand } from '../config/compiled/rotation.ts';
import { Alarm, ALARM_COMES_MS, ALARM_LATE_MS } from '../lib/alarm.ts';
import { describeError, log, logFor } from '../lib/log.ts';
import { jurisdictionOf, placed } from '../lib/bindings.ts';
import { variable } from '../lib/secret.ts';
import { openStore } from '../lib/store.ts';
import { callEach, type Called, type OutboxCall, outboxNames } from '../outbox/many-outboxes.ts';
import { Calendars, Overrides, Silences, Suppressions } from './overlay.ts';
import { InForce, KvCopy } from './kv-copy.ts';
import { Managed, inUse, Versions, type StoredVersion } from './versions.ts';
import { Pairings } from './pairing.ts';
import { Publishing, RemovedAccounts } from './publishing.ts';
import { Rejections } from './rejections.ts';
import { AGAIN_MS, outboxesPerRun, RegistrySchedule, Rounds } from './rounds.ts';
import { REGISTRY_STORE } from './schema.ts';
import { Sessions } from './sessions.ts';

const clock = (): number => Date.now();

/** The calls of this object: a part, and those of its methods that others may call. */
const CALLS = [
  ['publishing', 'publish', 'check', 'activate', 'takeOver', 'versions', 'forgetAccount'],
  ['managed', 'files'],
  ['silences', 'addSilence', 'endSilence', 'findSilence', 'silences'],
  ['overrides', 'addOverride', 'endOverride'],
  ['suppressions', 'suppress', 'unsuppress', 'optIn', 'findSuppression', 'suppressions'],
  ['rejections', 'recordRejection', 'recordLimited', 'recordSpam', 'rejections', 'rejectionsAfter'],
  ['rejections', 'findRejections', 'rejectionTotals', 'rejectionSeries'],
  ['spam', 'readSpam', 'startRelease', 'endRelease'],
  ['pairings', 'openPairing', 'lookAtPairing', 'takePairing', 'closePairing', 'capturePairing'],
  ['sessions', 'addSession', 'findCode', 'redeemCode', 'findSession', 'sessions', 'endSession'],
  ['calendars', 'calendarCode', 'makeCalendar'],
] as const;

/**
 * The one object that all parts of a deployment share. KV has no compare-and-set and is eventually consistent, so one
 * of two simultaneous publishes could be lost; here they queue up, and KV gets a copy.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- its static block defines the calls
export class Registry extends DurableObject<Env> {
  static {
    // Not targets: a call of one takes longer, and holds the registry in memory.
    for (const [part, ...names] of CALLS)
      for (const name of names)
        Object.defineProperty(this.prototype, name, {
          value(this: Registry, ...args: readonly unknown[]): unknown {
            const of = this.#parts[part];
            const call: unknown = Reflect.get(of, name);
            return typeof call === 'function' ? Reflect.apply(call, of, args) : undefined;
          },
        });
  }

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
      setTimeout(() => {
        alarm.renew(ALARM_COMES_MS);
        schedule.armLost(copy);
      }, ALARM_COMES_MS);
    });
  }

  read(version?: number): (StoredVersion & { readonly overrides: readonly OverrideByHand[] }) | null {
    const { versions, overrides } = this.#parts;
    const stored = versions.read(version);
    return stored === null ? null : { ...stored, overrides: overrides.list(Date.now()) };
  }

  /** What KV has under its current key, for callers that cannot read KV; null if its version is gone. */
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
    alarm.renew(ALARM_LATE_MS);
    schedule.armLost(copy);
  }

  /** Never throws: the platform gives up an alarm after a few failures. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    const { alarm, copy, versions, spam, rounds, schedule } = this.#parts;
    alarm.begin(info?.scheduledTime);
    let isWell = true;
    const works: readonly (() => unknown)[] = [
      () => copy.run(),
      () => spam.sweep(Date.now()),
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
}

type Parts = ReturnType<typeof createParts>;

type Call = (typeof CALLS)[number];

type NameOf<One> = One extends readonly [unknown, ...infer Names] ? Names[number] : never;

type MethodOf<One, Name> = One extends readonly [infer Part extends keyof Parts, ...infer Names]
  ? Name extends Names[number] & keyof Parts[Part]
    ? Parts[Part][Name]
    : never
  : never;

type Calls = { readonly [Name in NameOf<Call>]: MethodOf<Call, Name> };

export interface Registry extends Calls {}

/** Makes the parts of the registry, each with the others that it needs. The tables must exist. */
function createParts(ctx: DurableObjectState, env: Env) {
  const { storage } = ctx;
  const { sql } = storage;
  const alarm = new Alarm(storage, clock);
  const versions = new Versions(sql, { clock });
  const removed = new RemovedAccounts(sql);
  const managed = new Managed(sql);
  const inForce = new InForce(sql, {
    storage,
    versions,
    overlay: (now) => ({
      removed: removed.json(),
      silences: silences.json(now),
      overrides: overrides.json(now),
      suppressions: suppressions.json(),
    }),
    copySoon: () => copy.runSoon(),
  });
  const silences = new Silences(sql, { inForce });
  const overrides = new Overrides(sql, { env, versions, inForce });
  const suppressions = new Suppressions(sql, { inForce });
  const rounds = new Rounds(sql, {
    names: () => outboxNames(env),
    look: (name) => env.OUTBOX.getByName(name).look(),
    portion: outboxesPerRun(variable(env, 'CALLS_PER_RUN')),
    clock,
  });
  const schedule = new RegistrySchedule({ alarm, versions, rounds });
  const copy = new KvCopy(sql, {
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
  const shared = { versions, managed, inForce, overrides, suppressions, copy };
  const rejections = new Rejections(sql);
  return {
    ...shared,
    alarm,
    silences,
    rounds,
    schedule,
    publishing: new Publishing(sql, { ...shared, env, storage, removed }),
    sessions: new Sessions(sql),
    pairings: new Pairings(sql),
    rejections,
    spam: rejections.spam,
    calendars: new Calendars(sql),
  };
}
