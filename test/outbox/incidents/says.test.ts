import { describe, expect, it } from 'vitest';
import type { Says } from '../../../src/outbox/incidents/entries.ts';
import {
  arrive,
  maybeNotified,
  notified,
  type Held,
  type Incident,
} from '../../../src/outbox/incidents/incident.ts';
import { isSameNews, saidOf } from '../../../src/outbox/incidents/owed.ts';
import { OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import { NONE_MISSED } from '../../../src/render/notification-scope.ts';
import { entriesIn, groupsIn, refOf, saysAbout, sent } from './said.ts';

const fire = (known: Incident | null = null, isLone = false): Incident =>
  arrive(known, { isResolved: false, isLone }, { flaps: null, held: null, now: 0 });

const resolve = (known: Incident): Incident =>
  arrive(known, { isResolved: true, isLone: false }, { flaps: null, held: null, now: 5 });

const flapping = (): Incident =>
  arrive(
    null,
    { isResolved: false, isLone: false },
    { flaps: { changes: 1, perMs: 10 }, held: null, now: 0 },
  );

/** Its receiver was notified that it is open. */
const known = (): Incident => sent(fire(), 1, 1);

const SILENCED: Held = { why: 'silenced', by: 'sunday' };

/** These incidents of one receiver by their keys, in one group. `held`: those of which nobody is notified. */
function openOf(incidents: Readonly<Record<string, Incident>>, held: readonly string[] = []): OpenIncidents {
  const open = new OpenIncidents();
  for (const [key, incident] of Object.entries(incidents))
    open.put(refOf(key), incident, { grouped: 'web', inhibitedBy: [] }, 0);
  for (const entry of entriesIn(groupsIn(open)))
    if (held.includes(entry.ref.key)) open.hold(entry, { ...SILENCED, until: null }, 0);
  return open;
}

const says = (incidents: Readonly<Record<string, Incident>>, shown?: readonly string[]) =>
  saysAbout(groupsIn(openOf(incidents)), shown);

describe('a message says', () => {
  it('of an opening that it is open, and is about its first item', () => {
    expect(says({ disk: fire(fire()) })).toEqual([['disk', 'open', 2, 1]]);
  });

  it('of a resolution that it is resolved, and is about its last item', () => {
    expect(says({ disk: resolve(fire(known())) })).toEqual([['disk', 'resolved', 3, 3]]);
  });

  it('of one that flaps that it is flapping', () => {
    expect(says({ disk: flapping() })).toEqual([['disk', 'flapping', 1, 1]]);
  });

  it('of an item that belongs to no incident that it came', () => {
    expect(says({ 'evt_1:1': fire(null, true) })).toEqual([['evt_1:1', 'open', 1, 1]]);
  });

  it('what may have arrived already once more', () => {
    expect(says({ disk: maybeNotified(fire(), 'open') })).toEqual([['disk', 'open', 1, 1]]);
    expect(says({ disk: maybeNotified(resolve(known()), 'resolved') })).toEqual([['disk', 'resolved', 2, 2]]);
  });

  it('of a resolution by hand, which is no item, only that it is resolved', () => {
    const byHand = { ...known(), resolvedAt: 5 };
    expect(says({ disk: byHand })).toEqual([['disk', 'resolved', 1, null]]);
  });

  it('of what its receiver knows only how many items came since', () => {
    expect(says({ disk: fire(known()), cpu: known(), net: fire() })).toEqual([
      ['disk', 'open', 2, null],
      ['net', 'open', 1, 1],
    ]);
  });

  it('of one incident that it is open, where its receiver knows all: the group’s next `repeat` counts from there', () => {
    expect(says({ disk: known(), cpu: known() })).toEqual([['cpu', 'open', 1, null]]);
  });

  it('besides what is resolved, that one is open, if any is', () => {
    expect(says({ disk: resolve(known()), cpu: known() })).toEqual([
      ['disk', 'resolved', 2, 2],
      ['cpu', 'open', 1, null],
    ]);
  });

  it('about no item of incidents that its text only counts', () => {
    expect(says({ disk: fire(), cpu: fire(), net: resolve(known()) }, ['cpu'])).toEqual([
      ['disk', 'open', 1, null],
      ['cpu', 'open', 1, 1],
      ['net', 'resolved', 2, null],
    ]);
  });

  it('nothing of what is held back, and nothing more of what its receiver knows to flap', () => {
    const muted = notified(flapping(), { statement: 'flapping', n: 1, about: 1 }, 1, 1);
    const open = openOf({ disk: fire(), cpu: muted, net: fire() }, ['disk']);
    expect(saysAbout(groupsIn(open))).toEqual([['net', 'open', 1, 1]]);
  });

  it('of each of its groups', () => {
    const open = openOf({ disk: fire() });
    open.put(refOf('cpu'), fire(), { grouped: null, inhibitedBy: [] }, 0);
    expect(saysAbout(groupsIn(open)).map(([key]) => key)).toEqual(['disk', 'cpu']);
  });

  it('for each incident what becomes known when the gateway takes it', () => {
    expect(says({ disk: fire() }).map(saidOf)).toEqual([{ statement: 'open', n: 1, about: 1 }]);
  });
});

const message = (incidents: Says['incidents'], over: Partial<Says> = {}): Says => ({
  form: 'group',
  groups: ['=web'],
  incidents,
  isFree: false,
  endsHold: false,
  missed: NONE_MISSED,
  ...over,
});

describe('two messages', () => {
  const first = message([['disk', 'open', 1, 1]]);
  const receiver = openOf({ disk: fire(), cpu: resolve(known()), net: known(), fan: known() }).subscriber(
    refOf(''),
  );
  const isSame = (one: Says, other: Says): boolean => isSameNews(receiver, one, other);

  it('have the same news if they say the same of the same incidents, whatever items came since', () => {
    expect(isSame(first, message([['disk', 'open', 3, null]]))).toBe(true);
    expect(isSame(first, message([['disk', 'resolved', 2, 2]]))).toBe(false);
    expect(isSame(first, message([['cpu', 'resolved', 2, 2]]))).toBe(false);
    expect(isSame(first, message([...first.incidents, ['cpu', 'resolved', 2, 2]]))).toBe(false);
    expect(isSame(first, message([['disk', 'open', 1, 1]], { groups: ['=web', '=db'] }))).toBe(false);
  });

  it('have the same news in any order, and whatever they repeat of what is known', () => {
    const [disk, cpu] = [['disk', 'open', 1, 1] as const, ['cpu', 'resolved', 2, 2] as const];
    const one = message([disk, cpu, ['net', 'open', 1, null]], { groups: ['=web', '=db'] });
    const other = message([cpu, disk, ['fan', 'open', 1, null]], { groups: ['=db', '=web'] });
    expect(isSame(one, other)).toBe(true);
  });
});
