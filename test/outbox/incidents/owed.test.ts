import { describe, expect, it } from 'vitest';
import type { Quiet } from '../../../src/config/compiled/config.ts';
import { dueOf, owed } from '../../../src/outbox/incidents/owed.ts';
import type { Group, Holding, Subscriber, SubscriberState } from '../../../src/outbox/incidents/entries.ts';
import { arrive, resolve, type Incident } from '../../../src/outbox/incidents/incident.ts';
import { OpenIncidents, addMessage } from '../../../src/outbox/incidents/open-incidents.ts';
import { NONE_MISSED } from '../../../src/render/notification-scope.ts';
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
  const receiver = open.subscribers.of(refOf(''));
  for (const group of receiver.groups.values()) dueAt(group, 0);
  return Object.assign(receiver, { missed: { ...NONE_MISSED, resolved: missed } });
}

interface By {
  readonly quiet?: Quiet;
  readonly throttle?: readonly { readonly max: number; readonly perMs: number }[];
  readonly repeatMs?: number | null;
  readonly updateAt?: number;
  readonly digestAbove?: number | null;
  readonly turn?: readonly string[] | null;
  readonly hasLeft?: boolean;
}

/** Returns what the receiver is owed, with the names of groups. */
function owedTo(receiver: Subscriber, by: By = {}, now = NOW) {
  const {
    quiet,
    throttle = [],
    repeatMs = null,
    updateAt = 0,
    digestAbove = null,
    turn = null,
    hasLeft = false,
  } = by;
  const rules = { quiets: quiet === undefined ? [] : [quiet], throttle, repeatMs, hasLeft };
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

interface Condition {
  readonly state?: Over;
  readonly by?: By;
}

const CONDITIONS: Readonly<Record<string, Condition>> = {
  'no place in the throttle': { state: SENT, by: FULL },
  'held back by the throttle': { state: { held: byThrottle } },
  'last place of the cap': { by: { updateAt: NOW + MINUTE } },
  'two one by one': { by: { digestAbove: 2 } },
  'three one by one': { by: { digestAbove: 3 } },
  'who joins': { state: { held: byJoining } },
  'quiet hours': { by: { quiet: { ...quiet, resolved: 'hold' } } },
  'quiet hours but for resolutions': { by: { quiet } },
  'after quiet hours': { state: { held: over(byQuiet) } },
  'after quiet hours with a digest': { state: { held: { ...over(byQuiet), as: 'digest' } } },
  'some missed': { state: { missed: 3 } },
};

const INCIDENTS: Readonly<Record<string, readonly Incident[]>> = {
  update: UPDATE,
  closing: CLOSING,
  'more-closing': CLOSING,
  item: LONE,
  'more-item': LONE,
};

/** Completes lines with groups, conditions and, after `>`, what is owed. */
const complete = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => {
    const [left = ''] = line.split(' > ');
    const [groups = '', ...conditions] = left.split('; ');
    const all = conditions.map((one) => CONDITIONS[one] ?? {});
    const names = groups === 'nothing' ? [] : groups.split(' ');
    const receiver = receiverOf(
      Object.fromEntries(names.map((name) => [name, INCIDENTS[name] ?? OPENED])),
      all.reduce<Over>((state, one) => ({ ...state, ...one.state }), {}),
    );
    const by = all.reduce<By>((rules, one) => ({ ...rules, ...one.by }), {});
    const { message } = owedTo(receiver, by);
    return `${left} > ${message === null ? 'nothing' : `${message.form}: ${message.groups?.join(' ')}`}`;
  });

