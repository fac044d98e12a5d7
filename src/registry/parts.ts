import { readFacts } from '../config/compiled/facts.ts';
import { lazyConfig } from '../config/lazy-config.ts';
import { Alarm } from '../lib/alarm.ts';
import { parseOwnJson } from '../lib/own-json.ts';
import { jurisdictionOf } from '../lib/placed.ts';
import { variable } from '../lib/secret.ts';
import { outboxNames } from '../outbox/outboxes.ts';
import { Calendars } from './calendars.ts';
import { DoneCards } from './done.ts';
import { KvCopy } from './kv-copy.ts';
import { Managed } from './managed.ts';
import { Pairings } from './pairing.ts';
import { StoredOverrides } from './overrides.ts';
import { inForce, publishedInForce } from './in-force.ts';
import { Publishing } from './publishing.ts';
import { Rejections } from './rejections.ts';
import { RemovedAccounts } from './removed-accounts.ts';
import { outboxesPerRun, Rounds } from './rounds.ts';
import { RegistrySchedule } from './schedule.ts';
import { Sessions } from './sessions.ts';
import { StoredSilences } from './silences.ts';
import { StoredSuppressions } from './suppressions.ts';
import { TailHub } from './tail-hub.ts';
import { inUse, Versions } from './versions.ts';
import { describeError, log } from '../lib/log.ts';

const clock = (): number => Date.now();

/** The parts of the registry. */
export type RegistryParts = ReturnType<typeof createParts>;

/** Notifies the accounts' outboxes that somebody watches. An outbox that cannot be reached is left out of the tail. */
export async function watchOutboxes(env: Env, accounts: readonly string[]): Promise<void> {
  await Promise.all(
    accounts.map(async (account) => {
      try {
        await env.OUTBOX.getByName(account).watch();
      } catch (thrown) {
        log('warn', 'tail.watch.failed', { account, error: describeError(thrown) });
      }
    }),
  );
}

/** Makes the parts of the registry, each with the others that it needs. The tables must exist. */
export function createParts(ctx: DurableObjectState, env: Env) {
  const { storage } = ctx;
  const { sql } = storage;
  const alarm = new Alarm(storage, clock);
  const versions = new Versions(sql);
  const removed = new RemovedAccounts(sql);
  const silences = new StoredSilences(sql);
  const overrides = new StoredOverrides(sql);
  const suppressions = new StoredSuppressions(sql);
  const beside = { versions, removed, silences, overrides, suppressions };
  const managed = new Managed(sql);
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
    active: () => inForce(beside),
    jurisdiction: jurisdictionOf(env),
    documents: (version) => {
      const stored = versions.read(version);
      return stored === null ? null : inUse(stored);
    },
    wakeAt: (at) => schedule.setCopyAt(at),
    clock,
  });
  const watch = async (): Promise<void> => {
    await readFacts(env, Date.now());
    const documents = parseOwnJson<Record<string, unknown>>(removed.json() ?? '{}');
    const { accounts } = lazyConfig(versions.inForce(), 0, { removed: documents });
    await watchOutboxes(env, [...accounts.keys()]);
  };
  const tail = new TailHub({ ctx, version: () => versions.active().version, watch, clock });
  const publishing = new Publishing({
    env,
    storage,
    ...beside,
    managed,
    copy,
    onPublished: () => {
      if (tail.isWatched) ctx.waitUntil(watch());
    },
  });
  return {
    alarm,
    versions,
    silences,
    overrides,
    suppressions,
    managed,
    rounds,
    schedule,
    copy,
    tail,
    publishing,
    published: () => publishedInForce(beside),
    sessions: new Sessions(sql, (id) => tail.end(id)),
    pairings: new Pairings(sql),
    rejections: new Rejections(sql),
    done: new DoneCards(sql),
    calendars: new Calendars(sql),
  };
}
