import { summarize } from './summaries.ts';
import {
  beginAgain,
  lapsesAt,
  expire,
  stable,
  stableAt,
  calling,
  isEnd,
  pendingOf,
  nextStep,
} from './incident.ts';
import { compose } from './compose.ts';
import { type Look, keepNotifiedAt, type Move } from './context.ts';
import { dueOf, owed, type Owed, saysIn, isSameNews } from './owed.ts';
import { type Group, type Says, type Subscriber, nameOf, type Entry, type SaysHolder } from './entries.ts';
import { escalate, holdBack } from './receivers.ts';
import { endRest } from './record.ts';
import { isSuppressedIn, EXPIRES_MS } from './rules.ts';
import { addMessage, nameOfReceiver, removeMessage } from './open-incidents.ts';
import type { About } from '../state/acceptance.ts';
import { NONE_MISSED } from '../../render/notification-scope.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { placeOf, readSays, readTitle } from './store.ts';
import { fallbackLinks } from '../state/fallback.ts';
import { changeRow, mayHaveArrived, type MessageRow, type Operation } from '../state/message.ts';
import { whoHasText } from '../../render/built-in-text.ts';

/** The wait if the account has no space for messages (ms). */
const FULL_MS = 60_000;

/** The rest of a receiver that something threw for (ms). */
const FAULT_MS = 30_000;
const MAX_FAULTY = 1_000;

/** Until when receivers are not looked at (ms), since something threw for them. */
export type Faulty = Map<string, number>;

/**
 * Runs all due timers and checks holds before anybody is notified, since an end frees others, or was not missed; then
 * notifies of all that is due. A fault is one receiver's alone: the others are notified, then it throws.
 */
export function notifyAll(look: Look, faulty: Faulty): void {
  const { open, now } = look;
  const faults: unknown[] = [];
  const guarded = (subscriber: Subscriber, work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      faults.push(thrown);
      if (faulty.size >= MAX_FAULTY) faulty.clear();
      faulty.set(nameOfReceiver(subscriber), now + FAULT_MS);
    }
  };
  // First: the morning's message counts what was only counted and has expired.
  summarize(look);
  const passed = new Set<Subscriber>();
  let due: readonly Subscriber[];
  do {
    holdBack(look, open.takeUnchecked());
    due = open.subscribers.takeDue(now);
    for (const subscriber of due) {
      const name = nameOfReceiver(subscriber);
      const until = faulty.get(name) ?? 0;
      if (until > now) open.subscribers.bringForward(subscriber, until);
      else
        guarded(subscriber, () => {
          faulty.delete(name);
          for (const group of subscriber.groups.values()) lookAtGroup(look, group);
          passed.add(subscriber);
        });
    }
  } while (due.length > 0);
  for (const subscriber of passed)
    guarded(subscriber, () => {
      notify(look, subscriber);
      open.subscribers.forgetIdle(subscriber);
    });
  if (faults.length > 0) throw faults[0];
}

function notify(look: Look, subscriber: Subscriber): void {
  const { open, now, deps } = look;
  const { message, lookAt } = askOwed(look, subscriber, null);
  open.subscribers.bringForward(subscriber, Math.max(now, lookAt));
  if (message === null) return;
  const { says, draft, origin } = compose(look, subscriber, message);
  const seq = deps.messages.queue({ drafts: [draft], origin });
  if (seq === null) return open.subscribers.bringForward(subscriber, now + FULL_MS);
  addMessage(subscriber, { seq, says, isTried: false, isCalling: false });
}

/** Asks what is {@link owed}, and applies the holds. `turn`: the groups of the message to be sent; null: none waits. */
function askOwed(look: Look, subscriber: Subscriber, turn: readonly string[] | null): Owed {
  for (;;) {
    for (const group of subscriber.groups.values()) lookAtGroup(look, group);
    const now = owedNow(look, subscriber, turn);
    const { held, message, until } = now;
    if (holdBack(look, message?.groups.flatMap(notHeldIn) ?? [])) continue;
    Object.assign(subscriber, { until, lookedAt: look.now });
    // A hold that a message ends lasts until that is sent.
    if (held !== subscriber.held && (held !== null || message === null)) {
      if (subscriber.held === null || held === null) subscriber.missed = NONE_MISSED;
      look.setSubscriber(subscriber, { held });
    }
    return now;
  }
}

