import { AlertsModel } from '../model/alerts.ts';
import type { Notice } from '../model/holders.ts';
import type { Farewell } from '../model/renames.ts';
import { GroupInterval } from '../model/group-interval.ts';
import type { Missed, Statement } from '../model/statement.ts';
import { countIn, MessagesModel, type GatewayCall } from '../model/messages.ts';
import { SETTLING_MS } from '../model/holds.ts';
import { OptOuts } from '../model/opt-outs.ts';
import { OwnerModel } from '../model/owner.ts';
import { PaceModel } from '../model/pace.ts';
import { isBlocked, standingOf, UrgentModel } from '../model/strangers.ts';
import { ThrottleModel } from '../model/throttle.ts';
import type { Report } from '../model/report.ts';
import { RELAY, type CreateWorld } from '../simulation.ts';
import { checkAtQuiet, SMALL_MIB } from './at-quiet.ts';
import { channelOf } from './channel.ts';
import { Gateway } from './gateway.ts';
import { IN_STEPS, stepsOf } from './escalation.ts';
import { personOf } from './links.ts';
import { optOutAndIn } from './opting-out.ts';
import { People } from './people.ts';
import {
  ALERTS_ACCOUNT,
  CHANNEL,
  GROUP,
  NAMES,
  ON_CALL,
  planOf,
  PRESSED_SILENCE_MS,
  RETRY,
  TOLD_NAME,
} from './plan.ts';
import { Receivers } from './receivers.ts';
import { Relay, SENDER_SECRET } from './relay.ts';
import { Senders } from './senders.ts';
import { firewallOf, Flood, WARD, WARD_STEP } from './strangers.ts';
import { isShortAlert } from './unsent.ts';
import { silenceWarnings } from './warnings.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The time after the last fault until all must have settled: the longest quiet hours, and what waits behind them. */
const SETTLED_MS = 19 * HOUR_MS;

/** An answer is written down within this time (ms). */
const RECORD_MS = 30_000;

/** The relay tries to write KV again so often at least (ms). */
const KV_AGAIN_MS = 10 * MINUTE_MS;

