import { describe, expect, it } from 'vitest';
import { arrive, pendingOf, type Incident } from '../../../src/outbox/incidents/incident.ts';
import { called, joined, openedBeside } from '../../../src/outbox/incidents/joined.ts';
import { withStep } from '../../../src/outbox/incidents/escalation.ts';
import { outcomesOf, saidNow, sent } from './said.ts';

const fire = (known: Incident | null, now: number): Incident =>
  arrive(known, { isResolved: false, isLone: false }, { flaps: null, held: null, now });

const end = (known: Incident, now: number): Incident =>
  arrive(known, { isResolved: true, isLone: false }, { flaps: null, held: null, now });

const notifiedOpen = (): Incident => sent(fire(null, 0), 1, 1);

const step = { step: 1, afterMs: 10, at: 10, to: ['second-line'] };

describe('an incident of somebody who joins its receivers', () => {
  it('is open since it opened, and is to be notified', () => {
    const others = fire(notifiedOpen(), 20);
    const mine = joined(null, others);
    expect(pendingOf(mine)).toBe('opened');
    expect(mine).toMatchObject({ openedAt: 0, heardAt: 20, occurrences: 2, items: 0 });
    expect(saidNow(mine)).toEqual({ statement: 'open', n: 0, about: null });
    expect(outcomesOf(fire(sent(mine, 2, 25), 30))).toEqual(['waiting']);
  });

  it('keeps the outcomes that it had for somebody who is back', () => {
    const before = sent(end(notifiedOpen(), 2), 2, 3);
    expect(outcomesOf(joined(before, fire(null, 10)))).toEqual(['notified in 1', 'notified in 2']);
  });
});

describe('an incident of somebody whom a step notifies', () => {
  it('is to be notified, and not where somebody has it', () => {
    const others = withStep(notifiedOpen(), step, false);
    const mine = called(null, others);
    expect(pendingOf(mine)).toBe('opened');
    expect(mine.escalation).toEqual({ from: 0, pausedAt: null, taken: [step], isCalled: true });
    expect(pendingOf(called(null, { ...others, acknowledged: { by: 'anna', at: 5 } }))).toBe('muted');
  });
});

describe('an incident that opens for one more receiver', () => {
  it('has escalated, and is somebody’s, as for the others', () => {
    const others = { ...withStep(notifiedOpen(), step, true), acknowledged: { by: 'anna', at: 15 } };
    const mine = openedBeside(fire(null, 20), others);
    expect(mine.acknowledged).toEqual({ by: 'anna', at: 15 });
    expect(mine.escalation).toEqual({ from: 0, pausedAt: null, taken: [step], isCalled: false });
  });

  it('that opened at the same time has nothing besides', () => {
    expect(openedBeside(fire(null, 20), fire(null, 20)).escalation).toBeNull();
  });
});