const notHeldIn = ({ entries }: Group): readonly Entry[] => [...entries].filter(({ held }) => held === null);

function owedNow(look: Look, subscriber: Subscriber, turn: readonly string[] | null): Owed {
  const { deps, config, now } = look;
  const rules = look.rulesFor(subscriber);
  const { priority, route, standing } = rules;
  const policy = deps.config.policyIn(config);
  if (subscriber.rest?.after === 'suppressed' && !isSuppressedIn(config, subscriber))
    look.setSubscriber(subscriber, { rest: { ...subscriber.rest, after: 'over' } });
  const above = route === null ? 1 : policy.digestAbove;
  // One place of the receiver's hour stays free for something that it does not know of.
  const perHour = Math.max(1, (policy.perRecipient?.perHour ?? 0) - 1);
  const to = { phone: subscriber.phone, standing };
  const updateAt = deps.claims.pace.nextSendToAt(policy.perRecipient && { perHour }, to, now);
  return owed(subscriber, { rules, updateAt, digestAbove: priority === 'high' ? null : above, turn }, now);
}

/** Runs a group's timers, and computes when its receiver is to be notified of it, if that is not known already. */
export function lookAtGroup(look: Look, group: Group): void {
  if (group.due !== null && group.changesAt > look.now) return;
  runTimers(look, group);
  const { entries, subscriber } = group;
  group.due = dueOf(entries, look.rulesFor(subscriber));
  group.changesAt = Infinity;
  for (const entry of entries)
    group.changesAt = Math.min(group.changesAt, ...Object.values(timesOf(look, entry)));
}

/** When an incident is stable, expires, is released, loses its holder, and escalates (ms; Infinity: never). */
function timesOf(look: Look, { group, incident, held }: Entry) {
  const { incident: rule, expiresMs, route } = look.rulesFor(group.subscriber);
  const mayExpire = !incident.isLone && incident.resolvedAt === null;
  const { rest } = group.subscriber;
  // It may wait for long behind a throttle or a pause, but not for a receiver who can get nothing.
  const isGivenUp = !mayExpire && rest !== null && rest.after !== 'over';
  const { acknowledged, heardAt, resolvedAt } = incident;
  return {
    stable: stableAt(incident, rule?.flapping ?? null) ?? Infinity,
    expires: mayExpire ? heardAt + expiresMs : isGivenUp ? (resolvedAt ?? heardAt) + EXPIRES_MS : Infinity,
    heldUntil: held?.until ?? Infinity,
    lapses:
      acknowledged !== null && mayExpire && rule !== null
        ? lapsesAt(acknowledged, rule.acknowledgedForMs)
        : Infinity,
    escalates: nextStep(incident, route?.escalate ?? [])?.at ?? Infinity,
  };
}

/** Closes expired incidents, ends flapping, checks held-back incidents again, and takes the steps that are due. */
function runTimers(look: Look, group: Group): void {
  const { now, open } = look;
  const before = [...group.entries];
  const moves: Move[] = [];
  for (const entry of before) {
    const { ref, incident, held } = entry;
    const times = timesOf(look, entry);
    if (times.stable <= now) look.set(entry, stable(incident, held));
    else if (times.expires <= now) {
      look.set(entry, expire(incident, now, held));
      if (!incident.isLone && incident.resolvedAt === null) moves.push({ stage: 'incident.expired', ref });
    } else if (times.lapses <= now) {
      for (const { group: of } of look.change(ref, (one) => beginAgain(one.incident, times.lapses)))
        endRest(look, of.subscriber);
    } else if (times.heldUntil <= now) open.release(entry, now);
    escalate(look, entry);
  }
  const known = before.map(({ incident }) => incident);
  const last = known.toSorted((one, other) => (one.notifiedAt ?? 0) - (other.notifiedAt ?? 0)).at(-1);
  if (last !== undefined && group.entries.size < before.length) keepNotifiedAt(look, group, last);
  look.moved(moves);
}

/**
 * Returns the row with its content as of now; null: there is nothing to say. To be called in the claim's transaction.
 */
