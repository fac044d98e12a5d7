import { describe, expect, it } from 'vitest';
import { plan, type DueGroup, type Gate } from '../../../src/outbox/incidents/plan.ts';

const NONE = { opened: 0, flaps: 0, ended: 0, known: 0, muted: 0, over: 0, held: 0 };

const group = (counts: Partial<typeof NONE>, isLone = false): DueGroup => ({
  isLone,
  facts: { counts: { ...NONE, ...counts }, waitsSince: 0, toldAt: null },
});

const opened = group({ opened: 1 });
const update = group({ ended: 1, known: 1 });
const closing = group({ ended: 1 });
const lone = group({ opened: 1 }, true);

const gate = (over: Partial<Gate> = {}): Gate => ({
  quiet: null,
  throttle: [],
  told: [],
  updateAt: 0,
  held: null,
  missed: 0,
  digestAbove: null,
  ...over,
});

const NOW = 1_000;
const quiet = { until: 9_000, as: 'hold' as const };

describe('what a receiver is told', () => {
  it('is one group after the other, what it does not know of first', () => {
    expect(plan([update, opened], gate(), NOW)).toMatchObject({
      tell: { form: 'group', groups: [opened] },
      until: NOW,
    });
    expect(plan([update], gate(), NOW)).toMatchObject({
      tell: { form: 'group', groups: [update] },
      until: null,
    });
  });

  it('is nothing when nothing is due', () => {
    expect(plan([], gate(), NOW)).toMatchObject({ tell: null, until: null });
  });

  it('waits for a place in the throttle, and is held back from then on', () => {
    const full = gate({ throttle: [{ max: 1, perMs: 500 }], told: [900] });
    expect(plan([opened], full, NOW)).toEqual({
      tell: null,
      until: 1_400,
      held: { since: NOW, as: 'digest', by: 'throttle' },
      isFree: true,
    });
  });

  it('is one digest of all that was held back', () => {
    const held = { since: 1, as: 'digest' as const, by: 'throttle' as const };
    expect(plan([opened, update], gate({ held }), NOW)).toMatchObject({
      tell: { form: 'digest', groups: [opened, update] },
      held: null,
    });
    expect(plan([opened], gate({ held }), NOW).tell?.form).toBe('group');
  });

  it('is no digest when all that was over the throttle has ended, and there is a place again', () => {
    const held = { since: 1, as: 'digest' as const, by: 'throttle' as const };
    const full = gate({ held, missed: 2, throttle: [{ max: 1, perMs: 500 }], told: [900] });
    expect(plan([], full, NOW)).toMatchObject({ tell: null, until: 1_400, held });
    expect(plan([], full, 1_400)).toMatchObject({ tell: null, until: null, held: null });
  });

  it('of an update leaves the last place of the account’s cap for what is new', () => {
    expect(plan([update], gate({ updateAt: 5_000 }), NOW)).toMatchObject({ tell: null, until: 5_000 });
    expect(plan([opened], gate({ updateAt: 5_000 }), NOW).tell).not.toBeNull();
  });

  it('is a digest when more groups wait than the account sends one by one', () => {
    const many = [opened, update, closing];
    expect(plan(many, gate({ digestAbove: 2 }), NOW).tell).toEqual({ form: 'digest', groups: many });
    expect(plan(many, gate({ digestAbove: 3 }), NOW).tell?.form).toBe('group');
  });
});

describe('quiet hours', () => {
  it('hold back until they end', () => {
    expect(plan([opened], gate({ quiet }), NOW)).toEqual({
      tell: null,
      until: 9_000,
      held: { since: NOW, as: 'hold', by: 'quiet' },
      isFree: true,
    });
  });

  it('let the end of what was told pass, as one message', () => {
    expect(plan([opened, closing, closing], gate({ quiet }), NOW)).toMatchObject({
      tell: { form: 'digest', groups: [closing, closing] },
      until: 9_000,
      isFree: true,
    });
    expect(plan([closing], gate({ quiet }), NOW)).toMatchObject({ tell: { form: 'group' }, held: null });
  });

  const held = { since: 1, as: 'hold' as const, by: 'quiet' as const };

  it('end with one message, also when all has ended meanwhile', () => {
    expect(plan([opened, opened], gate({ held }), NOW).tell?.form).toBe('digest');
    expect(plan([], gate({ held, missed: 3 }), NOW)).toMatchObject({
      tell: { form: 'digest', groups: [] },
      held: null,
    });
    expect(plan([], gate({ held }), NOW)).toMatchObject({ tell: null, held: null });
  });

  it('are looked at when they end, also when nothing waits any more', () => {
    expect(plan([], gate({ held, missed: 3, quiet }), NOW)).toMatchObject({ tell: null, until: 9_000, held });
  });

  it('tell at their end what a throttle had held back before they began', () => {
    const before = { since: 1, as: 'digest' as const, by: 'throttle' as const };
    const then = plan([opened], gate({ held: before, quiet }), NOW).held;
    expect(then).toEqual({ ...before, by: 'quiet' });
    expect(plan([], gate({ held: then, missed: 1 }), 9_000).tell?.form).toBe('digest');
  });

  it('that only hold items let each make its own message afterwards', () => {
    expect(plan([lone, lone], gate({ held }), NOW)).toMatchObject({
      tell: { form: 'group', groups: [lone] },
      until: NOW,
      held,
    });
    expect(plan([lone], gate({ held }), NOW).held).toBeNull();
  });

  it('that digest make one message of items, too', () => {
    expect(plan([lone, lone], gate({ held: { ...held, as: 'digest' } }), NOW).tell?.form).toBe('digest');
  });
});
