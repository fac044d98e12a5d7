import { describe, expect, it } from 'vitest';
import type { Holding } from '../../../src/outbox/incidents/entries.ts';
import { plan, type DueGroup, type Gate } from '../../../src/outbox/incidents/plan.ts';

const NONE = { opened: 0, flaps: 0, resolved: 0, known: 0, muted: 0, nothing: 0, held: 0 };

const group = (counts: Partial<typeof NONE>, isLone = false): DueGroup => ({
  isLone,
  facts: { counts: { ...NONE, ...counts }, waitsSince: 0, notifiedAt: null },
});

const opened = group({ opened: 1 });
const update = group({ resolved: 1, known: 1 });
const closing = group({ resolved: 1 });
const lone = group({ opened: 1 }, true);

const gate = (over: Partial<Gate> = {}): Gate => ({
  quiet: null,
  throttle: [],
  sentAt: [],
  updateAt: 0,
  held: null,
  missed: 0,
  digestAbove: null,
  ...over,
});

const NOW = 1_000;

/** One message in 500 ms, and the last was at 900. */
const FULL = { throttle: [{ max: 1, perMs: 500 }], sentAt: [900] };

const quiet = { until: 9_000, as: 'hold' as const, holdsResolved: false };

const byThrottle: Holding = { since: 1, until: null, as: 'digest', by: 'throttle' };
const byQuiet: Holding = { since: 1, until: 9_000, as: 'hold', by: 'quiet' };
const byJoining: Holding = { since: 1, until: null, as: 'digest', by: 'joined' };

describe('what a receiver is notified of', () => {
  it('is one group after the other, what it does not know of first', () => {
    expect(plan([update, opened], gate(), NOW)).toMatchObject({
      message: { form: 'group', groups: [opened] },
      until: NOW,
    });
    expect(plan([update], gate(), NOW)).toMatchObject({
      message: { form: 'group', groups: [update] },
      until: null,
    });
  });

  it('is nothing when nothing is due', () => {
    expect(plan([], gate(), NOW)).toMatchObject({ message: null, until: null });
  });

  it('waits for a place in the throttle, and is held back from then on', () => {
    expect(plan([opened], gate(FULL), NOW)).toEqual({
      message: null,
      until: 1_400,
      held: { since: NOW, until: null, as: 'digest', by: 'throttle' },
      isFree: true,
    });
  });

  it('is the resolution of all that it knows of also without a place', () => {
    expect(plan([opened, closing], gate(FULL), NOW)).toMatchObject({
      message: { form: 'group', groups: [closing] },
      isFree: true,
    });
    expect(plan([closing], gate(), NOW).isFree).toBe(false);
  });

  it('is one digest of all that was held back', () => {
    expect(plan([opened, update], gate({ held: byThrottle }), NOW)).toMatchObject({
      message: { form: 'digest', groups: [opened, update] },
      held: null,
    });
    expect(plan([opened], gate({ held: byThrottle }), NOW).message?.form).toBe('group');
  });

  it('is no digest when all that was over the throttle is resolved, and there is a place again', () => {
    const full = gate({ ...FULL, held: byThrottle, missed: 2 });
    expect(plan([], full, NOW)).toMatchObject({ message: null, until: 1_400, held: byThrottle });
    expect(plan([], full, 1_400)).toMatchObject({ message: null, until: null, held: null });
  });

  it('of an update leaves the last place of the account’s cap for what is new', () => {
    expect(plan([update], gate({ updateAt: 5_000 }), NOW)).toMatchObject({ message: null, until: 5_000 });
    expect(plan([opened], gate({ updateAt: 5_000 }), NOW).message).not.toBeNull();
  });

  it('is a digest when more groups wait than the account sends one by one', () => {
    const many = [opened, update, closing];
    expect(plan(many, gate({ digestAbove: 2 }), NOW).message).toEqual({ form: 'digest', groups: many });
    expect(plan(many, gate({ digestAbove: 3 }), NOW).message?.form).toBe('group');
  });
});

