import { notifySecret } from '../config/secrets/named-secrets.ts';
import { Alarm } from '../lib/alarm.ts';
import { secureRandomBytes } from '../lib/id.ts';
import { publicUrl } from '../config/public-url.ts';
import { variable } from '../lib/secret.ts';
import { SourceLimits } from './accept/source-limits.ts';
import { AccountConfig } from './account-config.ts';
import type { LinkMaker } from './state/links.ts';
import { Canary } from './canary/canary.ts';
import { Escapes } from './escape/escapes.ts';
import { Handings } from './state/fallback.ts';
import { Heartbeats, MadeNothing } from './notify/heartbeat.ts';
import { Owner } from './owner.ts';
import { Claims } from './send/claims.ts';
import { Calls, callsPerRun } from './state/calls.ts';
import { Meta } from './state/meta.ts';
import { Disk, maxStorageBytes } from './storage/disk.ts';
import { Tail } from './tail.ts';

export type Base = ReturnType<typeof createBase>;

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

  const alarm = new Alarm(storage, clock);
  const calls = new Calls(callsPerRun(variable(env, 'CALLS_PER_RUN')));
  const claims = new Claims({ storage, calls, clock, random });
  const config = new AccountConfig({ env, calls, account, sql, clock });
  const own = {
    sql,
    account,
    tag,
    alarm,
    calls,
    claims,
    config,
    secret: (name: string) => notifySecret(env, name),
    fetch: ((input, init) => {
      calls.spend();
      return fetch(input, init);
    }) satisfies typeof fetch,
    outbox: (name: string) => env.OUTBOX.getByName(name),
    waitUntil,
    clock,
  };
  const escapes = new Escapes(own);
  const links: LinkMaker = {
    account,
    key: meta.key,
    get publicUrl() {
      return publicUrl(env, config.publicUrl);
    },
  };
  return {
    ...own,
    canary: new Canary(sql),
    disk: new Disk(sql, maxStorageBytes(variable(env, 'OUTBOX_MAX_MIB'))),
    env,
    escapes,
    handings: new Handings(own),
    heartbeats: new Heartbeats(sql),
    limits: new SourceLimits(sql),
    links,
    madeNothing: new MadeNothing(sql),
    meta,
    owner: new Owner({ ...own, escapes, meta }),
    random,
    storage,
    tail: new Tail({ account, tag, clock }),
  };
}
