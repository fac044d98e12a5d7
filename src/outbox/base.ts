import { registry } from '../config/registry-client.ts';
import { notifySecret } from '../config/secrets/names.ts';
import { Alarm } from '../lib/alarm.ts';
import { secureRandomBytes } from '../lib/id.ts';
import { publicUrl } from '../config/public-url.ts';
import { variable } from '../lib/secret.ts';
import { SourceLimits } from './accept/source-limits.ts';
import { AccountConfig } from './account-config.ts';
import type { LinkMaker } from './state/links.ts';
import { Canary } from './canary/canary.ts';
import { Escapes } from './escape/escapes.ts';
import { Handings } from './hand-on/handings.ts';
import type { LogOrigin } from './log-lines.ts';
import { InForce } from './incidents/in-force.ts';
import { Heartbeats } from './notify/heartbeat.ts';
import { MadeNothing } from './notify/made-nothing.ts';
import { Notifier } from './notify/notifier.ts';
import { OwnerNotifications } from './owner-notifications.ts';
import { Claims } from './send/claims.ts';
import { Calls, callsPerRun } from './state/calls.ts';
import { Meta } from './state/meta.ts';
import { Disk, maxStorageBytes } from './storage/disk.ts';
import { Tail } from './tail/tail.ts';

/** The parts of an outbox that most others need. */
export type Base = ReturnType<typeof createBase>;

/** The tables must exist: the parts read where the last instance stopped. */
export function createBase(
  ctx: Pick<DurableObjectState, 'id' | 'storage' | 'waitUntil'>,
  env: Env,
  clock = (): number => Date.now(),
  random = Math.random,
) {
  const { storage, id } = ctx;
  const { sql } = storage;
  const waitUntil = (work: Promise<void>): void => ctx.waitUntil(work);
  const account = (): string => {
    if (id.name === undefined) throw new Error('an outbox must be addressed by its account’s name');
    return id.name;
  };
  const meta = new Meta(sql, secureRandomBytes);
  const { tag } = meta;
  const origin = (): LogOrigin => ({ account: account(), tag });

  const alarm = new Alarm(storage, clock);
  const calls = new Calls(callsPerRun(variable(env, 'CALLS_PER_RUN')));
  const claims = new Claims({ storage, calls, clock, random });
  const mayCall = (): boolean => calls.left > 0;
  const fetchCounted: typeof fetch = (input, init) => {
    calls.spend();
    return fetch(input, init);
  };
  const inForce = new InForce(sql);
  const config = new AccountConfig(env, calls, account, inForce);
  const escapes = new Escapes({
    sql,
    account,
    tag,
    known: () => config.last?.escape ?? null,
    policy: async () => (await config.policy()).escape,
    localeOf: (source) => config.localeOf(source),
    isSending: (seq) => claims.flight.has(seq),
    secret: (name) => notifySecret(env, name),
    fetch: fetchCounted,
    give: (name, handed) => {
      calls.spend();
      return env.OUTBOX.getByName(name).takeHanded([handed]);
    },
    mayCall,
    count: (outcome, messages) => claims.counters.escape(outcome, messages),
    wakeAt: (at) => alarm.bringForward(at),
    waitUntil,
    clock,
  });
  const notifier = new Notifier({
    sql,
    policy: () => config.policy(),
    secret: (name) => notifySecret(env, name),
    fetch: fetchCounted,
    report: (seq, text) => escapes.report(seq, text),
    mayCall,
    clock,
  });
  const owner = new OwnerNotifications({ meta, notifier, alarm, origin, waitUntil });
  const tail = new Tail({
    tag,
    account,
    watched: meta,
    send: (batch) => {
      calls.spend();
      return registry(env).report(batch);
    },
    clock,
    later: (ms, work) => void setTimeout(work, ms),
  });
  const links: LinkMaker = {
    account,
    key: meta.key,
    get publicUrl() {
      return publicUrl(env, config.publicUrl);
    },
  };
  const handings = new Handings({
    sql,
    account,
    tag,
    outbox: (name) => env.OUTBOX.getByName(name),
    mayCall,
    spend: () => calls.spend(),
    wakeAt: (at) => alarm.bringForward(at),
    clock,
  });
  return {
    account,
    alarm,
    calls,
    canary: new Canary(sql),
    claims,
    clock,
    config,
    disk: new Disk(sql, maxStorageBytes(variable(env, 'OUTBOX_MAX_MIB'))),
    env,
    escapes,
    handings,
    inForce,
    heartbeats: new Heartbeats(sql),
    limits: new SourceLimits(sql),
    links,
    madeNothing: new MadeNothing(sql),
    meta,
    notifier,
    origin,
    owner,
    random,
    sql,
    storage,
    tag,
    tail,
    waitUntil,
  };
}
