import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acknowledge,
  arrive,
  type Incident,
  escalationOf,
  lapsed,
  nextStep,
  notEscalated,
  paused,
  resumed,
  withStep,
} from '../../../src/outbox/incidents/incident.ts';
import { MINUTE } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, PHONE, route } from './bench.ts';

const steps = [10, 30, 60].map((afterMs) => ({ afterMs, to: [] }));
const fired = (at = 0): Incident =>
  arrive(null, { isResolved: false, isLone: false }, { flaps: null, held: null, now: at });
const taken = (incident: Incident, step: number, at: number): Incident =>
  withStep(incident, { step, afterMs: steps[step - 1]?.afterMs ?? 0, at, to: ['x'] });
const nextAt = (incident: Incident): number | undefined => nextStep(incident, steps)?.at;

describe('the next step of an incident', () => {
  it('is the first one that is later than those that were taken', () => {
    expect(nextStep(fired(5), steps)).toMatchObject({ step: 1, at: 15 });
    expect(nextStep(taken(fired(5), 1, 17), steps)).toMatchObject({ step: 2, at: 35 });
    expect(nextStep(taken(fired(5), 3, 80), steps)).toBeNull();
  });

  it('is found by its time, when others were published before it', () => {
    const incident = taken(fired(), 2, 30);
    const published = [
      { afterMs: 20, to: [] },
      { afterMs: 40, to: [] },
    ];
    expect(nextStep(incident, published)).toMatchObject({ step: 2, at: 40 });
  });

  it('is none while somebody has it, and none of an item that belongs to no incident', () => {
    expect(nextAt(acknowledge(fired(), { by: 'anna', at: 3 }))).toBeUndefined();
    expect(nextAt({ ...fired(), isLone: true })).toBeUndefined();
  });

  it('is later by the time in which it was held back, or was somebody’s', () => {
    expect(nextAt(paused(fired(), 4))).toBeUndefined();
    expect(nextAt(resumed(paused(fired(), 4), 9))).toBe(15);
    expect(nextAt(lapsed(acknowledge(fired(), { by: 'anna', at: 4 }), 24))).toBe(30);
  });

  it('is later by the time in which it was either, counted once', () => {
    const both = lapsed(acknowledge(paused(fired(), 2), { by: 'anna', at: 5 }), 8);
    expect(escalationOf(both).pausedAt).toBe(2);
    expect(nextAt(resumed(both, 12))).toBe(20);
  });

  it('begins anew when it opens again, whatever its receiver believes', () => {
    const resolvedBefore: Incident = { ...taken(fired(), 1, 10), believed: 'open', resolvedAt: 20 };
    const again = arrive(
      resolvedBefore,
      { isResolved: false, isLone: false },
      { flaps: null, held: null, now: 50 },
    );
    expect(again).toMatchObject({ openedAt: 0, escalation: notEscalated(50) });
    expect(nextAt(again)).toBe(60);
  });
});

const BEN = '4915100000002';
const BOSS = '4915100000004';

const ROUTE = {
  incident: { key: '{{ item.name }}', resolved: 'item.x', repeat: '40m' },
  escalate: [
    { after: '10m', to: BEN },
    { after: '30m', to: [BOSS, BEN] },
  ],
  acknowledged_for: '20m',
};

type Deed = 'fire' | 'resolve' | 'acknowledge' | 'give back' | 'silence' | 'end silence' | number;

const deeds = fc.array(
  fc.oneof(
    fc.constantFrom<Deed>('fire', 'fire', 'resolve', 'acknowledge', 'give back', 'silence', 'end silence'),
    fc.integer({ min: 1, max: 25 }),
  ),
  { maxLength: 25 },
);

const DISK = { source: 'alerts', route: 'on-call', key: 'disk' };

/** A message that somebody got at a time. `isStopping`: the object stops before and after each deed. */
type Heard = readonly [minute: number, phone: string, text: string];

async function play(
  storage: DurableObjectStorage,
  all: readonly Deed[],
  isStopping: boolean,
): Promise<readonly Heard[]> {
  const one = new IncidentsBench(storage, [route(ROUTE)]);
  const begin = one.now;
  for (const deed of ['fire' as const, ...all, 120]) {
    if (isStopping) await one.crash();
    if (deed === 'fire') await one.fire('disk');
    else if (deed === 'resolve') await one.resolve('disk');
    else if (deed === 'acknowledge') one.incidents.change(DISK, 'acknowledged', 'anna');
    else if (deed === 'give back') one.incidents.change(DISK, 'given back', 'anna');
    else if (deed === 'silence' || deed === 'end silence')
      await one.publish(
        [route(ROUTE)],
        deed === 'silence' ? { silences: { all: { when: 'key == "disk"' } } } : {},
      );
    else
      for (let minute = 0; minute < deed; minute += 1) {
        await one.pass(MINUTE);
        if (isStopping) await one.crash();
      }
    await one.run();
  }
  return one.messages
    .filter(({ state }) => state === 'sent')
    .map(({ at, phone, text }): Heard => [((at ?? 0) - begin) / MINUTE, phone ?? '', text])
    .toSorted(([at, phone], [later, other]) => at - later || phone.localeCompare(other));
}

describe('in any order of what happens', () => {
  it('the same are notified at the same time, however often the object stops', async () => {
    await inStorage(({ storage }) =>
      fc.assert(
        fc.asyncProperty(deeds, async (all) => {
          expect(await play(storage, all, true)).toEqual(await play(storage, all, false));
        }),
        { numRuns: 60 },
      ),
    );
  });

  it('a step notifies each of its receivers once for each opening, and nobody before its time', async () => {
    await inStorage(({ storage }) =>
      fc.assert(
        fc.asyncProperty(deeds, async (all) => {
          const heard = await play(storage, all, false);
          let opened = 0;
          let since = new Map<string, number>();
          for (const [at, phone, text] of heard) {
            if (phone === PHONE && text.startsWith('+disk')) {
              opened = at;
              since = new Map();
            }
            if (!text.includes('Not acknowledged')) continue;
            expect(since.has(phone)).toBe(false);
            since.set(phone, at);
            expect(at - opened).toBeGreaterThanOrEqual(phone === BEN ? 10 : 30);
          }
        }),
        { numRuns: 60 },
      ),
    );
  });
});
