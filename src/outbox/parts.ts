import { readCredentials } from '../config/credentials.ts';
import { registry } from '../config/registry-client.ts';
import { notifySecret } from '../config/secret-names.ts';
import { Alarm } from '../lib/alarm.ts';
import { secureRandomBytes } from '../lib/id.ts';
import { variable } from '../lib/secret.ts';
import { sleep } from '../lib/sleep.ts';
import { sharedTimeouts } from '../lib/timeout.ts';
import { SourceLimits } from './accept/source-limits.ts';
import { AccountConfig } from './account-config.ts';
import { Delivery } from './delivery.ts';
import { maxStorageBytes, StorageGuard } from './storage/storage-guard.ts';
import { StorageWatch } from './storage/storage-watch.ts';
import { Housekeeping } from './housekeeping.ts';
import { Incidents, UNREAD_MS } from './incidents/incidents.ts';
import { Intake } from './intake.ts';
import { logMessage, logMoves, logNotified, type Origin } from './log-lines.ts';
import { Heartbeats } from './notify/heartbeat.ts';
import { Notifier } from './notify/notifier.ts';
import { HeartbeatCheck } from './notify/heartbeat-check.ts';
import { Operations } from './operations.ts';
import { Overflow } from './overflow/overflow.ts';
import { OwnerNotifications } from './owner-notifications.ts';
import type { ReadContext } from './read/read.ts';
import { Removal } from './removal.ts';
import { Schedule } from './schedule.ts';
import { callGateway } from './send/call-gateway.ts';
import { Dispatch } from './send/dispatch.ts';
import { Calls, callsPerRun } from './state/calls.ts';
import { messageRow, type MessageRow } from './state/message.ts';
import { Meta } from './state/meta.ts';
import { Reuse } from './storage/reuse.ts';
import { Tail } from './tail/tail.ts';

const clock = (): number => Date.now();

/** What an outbox is made of. */
export type Parts = ReturnType<typeof createParts>;

/**
 * Makes the parts of an outbox, each with the others that it needs. The tables must exist. While the parts are made,
 * they only read where the last instance stopped.
 */