/** Everything around the relay: who sends, who gets, who runs it, and what must hold. */
export const createWorld: CreateWorld = (simulation, bindings) => {
  const random = simulation.random;
  const plan = planOf(random.fork('plan'), simulation.seed);
  Object.assign(
    bindings,
    BINDINGS_OF_WORLD,
    plan.answers !== null && { PUBLIC_URL: RELAY },
    plan.owner !== null && { NOTIFY_OWNER: `https://${CHANNEL}/owner` },
    plan.isSmall && { OUTBOX_MAX_MIB: String(SMALL_MIB) },
  );
  const report: Report = (rule, message) => simulation.report(rule, message);
  const failedUntil = (from: number): number | null => {
    const until = simulation.kvFailedUntil(from);
    return until === null ? null : until + KV_AGAIN_MS;
  };
  const optOuts = new OptOuts(
    report,
    (text) =>
      text.startsWith('approved ') || (text.startsWith('batch ') && plan.opting?.isTransactional === true),
    (from) => (from === Infinity ? from : (failedUntil(from) ?? from) + SETTLING_MS),
  );
  const messages = new MessagesModel(
    report,
    RETRY.length,
    (message, from) => optOuts.maySuppress(message, from),
    plan.digestAbove,
  );
  const rules = {
    ...plan,
    takesTurns: plan.turns !== null,
    pressedSilenceMs: PRESSED_SILENCE_MS,
    steps: stepsOf(plan.escalation),
    acknowledgedForMs: plan.escalation?.acknowledgedForMs ?? DAY_MS,
  };
  const alerts = new AlertsModel(report, rules, failedUntil);
  const pace = new PaceModel(report);
  const perDay = plan.strangers?.newContacts ?? null;
  const urgent = new UrgentModel(
    report,
    {
      ...plan,
      account: ALERTS_ACCOUNT,
      strangersPerDay: perDay === null ? null : perDay / 3,
      phones: WARD,
      areBatchesUrgent: plan.owner !== null,
      steps: [WARD_STEP],
    },
    () => simulation.faultAt(),
  );
  const owner = plan.owner === null ? null : new OwnerModel(report, plan.owner);
  if (owner !== null) channelOf(simulation, random.fork('channel'), owner);
  const throttle = new ThrottleModel(report, plan.throttle);
  const groupInterval = new GroupInterval(report, plan.isGrouped ? GROUP.intervalMs : 0, (from, to) =>
    alerts.changes.mayHaveExpired(from, to),
  );
  let calmAt: number | null = null;
  let recordedAt = 0;
  const relay = new Relay(simulation, random.fork('relay'));
  const gateway = new Gateway({
    simulation,
    random: random.fork('gateway'),
    firewall: firewallOf(plan.strangers),
    unreachable: (account) => {
      messages.unreachable(simulation.now());
      if (account !== ALERTS_ACCOUNT) return;
      alerts.heldUp(simulation.now());
      urgent.unreachable(simulation.now());
    },
    called: (call, text) => {
      recordedAt = Math.max(recordedAt, call.endsAt + RECORD_MS);
      const setBackMs = simulation.clockOffMs(call.at - HOUR_MS);
      pace.called(
        call,
        plan.owner !== null && call.text.startsWith('batch ') ? { ...plan, perHour: null } : plan,
        setBackMs,
      );
      urgent.called(call);
      if (isBlocked(call)) return;
      const says = statementsOf(call.text);
      if (call.account === ALERTS_ACCOUNT)
        if (call.outcome !== 'sent' || (isOfIncidents(call.phone) && pace.isNearLimit(call, plan)))
          alerts.heldUp(call.at);
        else alerts.flows(call.at);
      if (standingOf(call) !== 'signed') return;
      receivers.called(call, text);
      if (call.outcome === 'sent') owner?.sent(call);
      if (says === null) optOuts.called(call);
      if (says === null) return messages.called(call, plan.isHeld && call.text.startsWith('order'));
      // In place of what is refused comes its fallback: only if that is refused, too, nobody is notified.
      const isLast = plan.fallbacks?.ofAlerts !== true || isShortAlert(call.text);
      const isRefused = isForGood(call) && isLast;
      const how = { ...call, isUncertain: call.outcome === 'uncertain', isRefused };
      const notice = noticeIn(call.text);
      if (notice !== null) return alerts.noticed({ ...how, ...notice });
      const missed = missedIn(call.text);
      const farewell = farewellIn(call.text);
      const isGone = alerts.renames.lastAt > -Infinity;
      if (farewell !== null && isGone) return alerts.saidFarewell({ ...how, ...farewell, missed });
      // The built-in text takes the place of a template that would not say what is not heard of any more.
      const ended = farewell?.resolved.map((key): Statement => ({ key, status: 'resolved', isNew: false }));
      const alert = {
        ...how,
        says: ended ?? says,
        missed,
        isOfStep: call.text.includes('\nNot acknowledged since '),
      };
      if (alert.isOfStep && alert.isShown) simulation.count('steps');
      alerts.called(alert);
      groupInterval.called(alert, setBackMs);
      const hadToWait = alerts.hadToWait(call.at);
      throttle.called(alert, { setBackMs, hadToWait, since: alerts.renames.lastAt });
    },
  });
  simulation.onLoss((object) => {
    if (!object.startsWith('Outbox/')) return;
    const fullSince = simulation.diskFullSince(simulation.now() - MINUTE_MS);
    messages.lost(simulation.now(), fullSince);
    owner?.disturbed(simulation.now());
    alerts.lost(simulation.now(), fullSince);
    throttle.lost(simulation.now());
    groupInterval.lost(simulation.now());
  });
  const host = { simulation, plan, relay, messages, alerts, optOuts, urgent, owner };
  const senders = new Senders({ ...host, random: random.fork('senders') });
  const people = new People({ ...host, random: random.fork('people') });
  const receivers = new Receivers({ ...host, random: random.fork('receivers') });
  const flood = new Flood({ ...host, random: random.fork('strangers'), account: ALERTS_ACCOUNT });

  simulation.spawn('world', async () => {
    await people.publish();
    // Until every place has it.
    await simulation.sleep(2 * MINUTE_MS);
    senders.start();
    simulation.spawn('gateway fails', () => gateway.fail(plan.failuresADay));
    simulation.spawn('people', () => people.act());
    if (plan.turns !== null) simulation.spawn('handovers', () => people.handOver());
    const { opting, maxAge, fallbacks, nights, strangers, restoreEveryMs } = plan;
    if (restoreEveryMs !== null)
      simulation.spawn('restorations', () => people.restore(random.fork('restorations'), restoreEveryMs));
    if (strangers !== null) flood.start(strangers);
    const renameEveryMs = nights?.renameEveryMs ?? null;
    if (renameEveryMs !== null)
      simulation.spawn('renames', () =>
        people.rename(random.fork('renames'), renameEveryMs, (deed) => senders.restDuring(deed)),
      );
    if (maxAge !== null)
      simulation.spawn('long pauses', () => people.pauseForLong(random.fork('long pauses'), maxAge));
    if (fallbacks !== null)
      simulation.spawn('gateway refuses', () =>
        gateway.refuse(random.fork('refusals'), fallbacks.refusalsEveryMs),
      );
    if (plan.handOnMs !== null)
      simulation.spawn('gateway of batches refuses', () =>
        gateway.refuse(random.fork('refusals of batches'), 6 * HOUR_MS, 'second'),
      );
    if (opting !== null)
      simulation.spawn('opting out', () =>
        optOutAndIn({ ...host, random: random.fork('opting out') }, opting),
      );
    if (plan.worsens)
      simulation.spawn('warnings', () => silenceWarnings({ ...host, random: random.fork('warnings') }));
  });

  return {
    settleMs: SETTLED_MS + HOUR_MS,
    isQuiet: () => {
      if (calmAt === null) {
        calmAt = simulation.now();
        gateway.calm();
        simulation.spawn('resume', () => people.resumeAll());
      }
      const since = simulation.now() - calmAt;
      if (![senders, people, receivers, flood].every(({ areDone }) => areDone)) return false;
      if (since < 10 * MINUTE_MS) return false;
      if (simulation.now() < recordedAt) return false;
      return (
        since > SETTLED_MS || (messages.isSettled(simulation.now()) && alerts.isSettled(simulation.now()))
      );
    },
    atQuiet: () => {
      urgent.atQuiet(simulation.now());
      owner?.atQuiet(
        simulation.now(),
        (one) => messages.isByHand(one) || optOuts.maySuppress(one, one.requestedAt),
      );
      return checkAtQuiet({
        relay,
        report,
        messages,
        alerts,
        now: simulation.now(),
        hasPresses: plan.answers !== null,
        hasHolders: plan.answers !== null || plan.tells,
        bytes: (of) => simulation.bytesOnDisk(of),
        isSmall: plan.isSmall,
      });
    },
  };
};

