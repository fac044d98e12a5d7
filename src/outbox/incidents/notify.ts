import { standingOf } from '../../lib/shares.ts';
import { NONE_MISSED } from '../../render/notification-scope.ts';
import type { BeyondRef } from './beyond.ts';
import { compose } from './compose.ts';
import type { Look } from './context.ts';
import type { DraftMessage, MessageOrigin } from '../state/acceptance.ts';
import { sharedBy, type Group, type Says, type Subscriber } from './entries.ts';
import { holdBack } from './hold-back.ts';
import { owed, type Owed, type OwedMessage } from './owed.ts';
import { openIn, saysOf } from './says.ts';
import { addMessage } from './subscribers.ts';
import { isSuppressedIn } from './suppressed.ts';
import { summarize } from './summarize.ts';
import { lookAtGroup } from './timers.ts';

/** The wait if the account has no space for messages (ms). */
const FULL_MS = 60_000;

/** The rest of a receiver that something threw for (ms). */
const FAULT_MS = 30_000;
const MAX_FAULTY = 1_000;

/** Until when receivers are not looked at (ms), since something threw for them: a row that cannot be read, a text that cannot be rendered. */
export type Faulty = Map<string, number>;

/**
 * Notifies of all that is due. A fault is one receiver's alone: the others are notified, then it throws, and memory is read from the
 * rows again.
 */
export function notifyAll(look: Look, faulty: Faulty): void {
  const faults: unknown[] = [];
  // First: the morning's message counts what was only counted and has expired.
  summarize(look);
  const guarded = (subscriber: Subscriber, work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      faults.push(thrown);
      if (faulty.size >= MAX_FAULTY) faulty.clear();
      faulty.set(nameOfReceiver(subscriber), look.now + FAULT_MS);
    }
  };
  for (const subscriber of passTime(look, faulty, guarded))
    guarded(subscriber, () => {
      notify(look, subscriber);
      look.open.subscribers.forgetIdle(subscriber);
    });
  if (faults.length > 0) throw faults[0];
}

const nameOfReceiver = ({ source, route, phone }: Subscriber): string => `${source}/${route}/${phone}`;

/**
 * Runs the timers of everything that is due, before anybody is notified: when one incident resolves, others may be
 * notified. Also checks holds where nobody is notified now: an incident that was silenced, and resolves in quiet hours,
 * was not missed.
 */
function passTime(
  look: Look,
  faulty: Faulty,
  guarded: (subscriber: Subscriber, work: () => void) => void,
): ReadonlySet<Subscriber> {
  const { open, now } = look;
  const passed = new Set<Subscriber>();
  for (let some: readonly Subscriber[] | null = null; some === null || some.length > 0;) {
    holdBack(look, open.takeUnchecked());
    some = open.subscribers.takeDue(now);
    for (const subscriber of some) {
      const until = faulty.get(nameOfReceiver(subscriber)) ?? 0;
      if (until > now) open.subscribers.bringForward(subscriber, until);
      else
        guarded(subscriber, () => {
          faulty.delete(nameOfReceiver(subscriber));
          for (const group of subscriber.groups.values()) lookAtGroup(look, group);
          passed.add(subscriber);
        });
    }
  }
  return passed;
}

/** Queues a message for a receiver of a route, if one is owed now. */
function notify(look: Look, subscriber: Subscriber): void {
  const { open, now, deps } = look;
  const { message, lookAt } = askOwed(look, subscriber, null);
  open.subscribers.bringForward(subscriber, Math.max(now, lookAt));
  if (message === null) return;
  const { says, draft, origin } = render(look, subscriber, message);
  const seq = deps.messages.queue({ drafts: [draft], origin });
  if (seq === null) return open.subscribers.bringForward(subscriber, now + FULL_MS);
  addMessage(subscriber, { seq, says, isTried: false, isCalling: false });
}

/**
 * Asks what a receiver is {@link owed} now, as soon as all holds are known; these then apply. `turn`: the groups of the
 * message that is to be sent now; null if none is queued.
 */
