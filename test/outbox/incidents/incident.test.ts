import { describe, expect, it } from 'vitest';
import {
  joined,
  openedBeside,
  arrive,
  calling,
  drop,
  expire,
  maybeNotified,
  notCalled,
  notified,
  pendingOf,
  pendingSince,
  resolve,
  stable,
  stableAt,
  statementOf,
  type Held,
  type Incident,
  withCall,
  withStep,
} from '../../../src/outbox/incidents/incident.ts';
import { outcomesOf, saidNow, sent } from './said.ts';

const QUIET = { flaps: null, held: null };

const fire = (known: Incident | null, now: number): Incident =>
  arrive(known, { isResolved: false, isLone: false }, { ...QUIET, now });

const end = (known: Incident | null, now: number, held: Held | null = null): Incident =>
  arrive(known, { isResolved: true, isLone: false }, { flaps: null, held, now });

/** It fired at 0, and its receiver was notified of that by message 1 at 1. */
const notifiedOpen = (): Incident => sent(fire(null, 0), 1, 1);

/** It fired at 0. A call that says so is under way, or its outcome is uncertain. */
const opening = (): Incident => calling(fire(null, 0), 'open');

const lone = (): Incident => arrive(null, { isResolved: false, isLone: true }, { ...QUIET, now: 0 });

const severe = (known: Incident | null, of: { isResolved?: true; severity?: number }) =>
  arrive(known, { isResolved: false, isLone: false, ...of }, { ...QUIET, now: 0 });

const MINUTE = 60_000;

const FLAPS = { changes: 4, perMs: 30 * MINUTE };

const change = (known: Incident | null, isResolved: boolean, minute: number): Incident =>
  arrive(known, { isResolved, isLone: false }, { flaps: FLAPS, held: null, now: minute * MINUTE });

/** Fires and is resolved in turns, a minute apart. */
const flapping = (changes: number): Incident => {
  let incident: Incident | null = null;
  for (let n = 0; n < changes; n += 1) incident = change(incident, n % 2 === 1, n);
  if (incident === null) throw new Error('no change');
  return incident;
};

/** A resolution that may have arrived. */
const unsureEnd = (): Incident => maybeNotified(end(notifiedOpen(), 2), 'resolved');

const SILENCED: Held = { why: 'silenced', by: 'sunday' };
const INHIBITED: Held = { why: 'inhibited', by: 'a/b/c' };
const saidEnd = { statement: 'resolved', n: 2, about: 2 } as const;
const saidOpen = { statement: 'open', n: 1, about: 1 } as const;
const saidToFlap = (): Incident => maybeNotified(flapping(4), 'flapping');

it.each<[string, Incident, string]>([
  ['resolved before it was said', end(fire(fire(null, 0), 5), 10), 'nothing: resolved, resolved, resolved'],
  ['only resolved', end(null, 10), 'nothing: resolved'],
  ['expired', expire(fire(notifiedOpen(), 2), 100), 'nothing: notified in 1, expired'],
  ['resolved by hand', resolve(notifiedOpen(), null, null, 5), 'resolved: notified in 1'],
  ['resolved by hand, unsaid', resolve(fire(null, 0), null, null, 5), 'nothing: resolved'],
  ['resolved while silenced', end(fire(null, 0), 5, SILENCED), 'nothing: silenced, silenced'],
  ['resolved while inhibited', end(fire(null, 0), 5, INHIBITED), 'nothing: inhibited, inhibited'],
  [
    'resolved for who has left',
    end(fire(null, 0), 5, { why: 'left', by: '' }),
    'nothing: resolved, resolved',
  ],
  ['only counted in a message', sent(fire(null, 0), 1, 1, false), 'known: summarized in 1'],
  ['resolved, its call surely fails', notCalled(end(opening(), 5), null), 'nothing: resolved, resolved'],
  ['firing in its call', notified(fire(opening(), 3), saidOpen, 1, 4), 'known: notified in 1, waiting'],
  [
    'resolved again',
    notified(end(unsureEnd(), 3), saidEnd, 2, 4),
    'nothing: notified in 1, notified in 2, resolved',
  ],
  ['resolved, perhaps said', sent(end(opening(), 5), 2, 6), 'nothing: summarized in 2, notified in 2'],
  ['perhaps said to be resolved', unsureEnd(), 'resolved: notified in 1, waiting'],
  ['an item by itself, said', sent(lone(), 1, 5), 'nothing: notified in 1'],
  ['an item by itself, perhaps said', maybeNotified(lone(), 'open'), 'opened: waiting'],
  ['perhaps said to flap', saidToFlap(), 'flaps: resolved, resolved, waiting, waiting'],
  ['stable', stable(saidToFlap(), null), 'resolved: resolved, resolved, waiting, waiting'],
])('an incident that is %s has its state and its outcomes', (_, incident, expected) => {
  expect(`${pendingOf(incident)}: ${outcomesOf(incident).join(', ')}`).toBe(expected);
});

