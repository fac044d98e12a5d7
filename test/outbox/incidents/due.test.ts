import { describe, expect, it } from 'vitest';
import { dueAt, isClosing, placeAt, type GroupFacts } from '../../../src/outbox/incidents/due.ts';

const NONE = { opened: 0, flaps: 0, ended: 0, known: 0, muted: 0, over: 0, held: 0 };

const facts = (
  counts: Partial<GroupFacts['counts']>,
  over: Partial<Omit<GroupFacts, 'counts'>> = {},
): GroupFacts => ({ waitsSince: null, toldAt: null, ...over, counts: { ...NONE, ...counts } });

const rules = { group: { by: [], waitMs: 30, intervalMs: 300, max: 20 }, repeatMs: null };
const alone = { group: null, repeatMs: null };

describe('a group', () => {
  it('waits for `wait` before its first message', () => {
    expect(dueAt(facts({ opened: 2 }, { waitsSince: 100 }), rules)).toBe(130);
  });

  it('is told of more after `interval`, and not before `wait`', () => {
    const more = facts({ opened: 1, known: 2 }, { waitsSince: 200, toldAt: 130 });
    expect(dueAt(more, rules)).toBe(430);
    expect(dueAt({ ...more, waitsSince: 425 }, rules)).toBe(455);
  });

  it('is told of its last end at once', () => {
    const last = facts({ ended: 2 }, { waitsSince: 200, toldAt: 130 });
    expect(isClosing(last)).toBe(true);
    expect(dueAt(last, rules)).toBe(200);
  });

  it('whose others burn on is told of an end after `interval`', () => {
    const one = facts({ ended: 1, known: 1 }, { waitsSince: 200, toldAt: 130 });
    expect(isClosing(one)).toBe(false);
    expect(dueAt(one, rules)).toBe(430);
  });

  it('with a silenced incident, which nobody knows of, is told of its last end at once', () => {
    expect(isClosing(facts({ ended: 1, held: 3 }))).toBe(true);
  });

  it('that burns on is told again after `repeat`, or never', () => {
    const burning = facts({ known: 3 }, { toldAt: 130 });
    expect(dueAt(burning, rules)).toBeNull();
    expect(dueAt(burning, { ...rules, repeatMs: 1_000 })).toBe(1_130);
    expect(dueAt(facts({ muted: 1 }, { toldAt: 130 }), { ...rules, repeatMs: 1_000 })).toBeNull();
  });

  it('of one incident is told at once', () => {
    expect(dueAt(facts({ opened: 1 }, { waitsSince: 100 }), alone)).toBe(100);
    expect(dueAt(facts({ ended: 1 }, { waitsSince: 100, toldAt: 90 }), alone)).toBe(100);
  });

  it('of which nothing waits is not told', () => {
    expect(dueAt(facts({ held: 2 }), rules)).toBeNull();
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
