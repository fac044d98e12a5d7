import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../../src/config/compile/compile.ts';
import type { LoadedConfig } from '../../../src/config/compiled/config.ts';
import { EMPTY_SET, type ConfigSet } from '../../../src/config/documents/schema.ts';
import { Beyond } from '../../../src/outbox/incidents/beyond.ts';
import {
  createLook,
  type Look,
  type IncidentsDeps,
  type Move,
} from '../../../src/outbox/incidents/context.ts';
import type { Group, IncidentRef } from '../../../src/outbox/incidents/entries.ts';
import { holdBack } from '../../../src/outbox/incidents/receivers.ts';
import { idOfName, readIncident, writeItem } from '../../../src/outbox/incidents/store.ts';
import { arrive, maybeNotified, resolve, type Incident } from '../../../src/outbox/incidents/incident.ts';
import { OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import { lookAtGroup } from '../../../src/outbox/incidents/notify.ts';
import { NOBODY } from '../samples.ts';
import { MINUTE, START } from '../support.ts';
import { inStorage, tables } from '../in-storage.ts';
import { outcomesOf, refOf, sent } from './said.ts';

const PHONE = '4915112345601';
const OTHER = '4915112345602';

/** A set whose list has these numbers. */
function configOf(
  numbers: readonly string[] = [PHONE, OTHER],
  silences: ConfigSet['silences'] = {},
): LoadedConfig {
  const routes = [
    {
      name: 'on-call',
      each: 'payload.alerts',
      to: 'team',
      incident: { key: '{{ item.name }}' },
      send: { kind: 'text', message: 'x' },
    },
  ];
  const sources = { alerts: { verify: { scheme: 'none' }, routes } };
  const recipients = { team: { numbers } };
  const { config, errors } = compileConfig({ ...EMPTY_SET, sources, recipients, silences }, 1);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return config;
}

interface Over {
  readonly by?: readonly string[];
  readonly phone?: string;
  readonly severity?: string;
}

/** The open incidents, in memory and in rows, and what holds them back. */
class HoldBench {
  readonly open = new OpenIncidents();
  readonly moves: Move[] = [];
  readonly #storage: DurableObjectStorage;
  config = configOf();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** An incident is now like this. `by`: the keys of those that inhibit it; `fields`: further ones of its newest item. */
  put(key: string, incident: Incident, { by = [], phone = PHONE, ...fields }: Over = {}): void {
    const ref = refOf(key, phone);
    const grouping = { grouped: null, inhibitedBy: by.map((other) => `alerts/on-call/${other}`) };
    const { sql } = this.#storage;
    const event = { id: 'evt_1', type: null, source: 'alerts', received_at: '', dedupe_key: null };
    const value = JSON.stringify({ name: key, ...fields });
    const known = readIncident(sql, ref);
    writeItem(sql, ref, { known, incident, now: START }, { ...grouping, event, value, stored: true });
    this.open.put(ref, incident, grouping, START);
  }

  /** Looks at these, or at what is new or released. Returns the keys that are held back, and why. */
  look(entries = this.open.takeUnchecked(), phone = PHONE): Readonly<Record<string, string>> {
    holdBack(this.#look(), entries);
    const whys: Record<string, string> = {};
    for (const key of ['disk', 'fan', 'net']) {
      const held = this.open.get(refOf(key, phone))?.held;
      if (held) whys[key] = held.why;
    }
    return whys;
  }

  #look(): Look {
    const { open, config } = this;
    const beyond = new Beyond(this.#storage.sql);
    const deps: IncidentsDeps = {
      sql: this.#storage.sql,
      ...NOBODY,
      clock: () => START,
    };
    const moved = (moves: readonly Move[]): unknown => this.moves.push(...moves);
    return Object.assign(createLook(deps, open, beyond, config, START), { moved });
  }

  /** The time when a group is looked at again, since time changes it. */
  changesAt(group: Group): number {
    lookAtGroup(this.#look(), group);
    return group.changesAt;
  }

  rowOf = (ref: IncidentRef): Incident | null => readIncident(this.#storage.sql, ref);
}

const bench = (body: (bench: HoldBench) => void): Promise<void> =>
  inStorage(({ storage }) => body(new HoldBench(storage)));

const fire = (now = START, isLone = false): Incident =>
  arrive(null, { isResolved: false, isLone }, { flaps: null, held: null, now });

const known = (): Incident => sent(fire(), 1, START);
const over = (incident: Incident, now = START): Incident => resolve(incident, null, null, now);

const STAGING = { when: 'item.name == "disk"' };
const INHIBITED = { disk: 'inhibited' };
const BY_CLUSTER = idOfName(tables().sql, 'alerts/on-call/cluster');

describe('an incident is held back', () => {
  it('while one that inhibits it is open, and what held it back is said once', () =>
    bench((one) => {
      one.put('disk', fire(), { by: ['cluster'] });
      one.put('cluster', fire(), { phone: OTHER });
      expect(one.look()).toEqual(INHIBITED);
      expect(one.moves).toEqual([{ stage: 'incident.held', ref: refOf('disk'), by: BY_CLUSTER }]);
      one.put('cluster', over(fire()), { phone: OTHER });
      expect(one.look()).toEqual({});
    }));

  it('until the one that inhibits it is resolved, whether or not the receivers of that one know', () =>
    bench((one) => {
      one.put('cluster', known());
      one.put('disk', fire(), { by: ['cluster'] });
      expect(one.look()).toEqual(INHIBITED);
      one.put('cluster', over(known()));
      expect(one.open.get(refOf('cluster'))).not.toBeNull();
      expect(one.look()).toEqual({});
    }));

  it('by a silence, until it ends at the latest, or silences are looked at again', () =>
    bench((one) => {
      one.config = configOf([PHONE], {
        night: { ...STAGING, until: new Date(START + MINUTE).toISOString() },
      });
      one.put('disk', fire());
      one.put('fan', fire());
      expect(one.look()).toEqual({ disk: 'silenced' });
      const { held, group } = one.open.get(refOf('disk')) ?? {};
      expect(held).toEqual({ why: 'silenced', by: 'night', until: START + MINUTE });
      expect(group && one.changesAt(group)).toBe(START + MINUTE);
      one.config = configOf();
      one.open.lookAtAll(START);
      expect(one.look()).toEqual({});
    }));

  it('when its receiver has left the list, of which nothing is said, whatever item comes', () =>
    bench((one) => {
      one.config = configOf([OTHER]);
      one.put('disk', fire());
      one.put('disk', fire(), { phone: OTHER });
      expect(one.look()).toEqual({ disk: 'left' });
      one.put('disk', fire());
      expect(one.look()).toEqual({ disk: 'left' });
      expect(one.look([], OTHER)).toEqual({});
      expect(one.moves).toEqual([]);
    }));
});

describe('an item of an incident that is held back', () => {
  it.each([
    ['what is to be said', fire()],
    ['a repeat', known()],
  ])(
    'ends a silence of %s that does not match it, and changes nothing, nor is said again, where that does',
    (_, incident) =>
      bench((one) => {
        one.config = configOf([PHONE], { night: { when: 'item.severity == "warning"' } });
        for (const severity of ['warning', 'warning']) {
          one.put('disk', incident, { severity });
          expect(one.look(one.open.entriesOf('alerts/on-call/disk'))).toEqual({ disk: 'silenced' });
        }
        expect(one.moves).toHaveLength(1);
        one.put('disk', incident, { severity: 'critical' });
        expect(one.look()).toEqual({});
      }),
  );

  it('is held back by what matches it now', () =>
    bench((one) => {
      one.config = configOf([PHONE], { night: { when: 'item.severity == "warning"' } });
      one.put('cluster', known(), { phone: OTHER });
      one.put('disk', fire(), { severity: 'warning' });
      one.look();
      one.put('disk', fire(), { severity: 'critical', by: ['cluster'] });
      expect(one.look()).toEqual(INHIBITED);
      expect(one.moves.map(({ by }) => by)).toEqual(['night', BY_CLUSTER]);
      one.put('cluster', over(known()), { phone: OTHER });
      expect(one.look()).toEqual({});
    }));

  it('ends an inhibition that it does not name', () =>
    bench((one) => {
      one.put('cluster', known(), { phone: OTHER });
      one.put('disk', fire(), { by: ['cluster'] });
      expect(one.look()).toEqual(INHIBITED);
      one.put('disk', fire(), { by: ['rack'] });
      expect(one.look()).toEqual({});
    }));

  it('closes a circle, of which the oldest is notified', () =>
    bench((one) => {
      one.put('disk', fire(START), { by: ['net'] });
      one.put('net', fire(START + 1));
      expect(one.look()).toEqual(INHIBITED);
      one.put('net', fire(START + 1), { by: ['disk'] });
      one.look();
      expect(one.look()).toEqual({ net: 'inhibited' });
    }));
});

describe('a resolution is not held back', () => {
  it('by a silence, by another incident, or because its receiver has left the list', () =>
    bench((one) => {
      one.config = configOf([OTHER], { night: STAGING });
      one.put('cluster', fire(), { phone: OTHER });
      one.put('disk', over(known()), { by: ['cluster'] });
      expect(one.look(one.open.entriesOf('alerts/on-call/disk'))).toEqual({});
    }));

  it('when what it resolves was held back: its receiver may know that it is open', () =>
    bench((one) => {
      one.config = configOf([PHONE], { night: STAGING });
      const uncertain = maybeNotified(fire(), 'open');
      one.put('disk', uncertain);
      expect(one.look()).toEqual({ disk: 'silenced' });
      one.put('disk', over(uncertain));
      expect(one.look([])).toEqual({});
    }));
});

it('an item that belongs to no incident is closed when a silence takes it', () =>
  bench((one) => {
    one.config = configOf([PHONE], { night: STAGING });
    one.put('disk', fire(START, true));
    one.look();
    expect(one.open.get(refOf('disk'))).toBeNull();
    const row = one.rowOf(refOf('disk'));
    expect(row && outcomesOf(row)).toEqual(['silenced']);
  }));

describe('of incidents that inhibit each other', () => {
  type Opened = readonly [key: 'disk' | 'fan' | 'net', after: number, by: string];

  it.each<[string, readonly Opened[], readonly string[]]>([
    [
      'the older one is notified, whichever came first',
      [
        ['net', 2, 'disk'],
        ['disk', 1, 'net'],
      ],
      ['net'],
    ],
    [
      'the first by name, when they opened at the same time',
      [
        ['net', 0, 'disk'],
        ['disk', 0, 'net'],
      ],
      ['net'],
    ],
    [
      'one that inhibits itself is notified, and one that a circle inhibits is not',
      [
        ['disk', 1, 'disk'],
        ['fan', 0, 'disk'],
      ],
      ['fan'],
    ],
  ])('%s', (_, opened, held) =>
    bench((one) => {
      for (const [key, after, by] of opened) one.put(key, fire(START + after), { by: [by] });
      expect(Object.keys(one.look())).toEqual(held);
    }),
  );

  it.each([[['disk', 'net', 'fan']], [['disk', 'fan', 'net']], [['fan', 'net', 'disk']]] as const)(
    'at least the oldest of a circle is notified: %j',
    (order) =>
      bench((one) => {
        const circle = { disk: ['net'], net: ['fan'], fan: ['disk'] };
        for (const [at, key] of order.entries()) one.put(key, fire(START + at), { by: circle[key] });
        const held = Object.keys(one.look());
        expect(held).not.toContain(order[0]);
        expect(held.length).toBeGreaterThan(0);
      }),
  );

  it('the other one is notified when the older one is resolved, and holds it back when it opens again', () =>
    bench((one) => {
      one.put('disk', fire(START + 1), { by: ['net'] });
      one.put('net', fire(START + 2), { by: ['disk'] });
      expect(one.look()).toEqual({ net: 'inhibited' });
      one.put('disk', over(fire(START + 1), START + 3), { by: ['net'] });
      expect(one.look()).toEqual({});
      one.put('disk', fire(START + 4), { by: ['net'] });
      expect(one.look()).toEqual(INHIBITED);
    }));
});