describe('an incident', () => {
  it('is notified when it opens and when it is resolved, and what comes between is summarized', () => {
    const again = fire(fire(notifiedOpen(), 20), 30);
    expect(pendingOf(again)).toBe('known');
    const resolved = end(again, 40);
    expect(pendingOf(resolved)).toBe('resolved');
    const closed = sent(resolved, 2, 50);
    expect(pendingOf(closed)).toBe('nothing');
    expect(outcomesOf(closed)).toEqual([
      'notified in 1',
      'summarized in 2',
      'summarized in 2',
      'notified in 2',
    ]);
    expect(closed).toMatchObject({
      openedAt: 0,
      resolvedAt: 40,
      occurrences: 3,
      notifiedIn: 2,
      notifiedAt: 50,
    });
  });

  it('cannot wait if the newest item that fires says so, also for those who join', () => {
    const critical = severe(null, { severity: 3 });
    const all = [
      critical,
      severe(critical, { isResolved: true }),
      joined(null, critical),
      severe(critical, {}),
    ];
    expect(all.map(({ severity }) => severity)).toEqual([3, 3, 3, undefined]);
  });

  it('waits since it opened, then since it was resolved', () => {
    expect(pendingSince(fire(null, 5))).toBe(5);
    expect(pendingSince(end(notifiedOpen(), 40))).toBe(40);
  });

  it('that is resolved twice is notified as resolved once', () => {
    const resolved = end(end(notifiedOpen(), 2), 3);
    expect(pendingOf(resolved)).toBe('resolved');
    const closed = end(sent(resolved, 2, 4), 5);
    expect(outcomesOf(closed)).toEqual(['notified in 1', 'summarized in 2', 'notified in 2', 'resolved']);
    expect(closed.resolvedAt).toBe(2);
  });

  it('opens anew when it fires after its receiver was notified of its resolution', () => {
    const again = fire(sent(end(notifiedOpen(), 2), 2, 3), 10);
    expect(pendingOf(again)).toBe('opened');
    expect(again).toMatchObject({
      openedAt: 10,
      occurrences: 1,
      resolvedAt: null,
      notifiedIn: null,
      notifiedAt: null,
    });
    expect(outcomesOf(sent(again, 3, 11))).toEqual(['notified in 1', 'notified in 2', 'notified in 3']);
  });

  it('is still the same when it fires before its receiver was notified of its resolution', () => {
    const again = fire(end(notifiedOpen(), 2), 3);
    expect(pendingOf(again)).toBe('known');
    expect(again).toMatchObject({ openedAt: 0, occurrences: 2, notifiedIn: 1 });
  });
});

describe('while a call for its message is under way', () => {
  it('an opening is owed its resolution when it is resolved', () => {
    const resolved = end(opening(), 5);
    expect(pendingOf(resolved)).toBe('resolved');
    const taken = notified(resolved, { statement: 'open', n: 1, about: 1 }, 1, 6);
    expect(pendingOf(taken)).toBe('resolved');
    expect(outcomesOf(sent(taken, 2, 7))).toEqual(['notified in 1', 'notified in 2']);
  });

  it('and surely fails, what is open is as it was, also if it was claimed twice, since the first claim could not be written', () => {
    for (const claimed of [opening(), calling(opening(), 'open')])
      expect(notCalled(claimed, null)).toEqual(fire(null, 0));
  });

  it('a resolution is owed again, as an opening, when it fires', () => {
    const again = fire(unsureEnd(), 3);
    expect(pendingOf(again)).toBe('opened');
    const taken = notified(again, { statement: 'resolved', n: 2, about: 2 }, 2, 4);
    expect(pendingOf(taken)).toBe('opened');
    expect(outcomesOf(taken)).toEqual(['notified in 1', 'notified in 2', 'waiting']);
  });

  it('a message that says again what its receiver knows changes nothing', () => {
    const known = notifiedOpen();
    expect(maybeNotified(known, 'open')).toEqual(known);
    expect(maybeNotified(known, 'flapping')).toEqual(known);
  });
});