const BINDINGS_OF_WORLD = {
  SENDER_SECRET,
  GATEWAY_SECOND_BASE_URL: 'https://second.gateway.example/api',
  GATEWAY_SECOND_EMAIL: 'second@example.com',
  GATEWAY_SECOND_API_KEY: 'second-gateway-key-of-the-simulation',
};

/** It is not tried again: an answer of these, or the third refusal of a message. */
const isForGood = ({ outcome }: GatewayCall): boolean => outcome === 'dead' || outcome === 'refused';

const isOfIncidents = (phone: string): boolean => [...ON_CALL, ...IN_STEPS].includes(phone);

/** The statement of a message about who has incidents; null: it is another message. */
function noticeIn(text: string): Pick<Notice, 'who' | 'isBack' | 'keys'> | null {
  const [, shown = '', has] = /^(\S+) (has it|no longer has it):/.exec(text) ?? [];
  const who = personOf(shown);
  if (who !== TOLD_NAME && !Object.values(NAMES).includes(who)) return null;
  return { who, isBack: has !== 'has it', keys: keysIn(text) };
}

const keysIn = (text: string): readonly string[] => [...text.matchAll(/k\d+/g)].map(([key]) => key);

/** The built-in text, which only a route that is gone has; null: it is another. */
function farewellIn(text: string): Pick<Farewell, 'resolved' | 'unwatched' | 'count'> | null {
  const part = (of: string): string =>
    new RegExp(`^(\\d+) ${of}:?((?:\n• .*)*)`, 'm').exec(text)?.slice(1).join('') ?? '';
  const [resolved, unwatched] = [part('resolved'), part('no longer watched')];
  if (!/^\d+ (?:resolved|no longer|opened and|not heard)/m.test(text)) return null;
  return {
    resolved: keysIn(resolved),
    unwatched: keysIn(unwatched),
    count: Number.parseInt(unwatched || '0', 10),
  };
}

/** The numbers of a digest, also in the built-in text. */
const missedIn = (text: string): Missed => ({
  resolved: Number(/missed:(\d+)|(\d+) opened and resolved/.exec(text)?.slice(1).find(Boolean) ?? 0),
  expired: Number(/unheard:(\d+)|(\d+) not heard of/.exec(text)?.slice(1).find(Boolean) ?? 0),
});

/** The statements of a message about incidents; null: it is about something else. */
function statementsOf(text: string): readonly Statement[] | null {
  if (/^(order|batch|approved|campaign) /.test(text) || countIn(text) !== null) return null;
  const fresh = new Set([...text.matchAll(/\+(k\d+)/g)].map(([, key = '']) => key));
  const all = [...text.matchAll(/([~+=-])(k\d+)/g)];
  return all
    .filter(([, sign, key = '']) => sign !== '=' || !fresh.has(key))
    .map(([, sign, key = '']) => ({
      key,
      status: sign === '-' ? 'resolved' : sign === '~' ? 'flapping' : 'firing',
      isNew: sign === '+',
    }));
}
