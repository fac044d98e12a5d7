import { describe, expect, it } from 'vitest';
import { dueAt, isClosing, isNew, placeAt, type GroupFacts } from '../../../src/outbox/incidents/due.ts';

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

describe('a group', () => {
  it('waits for `wait` before its first message', () => {
    expect(dueAt(facts({ opened: 2 }, { waitsSince: 100 }), rules)).toBe(130);
  });

  it('is notified of more after `interval`, and not before `wait`', () => {
    const more = facts({ opened: 1, known: 2 }, { waitsSince: 200, notifiedAt: 130 });
    expect(dueAt(more, rules)).toBe(430);
    expect(dueAt({ ...more, waitsSince: 425 }, rules)).toBe(455);
  });

  it('is notified of its last resolution at once', () => {
    const last = facts({ resolved: 2 }, { waitsSince: 200, notifiedAt: 130 });
    expect(isClosing(last)).toBe(true);
    expect(dueAt(last, rules)).toBe(200);
  });

  it('of which others are open is notified of a resolution after `interval`', () => {
    const one = facts({ resolved: 1, known: 1 }, { waitsSince: 200, notifiedAt: 130 });
    expect(isClosing(one)).toBe(false);
    expect(dueAt(one, rules)).toBe(430);
  });

  it('with a silenced incident, which nobody knows of, is notified of its last resolution at once', () => {
    expect(isClosing(facts({ resolved: 1, held: 3 }))).toBe(true);
  });

  it('that stays open is notified again after `repeat`, or never', () => {
    const open = facts({ known: 3 }, { notifiedAt: 130 });
    expect(dueAt(open, rules)).toBeNull();
    expect(dueAt(open, { ...rules, repeatMs: 1_000 })).toBe(1_130);
    expect(dueAt(facts({ muted: 1 }, { notifiedAt: 130 }), { ...rules, repeatMs: 1_000 })).toBeNull();
  });

  it('of one incident is notified at once', () => {
    expect(dueAt(facts({ opened: 1 }, { waitsSince: 100 }), alone)).toBe(100);
    expect(dueAt(facts({ resolved: 1 }, { waitsSince: 100, notifiedAt: 90 }), alone)).toBe(100);
  });

  it('of which nothing waits is not notified', () => {
    expect(dueAt(facts({ held: 2 }), rules)).toBeNull();
  });

  it('has news if its receiver does not know of an opening, or that it flaps', () => {
    expect(isNew(facts({ opened: 1, resolved: 1 }))).toBe(true);
    expect(isNew(facts({ flaps: 1 }))).toBe(true);
    expect(isNew(facts({ resolved: 1, known: 2, muted: 1, held: 1 }))).toBe(false);
  });

  it('with an incident that flaps, which its receiver knows, is not closing', () => {
    expect(isClosing(facts({ resolved: 1, muted: 1 }))).toBe(false);
    expect(isClosing(facts({ resolved: 1, nothing: 1 }))).toBe(true);
  });
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