describe('a message whose outcome is uncertain', () => {
  it('leaves an opening to be notified', () => {
    expect(opening().believed).toBe('either');
    expect(pendingOf(opening())).toBe('opened');
    expect(statementOf(opening())).toBe('open');
  });

  it('may have been the resolution: what fires after it is to be notified, as what it was', () => {
    const again = fire(unsureEnd(), 3);
    expect(again).toMatchObject({ believed: 'either', openedAt: 0, occurrences: 2 });
    expect(statementOf(again)).toBe('open');
    expect(outcomesOf(sent(again, 3, 4))).toEqual(['notified in 1', 'notified in 3', 'summarized in 3']);
  });
});

describe('an item that belongs to no incident', () => {
  it('that a silence takes is closed', () => {
    const closed = drop(lone(), { why: 'silenced', by: 'sunday' }, 5);
    expect(pendingOf(closed)).toBe('nothing');
    expect(closed.outcomes).toEqual([{ to: 1, outcome: 'silenced', by: 'sunday' }]);
  });
});

/** Its receiver was notified in minute 5 that it flaps. It is resolved. */
const muted = (): Incident => sent(flapping(4), 1, 5 * MINUTE);

describe('an incident that flaps', () => {
  it('is notified so once, and its receiver is notified of no change after that', () => {
    expect(pendingOf(flapping(3))).toBe('opened');
    expect(pendingOf(flapping(4))).toBe('flaps');
    expect(statementOf(flapping(4))).toBe('flapping');
    expect(pendingSince(flapping(4))).toBe(3 * MINUTE);
    expect(pendingOf(muted())).toBe('muted');
    expect(pendingOf(change(muted(), false, 6))).toBe('muted');
    // It has nothing new; a message about others keeps the interval of their group by it.
    expect(saidNow(change(muted(), false, 6))).toEqual({ statement: 'flapping', n: 4, about: null });
  });

  it('is notified once more when it has been stable for long enough: as it is then', () => {
    const open = change(muted(), false, 6);
    expect(stableAt(open, FLAPS)).toBe(36 * MINUTE);
    expect(pendingOf(stable(open, null))).toBe('opened');
    expect(outcomesOf(sent(stable(open, null), 2, 37 * MINUTE)).at(-1)).toBe('notified in 2');
    expect(stableAt(muted(), FLAPS)).toBe(33 * MINUTE);
    expect(stableAt(flapping(1), null)).toBeNull();
    expect(pendingOf(stable(muted(), null))).toBe('resolved');
    // It opens again before that was sent.
    expect(pendingOf(change(stable(muted(), null), false, 40))).toBe('opened');
    expect(pendingOf(change(resolve(muted(), null, null, 6 * MINUTE), false, 40))).toBe('opened');
  });

  it('and of which its receiver was never notified is closed without a word', () => {
    const closed = stable(flapping(4), null);
    expect(pendingOf(closed)).toBe('nothing');
    expect(new Set(outcomesOf(closed))).toEqual(new Set(['resolved']));
    expect(pendingOf(stable(flapping(5), null))).toBe('opened');
  });

  it('is to be notified so when the message that its receiver got said only that it is open', () => {
    const open = sent(flapping(1), 1, 0);
    const next = [1, 2, 3].reduce((incident, n) => change(incident, n % 2 === 1, n), open);
    expect(pendingOf(next)).toBe('flaps');
    expect(next.notifiedIn).toBe(1);
  });
});

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
    const others = withStep(notifiedOpen(), step);
    const mine = withCall(joined(null, others));
    expect(pendingOf(mine)).toBe('opened');
    expect(mine.escalation).toEqual({ from: 0, pausedAt: null, taken: [step], isCalled: true });
    expect(pendingOf(withCall(joined(null, { ...others, acknowledged: { by: 'anna', at: 5 } })))).toBe(
      'muted',
    );
  });
});

describe('an incident that opens for one more receiver', () => {
  it('has escalated, and is somebody’s, as for the others', () => {
    const others = { ...withStep(notifiedOpen(), step), acknowledged: { by: 'anna', at: 15 } };
    const mine = openedBeside(fire(null, 20), others);
    expect(mine.acknowledged).toEqual({ by: 'anna', at: 15 });
    expect(mine.escalation).toEqual({ from: 0, pausedAt: null, taken: [step], isCalled: false });
  });

  it('that opened at the same time has nothing besides', () => {
    expect(openedBeside(fire(null, 20), fire(null, 20)).escalation).toBeNull();
  });
});
