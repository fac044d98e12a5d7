import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arrive,
  end,
  expire,
  fateOf,
  pendingOf,
  steady,
  steadyAt,
  takeBack,
  tell,
  type Flaps,
  type Incident,
} from '../../../src/outbox/incidents/incident.ts';

const MINUTE = 60_000;

const fire = (known: Incident | null, now: number, flaps: Flaps | null = null): Incident =>
  arrive(known, { isResolved: false, isLone: false }, { flaps, held: null, now });

const resolve = (known: Incident | null, now: number, flaps: Flaps | null = null): Incident =>
  arrive(known, { isResolved: true, isLone: false }, { flaps, held: null, now });

const told = (incident: Incident, seq: number, now: number, isShown = true): Incident =>
  tell(incident, { seq, now, isShown });

const fates = (incident: Incident): readonly string[] =>
  Array.from({ length: incident.items }, (_, index) => {
    const fate = fateOf(incident, index + 1);
    if (fate === null) return 'waiting';
    const name = fate.told === index + 1 ? 'told' : fate.fate;
    return fate.seq === undefined ? name : `${name} in ${fate.seq}`;
  });

describe('an incident', () => {
  it('is told when it opens and when it ends, and what comes between is counted', () => {
    const burning = told(fire(null, 0), 7, 10);
    const again = fire(fire(burning, 20), 30);
    expect(pendingOf(again)).toBe('known');
    const ended = resolve(again, 40);
    expect(pendingOf(ended)).toBe('ended');
    const over = told(ended, 8, 50);
    expect(pendingOf(over)).toBe('over');
    expect(fates(over)).toEqual(['told in 7', 'counted in 8', 'counted in 8', 'told in 8']);
    expect(over).toMatchObject({ openedAt: 0, endedAt: 40, times: 3 });
  });

  it('that ended before it was told is not told at all', () => {
    const over = resolve(fire(fire(null, 0), 5), 10);
    expect(pendingOf(over)).toBe('over');
    expect(fates(over)).toEqual(['resolved', 'resolved', 'resolved']);
  });

  it('of which only the end came is not told', () => {
    const over = resolve(null, 10);
    expect(pendingOf(over)).toBe('over');
    expect(fates(over)).toEqual(['resolved']);
  });

  it('that ends twice ends once', () => {
    const ended = resolve(resolve(told(fire(null, 0), 1, 1), 2), 3);
    expect(pendingOf(ended)).toBe('ended');
    expect(fates(resolve(told(ended, 2, 4), 5))).toEqual([
      'told in 1',
      'counted in 2',
      'told in 2',
      'resolved',
    ]);
  });

  it('opens again when it fires after its end, as new', () => {
    const over = told(resolve(told(fire(null, 0), 1, 1), 2), 2, 3);
    const again = fire(over, 10);
    expect(pendingOf(again)).toBe('opened');
    expect(again).toMatchObject({ openedAt: 10, times: 1, endedAt: null });
    expect(fates(told(again, 3, 11))).toEqual(['told in 1', 'told in 2', 'told in 3']);
  });

  it('that fires again before its end was told burns on: its receiver never heard that it ended', () => {
    const again = fire(resolve(told(fire(null, 0), 1, 1), 2), 3);
    expect(pendingOf(again)).toBe('known');
    expect(again).toMatchObject({ openedAt: 0, times: 2 });
  });

  it('that expires is closed quietly', () => {
    const waiting = fire(told(fire(null, 0), 1, 1), 2);
    const closed = expire(waiting, 100);
    expect(pendingOf(closed)).toBe('over');
    expect(fates(closed)).toEqual(['told in 1', 'expired']);
  });

  it('that a person closes is told as ended, if it was told', () => {
    expect(pendingOf(end(fire(null, 0), null, null, 5))).toBe('over');
    expect(pendingOf(end(told(fire(null, 0), 1, 1), null, null, 5))).toBe('ended');
  });

  it('that ends while a silence holds it back was silenced', () => {
    const held = { fate: 'silenced' as const, by: 'sunday' };
    const over = arrive(fire(null, 0), { isResolved: true, isLone: false }, { flaps: null, held, now: 5 });
    expect(over.fates).toEqual([{ to: 2, fate: 'silenced', by: 'sunday' }]);
  });

  it('that is counted beyond what a message shows has no item that was told', () => {
    expect(fates(told(fire(null, 0), 1, 1, false))).toEqual(['counted in 1']);
  });

  it('keeps a bounded list of fates, and never loses one', () => {
    let incident = fire(null, 0);
    for (let seq = 1; seq <= 100; seq += 1) {
      incident = told(incident, 2 * seq, 10 * seq);
      incident = told(resolve(incident, 10 * seq + 1), 2 * seq + 1, 10 * seq + 2);
      incident = fire(incident, 10 * seq + 3);
    }
    expect(incident.fates.length).toBeLessThanOrEqual(20);
    expect(fates(incident).slice(0, -1)).not.toContain('waiting');
    expect(fates(incident).slice(-3)).toEqual(['told in 200', 'told in 201', 'waiting']);
    expect(fates(incident)[0]).toBe('counted');
  });
});

