import { describe, expect, it } from 'vitest';
import type { Quiet } from '../../../src/config/alerting.ts';
import { dueOf } from '../../../src/outbox/incidents/due.ts';
import type { Group, Holding, Subscriber, SubscriberState } from '../../../src/outbox/incidents/entries.ts';
import { arrive, resolve, type Incident } from '../../../src/outbox/incidents/incident.ts';
import { OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import { owed } from '../../../src/outbox/incidents/owed.ts';
import { addMessage } from '../../../src/outbox/incidents/subscribers.ts';
import { ALONE, refOf, sent } from './said.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const NOW = 10 * HOUR;
const EVENING = 18 * HOUR;

const fire = (isLone = false): Incident =>
  arrive(null, { isResolved: false, isLone }, { flaps: null, held: null, now: 0 });
const known = (): Incident => sent(fire(), 1, 1);
const resolved = (): Incident => resolve(known(), null, null, 2);

/** The incidents of groups that are due. */
const OPENED = [fire()];
const UPDATE = [resolved(), known()];
const CLOSING = [resolved()];
const LONE = [fire(true)];

interface Over extends Partial<SubscriberState> {
  readonly missed?: number;
}

/** It is due at this time, whatever its rules say. */
function dueAt(group: Group, at: number): void {
  group.due = { ...dueOf(group.entries, { group: null, repeatMs: null }), at };
}

/** A receiver with these groups, all of them due. */
function receiverOf(
  groups: Readonly<Record<string, readonly Incident[]>>,
  { missed = 0, ...state }: Over = {},
): Subscriber {
  const open = new OpenIncidents(() => ({ sentAt: [], held: null, rest: null, quiets: [], ...state }));
  for (const [name, incidents] of Object.entries(groups))
    for (const [n, incident] of incidents.entries())
      open.put(
        refOf(`${name}${n}`),
        incident,
        incident.isLone ? ALONE : { grouped: name, inhibitedBy: [] },
        0,
      );
  const receiver = open.subscriber(refOf(''));
  for (const group of receiver.groups.values()) dueAt(group, 0);
  return Object.assign(receiver, { missed });
}

interface By {
  readonly quiet?: Quiet;
  readonly throttle?: readonly { readonly max: number; readonly perMs: number }[];
  readonly repeatMs?: number | null;
  readonly updateAt?: number;
  readonly digestAbove?: number | null;
  readonly turn?: readonly string[] | null;
}

/** Returns what the receiver is owed, with the names of groups. */
function owedTo(receiver: Subscriber, by: By = {}, now = NOW) {
  const { quiet, throttle = [], repeatMs = null, updateAt = 0, digestAbove = null, turn = null } = by;
  const rules = { quiets: quiet === undefined ? [] : [quiet], throttle, repeatMs };
  const { message, ...rest } = owed(receiver, { rules, updateAt, digestAbove, turn }, now);
  const names = message?.groups.map(({ name }) => name.slice(1).replace(/\d$/, ''));
  return { ...rest, message: message && { ...message, groups: names } };
}

/** One message in five minutes, and the last was a minute ago. */
const FULL = { throttle: [{ max: 1, perMs: 5 * MINUTE }] };
const SENT = { sentAt: [NOW - MINUTE] };

const DAYS = [0, 1, 2, 3, 4, 5, 6];
const quiet: Quiet = {
  hours: { from: 9 * 60, to: 18 * 60, days: DAYS, timezone: 'UTC' },
  do: 'hold',
  resolved: 'send',
};

const byThrottle: Holding = { since: 1, until: null, as: 'digest', by: 'throttle' };
const byQuiet: Holding = { since: 1, until: EVENING, as: 'hold', by: 'quiet' };
const byJoining: Holding = { since: 1, until: null, as: 'digest', by: 'joined' };
/** They were over before now. */
const over = (held: Holding): Holding => ({ ...held, until: NOW - 1 });

describe('what a receiver is owed', () => {
  it('is one group after the other, what it does not know of first', () => {
    expect(owedTo(receiverOf({ update: UPDATE, opened: OPENED })).message).toMatchObject({
      form: 'group',
      groups: ['opened'],
    });
    expect(owedTo(receiverOf({ update: UPDATE })).message).toMatchObject({
      form: 'group',
      groups: ['update'],
    });
  });

  it('is nothing when nothing is due, until something is', () => {
    const receiver = receiverOf({ opened: OPENED });
    for (const group of receiver.groups.values()) dueAt(group, NOW + 5);
    expect(owedTo(receiver)).toMatchObject({ message: null, lookAt: NOW + 5 });
    expect(owedTo(receiverOf({}))).toMatchObject({ message: null, lookAt: Infinity });
  });

  it('is looked at again when time changes an incident', () => {
    const receiver = receiverOf({ opened: OPENED });
    for (const group of receiver.groups.values()) {
      dueAt(group, Infinity);
      group.changesAt = NOW + 7;
    }
    expect(owedTo(receiver)).toMatchObject({ message: null, lookAt: NOW + 7 });
  });

  it('waits for a place in the throttle, and is held back from then on', () => {
    expect(owedTo(receiverOf({ opened: OPENED }, SENT), FULL)).toEqual({
      message: null,
      lookAt: NOW + 4 * MINUTE,
      until: NOW + 4 * MINUTE,
      held: { since: NOW, until: null, as: 'digest', by: 'throttle' },
    });
  });

  it('is the resolution of all that it knows of also without a place', () => {
    expect(owedTo(receiverOf({ opened: OPENED, closing: CLOSING }, SENT), FULL).message).toMatchObject({
      form: 'group',
      groups: ['closing'],
      isFree: true,
    });
    expect(owedTo(receiverOf({ closing: CLOSING })).message?.isFree).toBe(false);
  });

  it('is one digest of all that was held back', () => {
    const held = byThrottle;
    expect(owedTo(receiverOf({ opened: OPENED, update: UPDATE }, { held }))).toMatchObject({
      message: { form: 'digest', groups: ['opened', 'update'], endsHold: true },
      held: null,
    });
    expect(owedTo(receiverOf({ opened: OPENED }, { held })).message?.form).toBe('group');
  });

  it('is no digest when all that was over the throttle is resolved, and there is a place again', () => {
    const receiver = receiverOf({}, { ...SENT, held: byThrottle, missed: 2 });
    expect(owedTo(receiver, FULL)).toMatchObject({
      message: null,
      lookAt: NOW + 4 * MINUTE,
      held: byThrottle,
    });
    expect(owedTo(receiver, FULL, NOW + 4 * MINUTE)).toMatchObject({ message: null, held: null });
  });

  it('of an update leaves the last place of the account’s cap for what is new', () => {
    const by = { updateAt: NOW + MINUTE };
    expect(owedTo(receiverOf({ update: UPDATE }), by)).toMatchObject({ message: null, lookAt: NOW + MINUTE });
    expect(owedTo(receiverOf({ opened: OPENED }), by).message).not.toBeNull();
  });

  it('is a digest when more groups are due than the account sends one by one', () => {
    const many = receiverOf({ opened: OPENED, update: UPDATE, closing: CLOSING });
    expect(owedTo(many, { digestAbove: 2 }).message?.groups).toHaveLength(3);
    expect(owedTo(many, { digestAbove: 3 }).message?.form).toBe('group');
  });
});

describe('while a message of its own is queued or tried, what a receiver is owed', () => {
  const says = { form: 'group', incidents: [], isFree: false, endsHold: false, missed: 0 } as const;
  const busy = (message: {
    isTried?: boolean;
    isCalling?: boolean;
    endsHold?: boolean;
    groups?: readonly string[];
  }): Subscriber => {
    const { isTried = true, isCalling = false, endsHold = false, groups = ['=opened'] } = message;
    const receiver = receiverOf({ opened: OPENED, other: OPENED });
    addMessage(receiver, { seq: 1, says: { ...says, groups, endsHold }, isTried, isCalling });
    return receiver;
  };

  it('is nothing before it was tried: it says all that is true then', () => {
    expect(owedTo(busy({ isTried: false }))).toMatchObject({ message: null, lookAt: Infinity });
  });

  it('is what that message is not about, while it is retried', () => {
    expect(owedTo(busy({})).message?.groups).toEqual(['other']);
  });

  it('is nothing while one is retried that ends what was held back', () => {
    expect(owedTo(busy({ endsHold: true }))).toMatchObject({ message: null, lookAt: Infinity });
  });

  it('counts that message as sent while its call is under way', () => {
    const by = { throttle: [{ max: 1, perMs: 5 * MINUTE }] };
    expect(owedTo(busy({ isCalling: true }), by)).toMatchObject({ message: null, lookAt: NOW + 5 * MINUTE });
    expect(owedTo(busy({}), by).message?.groups).toEqual(['other']);
  });

  it('is not asked of the message whose turn it is: it says what it said first, and does not rest', () => {
    const rest = { since: NOW, after: 'dead', failures: 1 } as const;
    const receiver = receiverOf({ opened: OPENED, other: OPENED }, { rest });
    expect(owedTo(receiver)).toMatchObject({ message: null, lookAt: NOW + 5 * MINUTE });
    expect(owedTo(receiver, { turn: ['=other'] }).message?.groups).toEqual(['other']);
  });
});

describe('what is open when a receiver joins', () => {
  const held = byJoining;

  it('is one message, and waits for no more', () => {
    const two = receiverOf({ one: OPENED, two: OPENED }, { held });
    for (const group of two.groups.values()) dueAt(group, NOW + MINUTE);
    expect(owedTo(two)).toMatchObject({ message: { form: 'digest', groups: ['one', 'two'] }, held: null });
    expect(owedTo(receiverOf({ one: OPENED }, { held })).message?.form).toBe('group');
  });

  it('waits for a place in the throttle as one message', () => {
    expect(owedTo(receiverOf({ one: OPENED, two: OPENED }, { ...SENT, held }), FULL)).toMatchObject({
      message: null,
      lookAt: NOW + 4 * MINUTE,
      held: byJoining,
    });
  });

  it('waits for the end of its quiet hours', () => {
    expect(owedTo(receiverOf({ one: OPENED }, { held }), { quiet }).held).toEqual({
      ...byJoining,
      until: EVENING,
      by: 'quiet',
    });
  });
});

describe('quiet hours', () => {
  it('hold back until they end', () => {
    expect(owedTo(receiverOf({ opened: OPENED }), { quiet })).toEqual({
      message: null,
      lookAt: EVENING,
      until: EVENING,
      held: { since: NOW, until: EVENING, as: 'hold', by: 'quiet' },
    });
  });

  it('hold back resolutions, too', () => {
    const holding: Quiet = { ...quiet, resolved: 'hold' };
    expect(owedTo(receiverOf({ closing: CLOSING }), { quiet: holding })).toMatchObject({
      message: null,
      lookAt: EVENING,
      held: { since: NOW, until: EVENING, by: 'quiet' },
    });
  });

  it('with `resolved: send` let resolutions pass, as one message', () => {
    const three = receiverOf({ opened: OPENED, one: CLOSING, two: CLOSING });
    expect(owedTo(three, { quiet })).toMatchObject({
      message: { form: 'digest', groups: ['one', 'two'], isFree: true, endsHold: false },
      held: { by: 'quiet' },
    });
    expect(owedTo(receiverOf({ one: CLOSING }), { quiet })).toMatchObject({
      message: { form: 'group' },
      held: null,
    });
  });

  it('with `resolved: send` hold back the resolution in a group of which others are open', () => {
    expect(owedTo(receiverOf({ update: UPDATE }), { quiet })).toMatchObject({
      message: null,
      held: { by: 'quiet' },
    });
  });

  it('that have begun to hold back go on as they began', () => {
    const later: Quiet = { ...quiet, hours: { ...quiet.hours, to: 20 * 60 }, do: 'digest' };
    const receiver = receiverOf({ opened: OPENED }, { held: byQuiet });
    expect(owedTo(receiver, { quiet: later })).toMatchObject({
      message: null,
      lookAt: EVENING,
      held: byQuiet,
    });
    expect(owedTo(receiver)).toMatchObject({ message: null, lookAt: EVENING, held: byQuiet });
  });

  it('end with one message, also when all is resolved meanwhile', () => {
    const held = over(byQuiet);
    expect(owedTo(receiverOf({ one: OPENED, two: OPENED }, { held })).message?.form).toBe('digest');
    expect(owedTo(receiverOf({ one: OPENED }, { held, missed: 1 })).message).toMatchObject({
      form: 'digest',
      missed: 1,
    });
    expect(owedTo(receiverOf({}, { held, missed: 3 }))).toMatchObject({
      message: { form: 'digest', groups: [], endsHold: true, missed: 3 },
      held: null,
    });
    expect(owedTo(receiverOf({}, { held }))).toMatchObject({ message: null, held: null });
  });

  it('that ended long ago, while nothing could be sent, are followed by those of the next night', () => {
    const held = { ...byQuiet, until: NOW - 2 * HOUR };
    expect(owedTo(receiverOf({ opened: OPENED }, { held }), { quiet })).toMatchObject({
      message: null,
      lookAt: EVENING,
    });
  });

  it('are looked at when they end, also when nothing waits any more', () => {
    const none = owedTo(receiverOf({}, { held: byQuiet, missed: 3 }), { quiet });
    expect(none).toMatchObject({ message: null, lookAt: EVENING, held: byQuiet });
  });

  it('end with what a throttle had held back before they began', () => {
    const { held } = owedTo(receiverOf({ opened: OPENED }, { held: byThrottle }), { quiet });
    expect(held).toEqual({ ...byThrottle, until: EVENING, by: 'quiet' });
    expect(owedTo(receiverOf({}, { held, missed: 1 }), {}, EVENING).message?.form).toBe('digest');
  });

  it('that only hold items let each make its own message afterwards', () => {
    const held = over(byQuiet);
    const two = owedTo(receiverOf({ a: LONE, b: LONE }, { held }));
    expect(two).toMatchObject({ message: { form: 'group', endsHold: false }, held });
    expect(two.message?.groups).toHaveLength(1);
    expect(owedTo(receiverOf({ a: LONE }, { held })).held).toBeNull();
  });

  it('that digest make one message of items, too', () => {
    const held: Holding = { ...over(byQuiet), as: 'digest' };
    expect(owedTo(receiverOf({ a: LONE, b: LONE }, { held })).message?.form).toBe('digest');
  });
});