describe('what a receiver is owed', () => {
  it('is one group after the other, what it does not know of first, or one digest', () => {
    const lines = [
      'update opened > group: opened',
      'update > group: update',
      'opened closing; no place in the throttle > group: closing',
      'opened update; held back by the throttle > digest: opened update',
      'opened; held back by the throttle > group: opened',
      'update; last place of the cap > nothing',
      'opened; last place of the cap > group: opened',
      'opened update closing; two one by one > digest: opened update closing',
      'opened update closing; three one by one > group: opened',
      'opened more; who joins > digest: opened more',
      'opened; who joins > group: opened',
      'closing; quiet hours > nothing',
      'update; quiet hours but for resolutions > nothing',
      'closing; quiet hours but for resolutions > group: closing',
      'opened closing more-closing; quiet hours but for resolutions > digest: closing more-closing',
      'opened more; after quiet hours > digest: opened more',
      'opened; after quiet hours; some missed > digest: opened',
      'nothing; after quiet hours; some missed > digest: ',
      'nothing; after quiet hours > nothing',
      'item more-item; after quiet hours > group: item',
      'item more-item; after quiet hours with a digest > digest: item more-item',
    ];
    expect(complete(lines)).toEqual(lines);
  });

  it('is one message when it joins, and waits for no more', () => {
    const two = receiverOf({ one: OPENED, two: OPENED }, { held: byJoining });
    for (const group of two.groups.values()) dueAt(group, NOW + MINUTE);
    expect(owedTo(two)).toMatchObject({ message: { form: 'digest', groups: ['one', 'two'] }, held: null });
  });

  it('takes a place of the throttle, but for a resolution that there is none for', () => {
    expect(owedTo(receiverOf({ closing: CLOSING }, SENT), FULL).message?.isFree).toBe(true);
    expect(owedTo(receiverOf({ closing: CLOSING })).message?.isFree).toBe(false);
  });

  it('is looked at again when something is due, or time changes an incident', () => {
    const receiver = receiverOf({ opened: OPENED });
    for (const group of receiver.groups.values()) dueAt(group, NOW + 5);
    expect(owedTo(receiver)).toMatchObject({ message: null, lookAt: NOW + 5 });
    for (const group of receiver.groups.values()) group.changesAt = NOW + 3;
    expect(owedTo(receiver)).toMatchObject({ message: null, lookAt: NOW + 3 });
    expect(owedTo(receiverOf({}))).toMatchObject({ message: null, lookAt: Infinity });
  });

  it('waits for a place in the throttle, and is held back from then on', () => {
    const until = NOW + 4 * MINUTE;
    const held = { since: NOW, until: null, as: 'digest', by: 'throttle' };
    expect(owedTo(receiverOf({ opened: OPENED }, SENT), FULL)).toEqual({
      message: null,
      lookAt: until,
      until,
      held,
    });
    const two = receiverOf({ one: OPENED, two: OPENED }, { ...SENT, held: byJoining });
    expect(owedTo(two, FULL)).toMatchObject({ message: null, lookAt: until, held: byJoining });
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
});

describe('while a message of its own is queued or tried, what a receiver is owed', () => {
  const says = {
    form: 'group',
    groups: ['=opened'],
    incidents: [],
    isFree: false,
    endsHold: false,
    missed: NONE_MISSED,
  } as const;
  const busy = ({ isTried = true, isCalling = false, endsHold = false }): Subscriber => {
    const receiver = receiverOf({ opened: OPENED, other: OPENED });
    addMessage(receiver, { seq: 1, says: { ...says, endsHold }, isTried, isCalling });
    return receiver;
  };

  it('is nothing before it was tried, or while it ends what was held back; else what it is not about', () => {
    expect(owedTo(busy({ isTried: false }))).toMatchObject({ message: null, lookAt: Infinity });
    expect(owedTo(busy({ endsHold: true }))).toMatchObject({ message: null, lookAt: Infinity });
    expect(owedTo(busy({})).message?.groups).toEqual(['other']);
  });

  it('counts that message as sent while its call is under way', () => {
    expect(owedTo(busy({ isCalling: true }), FULL)).toMatchObject({
      message: null,
      lookAt: NOW + 5 * MINUTE,
    });
    expect(owedTo(busy({}), FULL).message?.groups).toEqual(['other']);
  });

  it('is not asked of the message whose turn it is: it says what it said first, and does not rest', () => {
    const rest = { since: NOW, after: 'dead', failures: 1 } as const;
    const receiver = receiverOf({ opened: OPENED, other: OPENED }, { rest });
    expect(owedTo(receiver)).toMatchObject({ message: null, lookAt: NOW + 5 * MINUTE });
    expect(owedTo(receiver, { turn: ['=other'] }).message?.groups).toEqual(['other']);
  });
});

describe('quiet hours', () => {
  it('hold back until they end, also what is open when a receiver joins, or what a throttle held back before', () => {
    const held = { since: NOW, until: EVENING, as: 'hold', by: 'quiet' };
    expect(owedTo(receiverOf({ opened: OPENED }), { quiet })).toEqual({
      message: null,
      lookAt: EVENING,
      until: EVENING,
      held,
    });
    for (const before of [byJoining, byThrottle])
      expect(owedTo(receiverOf({ one: OPENED }, { held: before }), { quiet }).held).toEqual({
        ...before,
        until: EVENING,
        by: 'quiet',
      });
    const throttled: Holding = { ...byThrottle, until: EVENING, by: 'quiet' };
    expect(owedTo(receiverOf({}, { held: throttled, missed: 1 }), {}, EVENING).message?.form).toBe('digest');
  });

  it('that have begun to hold back go on as they began, also when nothing waits any more', () => {
    const later: Quiet = { ...quiet, hours: { ...quiet.hours, to: 20 * 60 }, do: 'digest' };
    for (const [receiver, by] of [
      [receiverOf({ opened: OPENED }, { held: byQuiet }), { quiet: later }],
      [receiverOf({ opened: OPENED }, { held: byQuiet }), {}],
      [receiverOf({}, { held: byQuiet, missed: 3 }), { quiet }],
    ] as const)
      expect(owedTo(receiver, by)).toMatchObject({ message: null, lookAt: EVENING, held: byQuiet });
  });

  it('that ended long ago, while nothing could be sent, are followed by those of the next night', () => {
    const held = { ...byQuiet, until: NOW - 2 * HOUR };
    expect(owedTo(receiverOf({ opened: OPENED }, { held }), { quiet })).toMatchObject({
      message: null,
      lookAt: EVENING,
    });
  });

  it('are over with the message that ends them, of items with the last one', () => {
    const held = over(byQuiet);
    const missed = owedTo(receiverOf({}, { held, missed: 3 }));
    expect(missed).toMatchObject({ message: { endsHold: true, missed: { resolved: 3 } }, held: null });
    expect(owedTo(receiverOf({ a: LONE, b: LONE }, { held }))).toMatchObject({
      message: { endsHold: false },
      held,
    });
    expect(owedTo(receiverOf({ a: LONE }, { held })).held).toBeNull();
    expect(owedTo(receiverOf({}, { held }))).toMatchObject({ message: null, held: null });
    const resolutions = owedTo(receiverOf({ opened: OPENED, one: CLOSING }), { quiet });
    expect(resolutions).toMatchObject({ message: { isFree: true, endsHold: false }, held: { by: 'quiet' } });
  });
});