export function createParts(ctx: DurableObjectState, env: Env) {
  const { storage, id } = ctx;
  const { sql } = storage;
  const waitUntil = (work: Promise<void>): void => ctx.waitUntil(work);
  const account = (): string => {
    if (id.name === undefined) throw new Error('an outbox must be addressed by its account’s name');
    return id.name;
  };
  const meta = new Meta(sql, secureRandomBytes);
  const { tag } = meta;
  const origin = (): Origin => ({ account: account(), tag });

  const alarm = new Alarm(storage, clock);
  const calls = new Calls(callsPerRun(variable(env, 'CALLS_PER_RUN')));
  const config = new AccountConfig(env, calls, account);
  const policy = () => config.policy();
  const notifier = new Notifier({
    sql,
    policy,
    secret: (name) => notifySecret(env, name),
    fetch: (input, init) => {
      calls.spend();
      return fetch(input, init);
    },
    mayCall: () => calls.left > 0,
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
  const withTimeout = sharedTimeouts();
  const dispatch = new Dispatch({
    storage,
    meta,
    policy,
    calls,
    call: (message, timeoutMs) => callGateway(env, account(), message, timeoutMs, withTimeout),
    blockedReason: () => {
      const credentials = readCredentials(env, account());
      return credentials.ok ? null : credentials.error.join('; ');
    },
    policyNow: () => config.policyNow(clock()),
    askForCommit: () => intake.askForCommit(),
    nextCommit: () => intake.nextCommit(),
    fallBack: (row, record) => intake.fallBack(row, record),
    onRecorded: (recorded) => {
      owner.recorded(recorded);
      tail.changed(recorded.row, recorded.decision.state, recorded);
      incidents.record(recorded.row, recorded.decision.state, recorded.attempt.outcome);
    },
    onExpired: (row) => {
      logMessage('message.expired', row, origin());
      tail.changed(row, 'expired');
      incidents.record(row, 'expired', null);
    },
    review: (row) => {
      const reviewed = incidents.review(row, config.known);
      if (typeof reviewed !== 'string') return reviewed;
      if (reviewed === 'superseded') {
        counters.reached(row.source, 'superseded', clock());
        logMessage('message.superseded', row, origin());
        tail.changed(row, 'superseded');
      } else postpone(row, clock() + UNREAD_MS);
      return null;
    },
    onClaimed: (row) => tail.changed(row, 'sending'),
    clock,
    random: Math.random,
    // Resolves also when its signal aborts.
    sleep,
  });
  const { claims } = dispatch;
  const { counters } = claims;
  const isSending = (seq: number): boolean => claims.flight.has(seq);
  const postpone = ({ seq, priority }: MessageRow, at: number): void => {
    sql.exec('UPDATE messages SET next_at = ? WHERE seq = ?', at, seq);
    claims.queue.dueAt(at, priority === 1 ? 1 : 0);
  };

  const limits = new SourceLimits(sql);
  const heartbeats = new Heartbeats(sql);
  const reuse = new Reuse(sql);
  const guard = new StorageGuard(sql, maxStorageBytes(variable(env, 'OUTBOX_MAX_MIB')));
  /** To be called before rows are deleted: a start counts from rows what came after the checkpoint. */
  const keepForSweep = (): void => {
    if (counters.isChanged) counters.keepNow();
    intake.keepCounters();
  };
  const storageWatch = new StorageWatch({
    storage,
    guard,
    sendingSeqs: () => claims.flight.seqs(),
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
    isSending,
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
  const schedule = new Schedule({
    sql,
    alarm,
    config,
    dispatch,
    notifier,
    heartbeats,
    housekeeping,
    incidents: () => incidents,
  });
  const delivery = new Delivery({ alarm, calls, config, dispatch, schedule, account, clock });
  const incidents = new Incidents({
    storage,
    config: () => config.read(),
    policyIn: (loaded) => config.policyIn(loaded),
    updateAt: ({ perRecipient }, phone, now) => {
      // One place is left for what the receiver does not know of.
      const perHour = Math.max(1, (perRecipient?.perHour ?? 0) - 1);
      return claims.pace.nextSendToAt(perRecipient && { perHour }, phone, now);
    },
    onMoved: (moves) => logMoves(moves, origin()),
    onNotified: (row) => logNotified(row, origin()),
    queue: ({ draft, origin: from }) => intake.queue({ drafts: [draft], origin: from }),
    isUnderWay: isSending,
    hurry: (seq) => {
      const row = messageRow({ sql }, seq);
      if (row?.state !== 'retrying' || isSending(seq)) return;
      postpone(row, clock());
      delivery.wake(clock());
    },
    wakeAt: (at) => alarm.bringForward(at),
    account,
    clock,
  });
  const intake = new Intake({
    storage,
    incidents,
    overflow: () => overflow,
    tag,
    reuse,
    claims,
    dispatch,
    limits,
    heartbeats,
    guard,
    storageWatch,
    schedule,
    delivery,
    tail,
  });
  const overflow = new Overflow({
    sql,
    tag,
    queue: () => claims.queue,
    policyNow: () => config.policyNow(clock()),
    config: () => config.read(),
    policyIn: (loaded) => config.policyIn(loaded),
    add: (message, also) => intake.queue(message, also),
    replace: (seq, message, also) => intake.replace(seq, message, also),
    onCounted: (rows) => {
      for (const row of rows) {
        counters.reached(row.source, 'cancelled', clock());
        tail.changed(row, 'cancelled');
      }
      intake.keepCounters();
    },
    account,
    clock,
  });
  const read = (): ReadContext => ({
    sql,
    tag,
    account: account(),
    claims,
    open: incidents.open,
  });
  const onChanged = (now: number): void => {
    intake.keepCounters();
    delivery.wake(now);
  };
  const onCancelled = (row: MessageRow): void => incidents.record(row, 'cancelled', null);
  const operations = new Operations({ storage, read, tail, origin, onCancelled, onChanged });
  const removal = new Removal({ env, sql, alarm, calls, config, account });
  return {
    alarm,
    calls,
    config,
    delivery,
    dispatch,
    guard,
    heartbeats,
    housekeeping,
    incidents,
    intake,
    tail,
    meta,
    operations,
    owner,
    read,
    removal,
    schedule,
  };
}