describe('what is open when a receiver joins', () => {
  it('is one message', () => {
    expect(plan([opened, opened], gate({ held: byJoining }), NOW)).toMatchObject({
      message: { form: 'digest', groups: [opened, opened] },
      held: null,
    });
    expect(plan([opened], gate({ held: byJoining }), NOW).message?.form).toBe('group');
  });

  it('waits for a place in the throttle as one message', () => {
    expect(plan([opened, opened], gate({ ...FULL, held: byJoining }), NOW)).toMatchObject({
      message: null,
      until: 1_400,
      held: byJoining,
    });
  });

  it('waits for the end of its quiet hours', () => {
    expect(plan([opened], gate({ held: byJoining, quiet }), NOW).held).toEqual({
      ...byJoining,
      until: 9_000,
      by: 'quiet',
    });
  });
});

describe('quiet hours', () => {
  it('hold back until they end', () => {
    expect(plan([opened], gate({ quiet }), NOW)).toEqual({
      message: null,
      until: 9_000,
      held: { since: NOW, until: 9_000, as: 'hold', by: 'quiet' },
      isFree: true,
    });
  });

  it('hold back resolutions, too', () => {
    expect(plan([closing], gate({ quiet: { ...quiet, holdsResolved: true } }), NOW)).toMatchObject({
      message: null,
      until: 9_000,
      held: { since: NOW, until: 9_000, by: 'quiet' },
    });
  });

  it('with `resolved: send` let resolutions pass, as one message', () => {
    expect(plan([opened, closing, closing], gate({ quiet }), NOW)).toMatchObject({
      message: { form: 'digest', groups: [closing, closing] },
      until: 9_000,
      held: { by: 'quiet' },
      isFree: true,
    });
    expect(plan([closing], gate({ quiet }), NOW)).toMatchObject({ message: { form: 'group' }, held: null });
  });

  it('with `resolved: send` hold back the resolution in a group of which others are open', () => {
    expect(plan([update], gate({ quiet }), NOW)).toMatchObject({ message: null, held: { by: 'quiet' } });
  });

  it('that have begun to hold back go on as they began', () => {
    const later = { until: 12_000, as: 'digest' as const, holdsResolved: true };
    expect(plan([opened], gate({ held: byQuiet, quiet: later }), NOW).held).toBe(byQuiet);
  });

  it('end with one message, also when all is resolved meanwhile', () => {
    const held = byQuiet;
    expect(plan([opened, opened], gate({ held }), NOW).message?.form).toBe('digest');
    expect(plan([opened], gate({ held, missed: 1 }), NOW).message?.form).toBe('digest');
    expect(plan([], gate({ held, missed: 3 }), NOW)).toMatchObject({
      message: { form: 'digest', groups: [] },
      held: null,
    });
    expect(plan([], gate({ held }), NOW)).toMatchObject({ message: null, held: null });
  });

  it('are looked at when they end, also when nothing waits any more', () => {
    const none = plan([], gate({ held: byQuiet, missed: 3, quiet }), NOW);
    expect(none).toMatchObject({ message: null, until: 9_000, held: byQuiet });
  });

  it('end with what a throttle had held back before they began', () => {
    const then = plan([opened], gate({ held: byThrottle, quiet }), NOW).held;
    expect(then).toEqual({ ...byThrottle, until: 9_000, by: 'quiet' });
    expect(plan([], gate({ held: then, missed: 1 }), 9_000).message?.form).toBe('digest');
  });

  it('that only hold items let each make its own message afterwards', () => {
    expect(plan([lone, lone], gate({ held: byQuiet }), NOW)).toMatchObject({
      message: { form: 'group', groups: [lone] },
      until: NOW,
      held: byQuiet,
    });
    expect(plan([lone], gate({ held: byQuiet }), NOW).held).toBeNull();
  });

  it('that digest make one message of items, too', () => {
    const held: Holding = { ...byQuiet, as: 'digest' };
    expect(plan([lone, lone], gate({ held }), NOW).message?.form).toBe('digest');
  });
});
