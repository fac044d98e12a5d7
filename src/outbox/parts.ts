import { faultsText } from '../lib/problem.ts';
import { readGateway } from '../config/secrets/gateway.ts';
import { describeError, log } from '../lib/log.ts';
import { sleep, sharedTimeouts } from '../lib/wait.ts';
import { BUSY, refusedReceipt } from './accept/admission.ts';
import { createBase } from './base.ts';
import { Housekeeping, SWEEP_EACH_MS } from './housekeeping.ts';
import { Incidents, UNREAD_MS } from './incidents/incidents.ts';
import { escapedElsewhere } from './incidents/record.ts';
import { OUTDATED } from './incidents/notify.ts';
import { isSuppressedIn, isWholeRouteSuppressed } from './incidents/rules.ts';
import { takeIn } from './intake.ts';
import { Loop, type Now } from './loop.ts';
import { Messages } from './message.ts';
import { OtherAccounts } from './other-accounts.ts';
import { Overflow } from './overflow/overflow.ts';
import type { ReadContext } from './read/read.ts';
import { createSchedule } from './schedule.ts';
import { callGateway } from './send/call-gateway.ts';
import { FAULT_MS } from './send/flight.ts';
import { Timing } from './send/timing.ts';
import { type Acceptance, type Receipt, heldBytes } from './state/acceptance.ts';
import { messageId } from './state/message.ts';

/** After a fault (a broken read, a bug) sending is tried again after this, for ever (ms). */
const RETRY_MS = 30_000;

/** The parts of an outbox. */
export type OutboxParts = ReturnType<typeof createParts>;

/** Makes the parts of an outbox. The tables must exist. While they are made, they only read where the last instance stopped. */
export function createParts(ctx: DurableObjectState, env: Env) {
  const base = createBase(ctx, env);
  const {
    account,
    alarm,
    calls,
    claims,
    clock,
    config,
    escapes,
    meta,
    origin,
    owner,
    sql,
    storage,
    tag,
    tail,
  } = base;
  const housekeeping = new Housekeeping(base);
  const messages = new Messages(base);
  const incidents = new Incidents({ ...base, messages });
  messages.tell(incidents);

  const sendEscapes = (now: Now): void =>
    escapes.send({
      now,
      taken: (rows) => {
        escapedElsewhere(incidents.open, rows, clock());
        incidents.ask();
      },
    });

  const others = new OtherAccounts({ ...base, messages, incidents });

  const blockedReason = (): string | null => {
    // A run reads the policy before it sends.
    const policy = config.policyNow(clock());
    const gateway = policy === null ? null : readGateway(env, account(), policy.gateway);
    return gateway === null || gateway.ok ? null : faultsText(gateway.error);
  };
  const timing = new Timing({ meta, claims, calls, blockedReason, clock });

  const schedule = createSchedule(base, timing, housekeeping, incidents);
  const overflow = new Overflow({ ...base, messages });
  /** Logs a fault, and has the alarm try again. */
  const onFault = (thrown: unknown): void => {
    log('error', 'outbox.alarm.failed', { account: account(), error: describeError(thrown) });
    alarm.bringForward(clock() + RETRY_MS);
  };
  const withTimeout = sharedTimeouts();
  const loop = new Loop<Acceptance, Receipt>({
    claims,
    timing,
    calls,
    messages,
    alarm,
    policy: () => config.policy(),
    // Incidents need more of the configuration than the policy that comes with an event.
    policyNow: () =>
      incidents.isAsked && config.inForce(clock()) === null ? null : config.policyNow(clock()),
    isAsked: () => incidents.isAsked,
    call: (message, policy) => callGateway(env, origin(), message, policy, { withTimeout, now: clock }),
    begin: () => void incidents.load(),
    accept: (acceptances) => takeIn(base, messages, incidents, acceptances),
    notify: () => incidents.notify(config.inForce(clock())),
    review: (row) =>
      // If its end cannot be written, memory has it as before.
      incidents.within(() => {
        const reviewed = incidents.review(row, config.known);
        if (typeof reviewed !== 'string') return reviewed;
        // Only an older configuration could be read: the registry is asked again after a while.
        const wait = config.inForce(clock()) === null ? UNREAD_MS : FAULT_MS;
        if (reviewed === 'unread') messages.postpone(row, clock() + wait);
        else messages.end(row, { state: 'superseded', reason: OUTDATED });
        return null;
      }),
    onFault: ({ seq }, thrown) => {
      const message = messageId(seq, tag);
      log('error', 'outbox.message.failed', { account: account(), message, error: describeError(thrown) });
    },
    isSuppressed: (row) => isSuppressedIn(config.known, row),
    end: (row, end) => {
      messages.end(row, end);
      if (end.state === 'suppressed' && isWholeRouteSuppressed(config.known, row, clock()))
        owner.suppressed(row);
    },
    onPutBack: (row) => incidents.putBack(row),
    onClaimed: (row) => tail.changed(row, 'sending'),
    onWritten: () => {
      // What was added is swept.
      schedule.armLost(clock() + SWEEP_EACH_MS);
      if (base.disk.isDue) housekeeping.lookAtDisk();
    },
    wakeIfStopped: () => schedule.stretchNet(),
    onChanged: (now) => {
      void overflow.look(now);
      others.follow(now);
      sendEscapes(now);
    },
    onRunEnded: () => schedule.arm(config.known, false),
    onRunFailed: onFault,
    group: {
      flushed: () => storage.sync(),
      sizeOf: heldBytes,
      refused: ({ event }) => refusedReceipt(event.id, BUSY),
    },
    clock,
    // Resolves also when its signal aborts.
    sleep,
  });

  const read = (): ReadContext => ({ sql, tag, account: account(), claims, open: incidents.open });
  return {
    ...base,
    housekeeping,
    incidents,
    loop,
    messages,
    onFault,
    others,
    read,
    schedule,
    sendEscapes,
    timing,
  };
}