const lone = (): Incident =>
  arrive(null, { isResolved: false, isLone: true }, { flaps: null, held: null, now: 0 });

describe('an item that belongs to no incident', () => {
  it('is over as soon as it is told', () => {
    const over = told(lone(), 1, 5);
    expect(pendingOf(over)).toBe('over');
    expect(fates(over)).toEqual(['told in 1']);
  });

  it('waits again when its message is taken back', () => {
    const before = lone();
    expect(takeBack(told(before, 1, 5), before, 1)).toEqual(before);
  });
});

describe('a message that is taken back', () => {
  it('leaves the incident as it was before, with what came since', () => {
    const before = fire(null, 0);
    const after = fire(told(before, 1, 5), 6);
    expect(takeBack(after, before, 1)).toEqual(fire(before, 6));
  });

  it('that told the opening leaves nothing to tell when the incident has ended', () => {
    const before = fire(null, 0);
    const back = takeBack(resolve(told(before, 1, 5), 6), before, 1);
    expect(pendingOf(back)).toBe('over');
    expect(fates(back)).toEqual(['resolved', 'resolved']);
  });

  it('that told the end leaves the end to be told', () => {
    const before = resolve(told(fire(null, 0), 1, 1), 2);
    expect(pendingOf(takeBack(told(before, 2, 3), before, 2))).toBe('ended');
  });

  it('that told an end by hand leaves it burning when it fires again', () => {
    const before = end(told(fire(null, 0), 1, 1), null, null, 2);
    const back = takeBack(fire(told(before, 2, 3), 4), before, 2);
    expect(pendingOf(back)).toBe('known');
    expect(back).toMatchObject({ openedAt: 0, times: 2 });
  });
});

describe('an incident that flaps', () => {
  const flaps = { changes: 4, perMs: 30 * MINUTE };

  /** Fires and ends in turns, a minute apart. */
  const flapping = (changes: number): Incident => {
    let incident: Incident | null = null;
    for (let n = 0; n < changes; n += 1)
      incident = n % 2 === 0 ? fire(incident, n * MINUTE, flaps) : resolve(incident, n * MINUTE, flaps);
    if (incident === null) throw new Error('no change');
    return incident;
  };

  it('is told that once, and nothing of the next firing', () => {
    expect(pendingOf(flapping(3))).toBe('opened');
    const now = told(flapping(4), 1, 5 * MINUTE);
    expect(pendingOf(flapping(4))).toBe('flaps');
    expect(pendingOf(now)).toBe('muted');
    expect(pendingOf(fire(now, 6 * MINUTE, flaps))).toBe('muted');
  });

  it('is told once more when it has been quiet for long enough: as it is then', () => {
    const burning = fire(told(flapping(4), 1, 5 * MINUTE), 6 * MINUTE, flaps);
    expect(steadyAt(burning, flaps)).toBe(36 * MINUTE);
    expect(pendingOf(steady(burning, null))).toBe('opened');
    const ended = told(flapping(4), 1, 5 * MINUTE);
    expect(steadyAt(ended, flaps)).toBe(33 * MINUTE);
    expect(pendingOf(steady(ended, null))).toBe('ended');
  });

  it('and was never told ends without a word', () => {
    expect(pendingOf(steady(flapping(4), null))).toBe('over');
    expect(pendingOf(steady(flapping(5), null))).toBe('opened');
  });

  it('is not looked for without the key', () => {
    expect(steadyAt(fire(null, 0), null)).toBeNull();
  });
});

describe('in any order of what happens to it', () => {
  const step = fc.constantFrom('fire', 'resolve', 'tell', 'hide', 'expire', 'steady', 'close', 'back');

  it('each item gets one fate, which never changes unless its message is taken back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 19 }), fc.boolean(), (steps, isLookedFor) => {
        const flaps = isLookedFor ? { changes: 3, perMs: 10 } : null;
        let incident: Incident | null = null;
        let before: Incident | null = null;
        let seq = 0;
        for (const [now, one] of steps.entries()) {
          const was: Incident | null = incident;
          const pending = was === null ? 'over' : pendingOf(was);
          if (one === 'fire') incident = fire(was, now, flaps);
          else if (one === 'resolve') incident = resolve(was, now, flaps);
          else if (was === null) continue;
          else if ((one === 'tell' || one === 'hide') && !['over', 'muted'].includes(pending)) {
            before = was;
            incident = told(was, (seq += 1), now, one === 'tell');
          } else if (one === 'expire' && was.endedAt === null) incident = expire(was, now);
          else if (one === 'steady' && was.flapping !== 'no') incident = steady(was, null);
          else if (one === 'close' && was.endedAt === null) incident = end(was, flaps, null, now);
          else if (one === 'back' && before !== null) {
            incident = takeBack(was, before, seq);
            before = null;
          }
          if (incident === null) continue;
          // Nothing that is over waits, and nothing that waits is over.
          const all = fates(incident);
          if (pendingOf(incident) === 'over') expect(all).not.toContain('waiting');
          if (was === null || one === 'back') continue;
          const known = fates(was).flatMap((fate, at) => (fate === 'waiting' ? [] : [[at, fate]]));
          expect(known).toEqual(known.map(([at]) => [at, all[Number(at)]]));
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