export function askOwed(look: Look, subscriber: Subscriber, turn: readonly string[] | null): Owed {
  for (;;) {
    for (const group of subscriber.groups.values()) lookAtGroup(look, group);
    const now = owedNow(look, subscriber, turn);
    if (now.message !== null && holdBack(look, notHeld(now.message.groups))) continue;
    subscriber.until = now.until;
    subscriber.lookedAt = look.now;
    keepHold(look, subscriber, now);
    return now;
  }
}

function owedNow(look: Look, subscriber: Subscriber, turn: readonly string[] | null): Owed {
  const { deps, config, now } = look;
  const rules = look.rulesFor(subscriber);
  const policy = deps.config.policyIn(config);
  const above = rules.route === null ? 1 : policy.digestAbove;
  if (subscriber.rest?.after === 'suppressed' && !isSuppressedIn(config, subscriber))
    look.setSubscriber(subscriber, { rest: { ...subscriber.rest, after: 'over' } });
  const digestAbove = rules.priority === 'high' ? null : above;
  const standing = standingOf(rules.source?.isOpen === true, rules.priority);
  // One place of the receiver's hour stays free for something that it does not know of.
  const perHour = Math.max(1, (policy.perRecipient?.perHour ?? 0) - 1);
  const to = { phone: subscriber.phone, standing };
  const updateAt = deps.claims.pace.nextSendToAt(policy.perRecipient && { perHour }, to, now);
  return owed(subscriber, { rules, updateAt, digestAbove, turn }, now);
}

const notHeld = (groups: readonly Group[]) =>
  groups.flatMap(({ entries }) => [...entries].filter(({ held }) => held === null));

/**
 * Records that something is held back from now on, or nothing any more. A hold that a message ends lasts until the
 * message is sent.
 */
function keepHold(look: Look, subscriber: Subscriber, { held, message }: Owed): void {
  if (held === subscriber.held || (held === null && message !== null)) return;
  if (subscriber.held === null || held === null) subscriber.missed = NONE_MISSED;
  look.setSubscriber(subscriber, { held });
}

/** Renders the message, and its statements about incidents. */
export function render(
  look: Look,
  subscriber: Subscriber,
  message: OwedMessage,
): { readonly draft: DraftMessage; readonly origin: MessageOrigin; readonly says: Says } {
  const { sql, open, now, config } = look;
  const { held } = subscriber;
  const rules = look.rulesFor(subscriber);
  const refs = rules.route === null ? [] : beyondRefs(subscriber, message);
  const counted = countedIn(look, refs, now - rules.expiresMs);
  const { draft, event, shown } = compose({ sql, open, subscriber, rules, ...message, held, counted, now });
  if (counted.open > 0 && draft.about?.firing === 0) for (const ref of refs) look.beyond.tell(ref);
  const says: Says = {
    ...saysIn(message, shown),
    ...(draft.links !== undefined && { also: openIn(message.groups) }),
  };
  const isOpen = rules.source?.isOpen;
  const origin = { event, source: subscriber.source, since: now, configVersion: config.version, isOpen };
  return { draft: { ...draft, says }, origin, says };
}

const beyondRefs = (subscriber: Subscriber, { groups }: OwedMessage): readonly BeyondRef[] => {
  const { source, route, phone } = subscriber;
  const grouped = new Set(groups.map((group) => sharedBy(group) ?? ''));
  return [...grouped].map((one) => ({ source, route, phone, grouped: one }));
};

/** Returns the numbers of incidents beyond the bounds; see {@link Beyond.openOf}. */
const countedIn = ({ beyond }: Look, refs: readonly BeyondRef[], since: number) =>
  refs
    .map((ref) => beyond.openOf(ref, since))
    .reduce((sum, one) => ({ open: sum.open + one.open, unheard: sum.unheard + one.unheard }), {
      open: 0,
      unheard: 0,
    });

/** Returns the content of a message. `shown`: the incidents that its text names. */
export const saysIn = (
  { groups, ...message }: OwedMessage,
  shown: Parameters<typeof saysOf>[1] = new Set(),
): Says => ({ ...message, groups: groups.map(({ name }) => name), incidents: saysOf(groups, shown) });
