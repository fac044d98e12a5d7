import { registry } from '../config/registry-client.ts';
import { SourceLimits } from './accept/source-limits.ts';
import type { Base } from './base.ts';
import { Housekeeping } from './housekeeping.ts';
import { HeartbeatCheck } from './notify/heartbeat-check.ts';
import { Heartbeats } from './notify/heartbeat.ts';
import { Removal } from './removal.ts';
import { StorageWatch } from './storage/storage-watch.ts';

/** What keeps an outbox in order: heartbeats, space, what is too old, and the end of an account. */
export function createUpkeep(base: Base) {
  const { account, alarm, calls, claims, clock, config, env, guard, owner, reuse, sql, storage, waitUntil } =
    base;
  const { counters, flight } = claims;
  const limits = new SourceLimits(sql);
  const heartbeats = new Heartbeats(sql);
  /** To be called before rows are deleted: a start counts from rows what came after the checkpoint. */
  const keepForSweep = (): void => {
    if (counters.isChanged) counters.keepNow();
    claims.keepCounters();
  };
  const storageWatch = new StorageWatch({
    storage,
    guard,
    sendingSeqs: () => flight.seqs(),
    onSweep: keepForSweep,
    onChange: (kind, level) => owner.storage(kind, level),
    waitUntil,
    account,
  });
  const housekeeping = new Housekeeping({
    storage,
    calls,
    heartbeatCheck: new HeartbeatCheck({
      heartbeats,
      account,
      lastEventAt: (source) => counters.lastEventAt(source),
      onChanges: (changes) => owner.silentSources(changes),
      clock,
    }),
    reuse,
    isSending: (seq) => flight.has(seq),
    retentionMs: (loaded) => config.policyIn(loaded).retentionMs,
    onSweep: ({ sources }) => {
      counters.forgetSources((source) => sources.has(source));
      limits.forgetSources((source) => sources.has(source));
      keepForSweep();
    },
    onSwept: () => storageWatch.look(),
    wakeRegistry: () => registry(env).wake(),
    isRunDue: () => alarm.at !== null && alarm.at <= clock(),
    account,
    clock,
  });
  const removal = new Removal({ env, sql, alarm, calls, config, account });
  return { heartbeats, housekeeping, limits, removal, storageWatch };
}
