import type { Quiet } from '../../config/config.ts';
import { compose, type Composed } from './compose.ts';
import type { Look } from './context.ts';
import { factsOf, restsUntil } from './due.ts';
import { isLone, type Group, type Says, type Subscriber } from './entries.ts';
import { holdBack } from './hold-back.ts';
import { lookAtGroup } from './look-at-group.ts';
import { saysOf } from './notice.ts';
import { isOnItsWay, mustWait } from './notices.ts';
import { plan, quietNow, type DueGroup, type Gate, type Plan, type QuietNow } from './plan.ts';
import { summarize } from './summarize.ts';

/** How long an account without space for messages waits (ms). */
const FULL_MS = 60_000;

/** How long after quiet hours what they held back goes out, whatever was published in them (ms). */
const OVER_MS = 3_600_000;

/** A group that is due, as the plan and the open incidents know it. */
interface Due extends DueGroup {
  readonly group: Group;
}

/** What a receiver is notified of now. */
export interface Planned {
  readonly plan: Plan<Due>;
  readonly gate: Gate;
}

/** Notifies of all that is due. */
export function notifyAll(look: Look): void {
  const { open, now } = look;
  // What ends here may let others be notified. What is held back is known also where nobody is notified now: what is resolved in
  // quiet hours and was silenced was not missed.
  for (let groups: readonly Group[] | null = null; groups === null || groups.length > 0;) {
    holdBack(look, open.heldBack.takeUnchecked());
    groups = open.groupTimes.take(now);
    for (const group of groups) lookAtGroup(look, group);
  }
  for (const subscriber of open.subscriberTimes.take(now)) {
    notify(look, subscriber);
    open.subscribers.forgetIdle(subscriber);
  }
  summarize(look);
}

/** Queues a message for a receiver of a route, if it may be notified now. */
function notify(look: Look, subscriber: Subscriber): void {
  const { open, now, deps } = look;
  if (mustWait(subscriber)) return;
  const { rest } = subscriber;
  const until = rest === null ? now : restsUntil(rest, look.rulesFor(subscriber).repeatMs);
  if (until > now) return open.subscriberTimes.bringForward(subscriber, until);
  const planned = planFor(look, subscriber);
  keepHold(look, subscriber, planned);
  const { message, until: nextAt } = planned.plan;
  if (message !== null) {
    const { composed, says } = messageOf(look, subscriber, planned, message);
    const draft = { ...composed.draft, says };
    const seq = deps.queue({ draft, origin: originOf(look, subscriber, composed) });
    if (seq === null) return open.subscriberTimes.bringForward(subscriber, now + FULL_MS);
    open.notices.put({ seq, subscriber, says, isTried: false, isCalling: false });
  }
  // Once the message is on its way, it is looked at what else is due.
  else if (nextAt !== null) open.subscriberTimes.bringForward(subscriber, Math.max(now, nextAt));
}

/** Decides what a receiver is notified of now, by quiet hours, throttle and what is held back. `own`: groups that go first. */
export function planFor(look: Look, subscriber: Subscriber, own: readonly string[] = []): Planned {
  const gate = gateOf(look, subscriber);
  let planned = plan(dueOf(subscriber, own), gate, look.now);
  while (planned.message !== null && holdBack(look, entriesOf(planned.message.groups))) {
    for (const { group } of planned.message.groups) lookAtGroup(look, group);
    planned = plan(dueOf(subscriber, own), gate, look.now);
  }
  return { plan: planned, gate };
}

/** From now on something is held back, or nothing is any more. What a message ends, ends when it is sent. */
export function keepHold(look: Look, subscriber: Subscriber, { plan: { held, message } }: Planned): void {
  if (held === subscriber.held || (held === null && message !== null)) return;
  if (subscriber.held === null || held === null) subscriber.missed = 0;
  look.setSubscriber(subscriber, { held });
}

/** The message, and what it says of incidents. */
export function messageOf(
  look: Look,
  subscriber: Subscriber,
  planned: Planned,
  { form, groups: due }: NonNullable<Planned['plan']['message']>,
): { readonly composed: Composed; readonly says: Says } {
  const groups = due.map(({ group }) => group);
  const { held, missed } = planned.gate;
  const rules = look.rulesFor(subscriber);
  const composed = compose({ sql: look.sql, subscriber, rules, form, groups, held, missed, now: look.now });
  return { composed, says: saysIn(planned, groups, composed.shown, subscriber) };
}

/** What a message about these groups would say. `shown`: what its text names. */
export const saysIn = (
  { plan: { message, held, isFree }, gate }: Planned,
  groups: readonly Group[],
  shown: Composed['shown'],
  subscriber: Subscriber,
): Says => {
  const endsHold = held === null && subscriber.held !== null;
  return {
    form: message?.form ?? 'group',
    groups: groups.map(({ name }) => name),
    incidents: saysOf(groups, shown),
    isFree,
    endsHold,
    missed: endsHold ? gate.missed : 0,
  };
};

export const originOf = ({ now, config }: Look, { source }: Subscriber, { event }: Composed) => ({
  event,
  source,
  since: now,
  configVersion: config.version,
});

function gateOf(look: Look, subscriber: Subscriber): Gate {
  const { deps, config, now } = look;
  const rules = look.rulesFor(subscriber);
  const policy = deps.policyIn(config);
  const underWay = new Set(subscriber.notices.values());
  const places = [...underWay].filter(({ says }) => !says.isFree).length;
  const above = rules.route === null ? 1 : policy.digestAbove;
  return {
    quiet: quietFor(subscriber, rules.quiets, now),
    throttle: rules.throttle,
    sentAt: [...subscriber.sentAt, ...Array.from({ length: places }, () => now)],
    updateAt: deps.updateAt(policy, subscriber.phone, now),
    held: subscriber.held,
    missed: subscriber.missed,
    digestAbove: rules.priority === 'high' ? null : above,
  };
}

/** `own`: what a message is about already goes first. */
const dueOf = ({ due }: Subscriber, own: readonly string[]): Due[] =>
  [...due]
    .filter((group) => !isOnItsWay(group))
    .toSorted((one, other) => Number(own.includes(other.name)) - Number(own.includes(one.name)))
    .map((group) => ({ group, facts: factsOf(group.entries), isLone: isLone(group) }));

const entriesOf = (due: readonly Due[]) => due.flatMap(({ group }) => [...group.entries.values()]);

/** Quiet hours in which something was held back end when they would have, whatever was published since. */
function quietFor({ held }: Subscriber, quiets: readonly Quiet[], now: number): QuietNow | null {
  if (held?.by !== 'quiet' || held.until === null) return quietNow(quiets, now);
  // What could not be sent when they ended, since the account was paused, has the next night’s.
  const afterwards = now - held.until < OVER_MS ? null : quietNow(quiets, now);
  const holdsResolved = quiets.length === 0 || quiets.some(({ resolved }) => resolved === 'hold');
  return held.until > now ? { until: held.until, as: held.as, holdsResolved } : afterwards;
}
