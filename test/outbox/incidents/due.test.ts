import { describe, expect, it } from 'vitest';
import type { GroupFacts } from '../../../src/outbox/incidents/entries.ts';
import { dueAt, isClosing, isNew, placeAt } from '../../../src/outbox/incidents/owed.ts';

const NONE = { opened: 0, flaps: 0, resolved: 0, unwatched: 0, known: 0, muted: 0, nothing: 0, held: 0 };

const facts = (
  counts: Partial<GroupFacts['counts']>,
  over: Partial<Omit<GroupFacts, 'counts'>> = {},
): GroupFacts => ({
  waitsSince: null,
  notifiedAt: null,
  isEscalated: false,
  ...over,
  counts: { ...NONE, ...counts },
});

const rules = { group: { by: [], waitMs: 30, intervalMs: 300, max: 20 }, repeatMs: null };
const alone = { group: null, repeatMs: null };

const more = facts({ opened: 1, known: 2 }, { waitsSince: 200, notifiedAt: 130 });
const open = facts({ known: 3 }, { notifiedAt: 130 });
const repeated = { ...rules, repeatMs: 1_000 };

it.each<[string, GroupFacts, Parameters<typeof dueAt>[1], number | null]>([
  ['waits for `wait` before its first message', facts({ opened: 2 }, { waitsSince: 100 }), rules, 130],
  ['is notified of more after `interval`', more, rules, 430],
  ['is not notified of more before `wait`', { ...more, waitsSince: 425 }, rules, 455],
  ['is notified of what a step is due for at once', { ...more, isEscalated: true }, rules, 200],
  ['is notified of its last resolution at once', { ...more, counts: { ...NONE, resolved: 2 } }, rules, 200],
  ['of which others are open is not', { ...more, counts: { ...NONE, resolved: 1, known: 1 } }, rules, 430],
  ['that stays open is not notified again', open, rules, null],
  ['that stays open is notified again after `repeat`', open, repeated, 1_130],
  ['that somebody has is not', facts({ muted: 1 }, { notifiedAt: 130 }), repeated, null],
  ['of one incident is notified at once', facts({ opened: 1 }, { waitsSince: 100 }), alone, 100],
  ['of nothing that waits is not notified', facts({ held: 2 }), rules, null],
])('a group %s', (_, of, by, at) => {
  expect(dueAt(of, by)).toBe(at);
});

it('a group is closing once all that its receiver knows of has ended, whatever a silence holds back', () => {
  for (const counts of [{}, { held: 3 }, { nothing: 1 }])
    expect(isClosing(facts({ resolved: 1, ...counts }))).toBe(true);
  for (const counts of [{ known: 1 }, { muted: 1 }, { opened: 1 }, { flaps: 1 }])
    expect(isClosing(facts({ resolved: 1, ...counts }))).toBe(false);
});

it('a group has news if its receiver does not know of an opening, or that it flaps', () => {
  expect(isNew(facts({ opened: 1, resolved: 1 }))).toBe(true);
  expect(isNew(facts({ flaps: 1 }))).toBe(true);
  expect(isNew(facts({ resolved: 1, known: 2, muted: 1, held: 1 }))).toBe(false);
});

describe('a throttle', () => {
  const throttle = [
    { max: 3, perMs: 100 },
    { max: 4, perMs: 1_000 },
  ];

  it('has a place as long as no window is full', () => {
    expect(placeAt(throttle, [10, 20], { isUpdate: false, now: 30 })).toBe(30);
  });

  it('has the next place when the oldest message of the full window has left it', () => {
    expect(placeAt(throttle, [10, 20, 30], { isUpdate: false, now: 40 })).toBe(110);
    expect(placeAt(throttle, [10, 150, 160, 170], { isUpdate: false, now: 300 })).toBe(1_010);
  });

  it('keeps its last place for what the receiver does not know of', () => {
    expect(placeAt(throttle, [10, 20], { isUpdate: true, now: 30 })).toBe(110);
  });

  it('of one message has that place for updates, too', () => {
    expect(placeAt([{ max: 1, perMs: 100 }], [], { isUpdate: true, now: 30 })).toBe(30);
    expect(placeAt([{ max: 1, perMs: 100 }], [10], { isUpdate: true, now: 30 })).toBe(110);
  });

  it('that is not there has always a place', () => {
    expect(placeAt([], [1, 2, 3], { isUpdate: true, now: 3 })).toBe(3);
  });
});