export function review(look: Look, row: MessageRow): MessageRow | null {
  const said = readSays(row);
  if (said.form === 'beyond') return row;
  const { open, now } = look;
  if (said.form === 'holder') return stillSo(look, row, said);
  const subscriber = open.subscribers.of(row);
  removeMessage(subscriber, row.seq);
  const reviewed = isAskedFor(row) ? asItIs(subscriber, row, said) : asOwed(look, subscriber, row, said);
  // The receiver is looked at again, for everything that is due and not in this message.
  open.subscribers.bringForward(subscriber, now);
  if (reviewed === null) return null;
  const says = parseOwnJson<Says>(reviewed.says ?? 'null');
  look.beyond.tell(subscriber, says, 'maybe');
  const message = addMessage(subscriber, { seq: row.seq, says, isTried: true, isCalling: false });
  beginCall(look, subscriber, message);
  return reviewed;
}

function asOwed(look: Look, subscriber: Subscriber, row: MessageRow, said: Says): MessageRow | null {
  const { message } = askOwed(look, subscriber, said.groups);
  if (message === null) return null;
  // A message that may have arrived is sent again unchanged, or not at all; and the text of a fallback cannot be made
  // again.
  if (mayHaveArrived(row) || fallbackLinks(row).of !== undefined)
    return isSameNews(subscriber, said, saysIn(message)) && isStillNamed(look.sql, subscriber, row)
      ? row
      : null;
  const { draft, origin } = compose(look, subscriber, message);
  // The message keeps its age.
  const expiresMs = row.expires_at === null ? null : row.expires_at - look.now;
  const onUncertain = row.on_uncertain === 'hold' ? 'hold' : 'retry';
  return look.deps.messages.rewrite(row, { ...draft, expiresMs, onUncertain }, origin);
}

/** True if, since the text was written, nothing that it names was held back or ended without a notification. */
function isStillNamed(sql: SqlStorage, { entries }: Subscriber, { about }: MessageRow): boolean {
  const named = parseOwnJson<About | null>(about ?? 'null')?.incidents ?? [];
  return named.every((id) => {
    const entry = entries.get(placeOf(sql, id)?.key ?? '');
    if (entry === undefined || entry.held !== null) return false;
    return entry.incident.resolvedAt === null || isEnd(pendingOf(entry.incident));
  });
}

/** True if a person asked to send again a message that may have arrived. */
const isAskedFor = (row: MessageRow): boolean =>
  row.on_uncertain === 'hold' &&
  mayHaveArrived(row) &&
  parseOwnJson<readonly Operation[]>(row.actions).at(-1)?.action === 'retry';

/** Returns the message if everything in it is still true. */
function asItIs({ entries }: Subscriber, row: MessageRow, said: Says): MessageRow | null {
  const isOpen = (key: string): boolean => entries.get(key)?.incident.resolvedAt === null;
  return said.incidents.every(([key, statement]) => isOpen(key) !== isEnd(statement)) ? row : null;
}

/** While the call is under way, the receiver may or may not know its content. */
export function beginCall(
  { open, now }: Pick<Look, 'open' | 'now'>,
  subscriber: Subscriber,
  message: Subscriber['messages'][number],
): void {
  Object.assign(message, { isTried: true, isCalling: true });
  for (const [key, statement] of message.says.incidents) {
    const entry = subscriber.entries.get(key);
    if (entry !== undefined) open.put(entry.ref, calling(entry.incident, statement), entry.grouping, now);
  }
}

/** Written at a press, it would be the last word on what has resolved since: returns what is still true, or null. */
function stillSo({ open, sql }: Look, row: MessageRow, says: SaysHolder): MessageRow | null {
  const { source, route } = row;
  const isSo = ({ incident: { resolvedAt, acknowledged } }: Entry): boolean => {
    const isTheirs = acknowledged !== null && (says.who === null || acknowledged.by === says.who);
    return resolvedAt === null && isTheirs !== says.isBack;
  };
  const entries = says.keys.flatMap(
    (key) => open.entriesOf(nameOf({ source: source ?? '', route: route ?? '', key })).find(isSo) ?? [],
  );
  if (entries.length === 0) return null;
  if (entries.length === says.keys.length) return row;
  const titles = entries.map(({ ref }) => readTitle(sql, ref));
  const params = JSON.stringify({ message: whoHasText(says.who, titles, says) });
  const left = JSON.stringify({ ...says, keys: entries.map(({ ref }) => ref.key) } satisfies SaysHolder);
  return changeRow(sql, row, { params, says: left });
}
