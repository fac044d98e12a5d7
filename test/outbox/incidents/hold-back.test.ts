import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../../src/config/compile.ts';
import type { LoadedConfig } from '../../../src/config/config.ts';
import { EMPTY_SET, type ConfigSet } from '../../../src/config/schema.ts';
import type { Move } from '../../../src/outbox/incidents/arrivals.ts';
import { Beyond } from '../../../src/outbox/incidents/beyond.ts';
import { Look, type IncidentsDeps } from '../../../src/outbox/incidents/context.ts';
import type { Group, IncidentRef } from '../../../src/outbox/incidents/entries.ts';
import { holdBack } from '../../../src/outbox/incidents/hold-back.ts';
import { idOfName } from '../../../src/outbox/incidents/incident-id.ts';
import { arrive, maybeNotified, resolve, type Incident } from '../../../src/outbox/incidents/incident.ts';
import { OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import { readIncident, writeItem } from '../../../src/outbox/incidents/store.ts';
import { lookAtGroup } from '../../../src/outbox/incidents/timers.ts';
import { InForce } from '../../../src/outbox/incidents/in-force.ts';
import { MINUTE, START, UNPACED } from '../support.ts';
import { inStorage } from '../in-storage.ts';
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

/** The open incidents, in memory and in rows, and what holds them back. */
class HoldBench {
  readonly open = new OpenIncidents();
  readonly moves: Move[] = [];
  readonly #storage: DurableObjectStorage;
  config = configOf();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** An incident is now like this. `by`: the keys of those that inhibit it. */
  put(ref: IncidentRef, incident: Incident, ...by: readonly string[]): void {
    this.say(ref, incident, {}, ...by);
  }

  /** The same; `fields`: further ones of its newest item. */
  say(ref: IncidentRef, incident: Incident, fields: object, ...by: readonly string[]): void {
    const grouping = { grouped: null, inhibitedBy: by.map((key) => `alerts/on-call/${key}`) };
    const { sql } = this.#storage;
    const event = { id: 'evt_1', type: null, source: 'alerts', received_at: '', dedupe_key: null };
    const value = JSON.stringify({ name: ref.key, ...fields });
    const known = readIncident(sql, ref);
    writeItem(sql, ref, { known, incident, now: START }, { ...grouping, event, value, stored: true });
    this.open.put(ref, incident, grouping, START);
  }

  /** Looks at these, or at what is new or released. True: some of it is held back. */
  look(entries = this.open.takeUnchecked()): boolean {
    return holdBack(this.#look(), entries);
  }

  #look(): Look {
    const { open, config } = this;
    const beyond = new Beyond(this.#storage.sql);
    const deps: IncidentsDeps = {
      storage: this.#storage,
      inForce: new InForce(this.#storage.sql),
      policyIn: () => UNPACED,
      updateAt: (_, __, now) => now,
      queue: () => null,
      rewrite: (row) => row,
      isUnderWay: () => false,
      hurry: () => undefined,
      onBeyond: () => undefined,
      onNobody: () => undefined,
      onMoved: (moves) => this.moves.push(...moves),
      onNotified: () => undefined,
      wakeAt: () => undefined,
      account: () => 'default',
      clock: () => START,
    };
    return new Look({ deps, open, beyond, config, now: START });
  }

  /** The time when a group is looked at again, since time changes it. */
  changesAt(group: Group): number {
    lookAtGroup(this.#look(), group);
    return group.changesAt;
  }

  heldOf = (key: string, phone = PHONE): string | null => this.open.get(refOf(key, phone))?.held?.why ?? null;

  /** The keys of what is held back. */
  held = (...keys: readonly string[]): readonly string[] => keys.filter((key) => this.heldOf(key) !== null);

  rowOf = (ref: IncidentRef): Incident | null => readIncident(this.#storage.sql, ref);
}

const bench = (body: (bench: HoldBench) => void): Promise<void> =>
  inStorage(({ storage }) => {
    body(new HoldBench(storage));
    // The object itself must not find the rows later.
    storage.sql.exec('DELETE FROM incidents');
  });

const fire = (now = START, isLone = false): Incident =>
  arrive(null, { isResolved: false, isLone }, { flaps: null, held: null, now });

const known = (): Incident => sent(fire(), 1, START);

const STAGING = { when: 'item.name == "disk"' };

describe('an incident is held back', () => {
  it('while one that inhibits it is open, and what held it back is said once', () =>
    bench((one) => {
      one.put(refOf('fan'), fire(), 'cluster');
      one.put(refOf('cluster', OTHER), fire());
      expect(one.look()).toBe(true);
      expect(one.heldOf('fan')).toBe('inhibited');
      expect(one.moves).toEqual([
        { stage: 'incident.held', ref: refOf('fan'), by: idOfName('alerts/on-call/cluster') },
      ]);
      one.put(refOf('cluster', OTHER), resolve(fire(), null, null, START));
      expect(one.heldOf('fan')).toBeNull();
      expect(one.look()).toBe(false);
    }));

  it('until the one that inhibits it is resolved, whether or not the receivers of that one know', () =>
    bench((one) => {
      one.put(refOf('cluster'), known());
      one.put(refOf('disk'), fire(), 'cluster');
      one.look();
      one.put(refOf('cluster'), resolve(known(), null, null, START));
      expect(one.open.get(refOf('cluster'))).not.toBeNull();
      expect(one.heldOf('disk')).toBeNull();
    }));

  it('by a silence, until it ends at the latest', () =>
    bench((one) => {
      const until = new Date(START + MINUTE).toISOString();
      one.config = configOf([PHONE], { night: { ...STAGING, until } });
      one.put(refOf('disk'), fire());
      one.put(refOf('fan'), fire());
      one.look();
      expect(one.held('disk', 'fan')).toEqual(['disk']);
      const { held, group } = one.open.get(refOf('disk')) ?? {};
      expect(held).toEqual({ why: 'silenced', by: 'night', until: START + MINUTE });
      expect(group && one.changesAt(group)).toBe(START + MINUTE);
    }));

  it('when its receiver has left the list, of which nothing is said', () =>
    bench((one) => {
      one.config = configOf([OTHER]);
      one.put(refOf('disk'), fire());
      one.put(refOf('disk', OTHER), fire());
      expect(one.look()).toBe(true);
      expect(one.heldOf('disk')).toBe('left');
      expect(one.heldOf('disk', OTHER)).toBeNull();
      expect(one.moves).toEqual([]);
    }));

  it('until silences and lists are looked at again', () =>
    bench((one) => {
      one.config = configOf([PHONE], { night: STAGING });
      one.put(refOf('disk'), fire());
      one.look();
      one.config = configOf();
      one.open.lookAtAll(START);
      expect(one.look()).toBe(false);
      expect(one.heldOf('disk')).toBeNull();
    }));
});

describe('an item of an incident that is held back', () => {
  const WARNINGS = { night: { when: 'item.severity == "warning"' } };

  it('ends a silence that does not match it', () =>
    bench((one) => {
      one.config = configOf([PHONE], WARNINGS);
      one.say(refOf('disk'), fire(), { severity: 'warning' });
      one.look();
      expect(one.heldOf('disk')).toBe('silenced');
      one.say(refOf('disk'), fire(), { severity: 'critical' });
      one.look();
      expect(one.heldOf('disk')).toBeNull();
    }));

  it('ends the silence of a repeat that does not match it', () =>
    bench((one) => {
      one.config = configOf([PHONE], WARNINGS);
      one.say(refOf('disk'), known(), { severity: 'warning' });
      one.look(one.open.entriesOf('alerts/on-call/disk'));
      expect(one.heldOf('disk')).toBe('silenced');
      one.say(refOf('disk'), known(), { severity: 'critical' });
      one.look();
      expect(one.heldOf('disk')).toBeNull();
    }));

  it('changes nothing where the silence matches it, and that is not said again', () =>
    bench((one) => {
      one.config = configOf([PHONE], WARNINGS);
      for (const times of [1, 2]) {
        one.say(refOf('disk'), fire(), { severity: 'warning', times });
        one.look();
        expect(one.heldOf('disk')).toBe('silenced');
        expect(one.moves).toHaveLength(1);
      }
    }));

  it('is held back by what matches it now', () =>
    bench((one) => {
      one.config = configOf([PHONE], WARNINGS);
      one.put(refOf('cluster', OTHER), known());
      one.say(refOf('disk'), fire(), { severity: 'warning' });
      one.look();
      one.say(refOf('disk'), fire(), { severity: 'critical' }, 'cluster');
      one.look();
      expect(one.heldOf('disk')).toBe('inhibited');
      expect(one.moves.map(({ by }) => by)).toEqual(['night', idOfName('alerts/on-call/cluster')]);
      one.put(refOf('cluster', OTHER), resolve(known(), null, null, START));
      expect(one.heldOf('disk')).toBeNull();
    }));

  it('ends an inhibition that it does not name', () =>
    bench((one) => {
      one.put(refOf('cluster', OTHER), known());
      one.put(refOf('disk'), fire(), 'cluster');
      one.look();
      expect(one.heldOf('disk')).toBe('inhibited');
      one.put(refOf('disk'), fire(), 'rack');
      one.look();
      expect(one.heldOf('disk')).toBeNull();
    }));

  it('leaves alone what its receiver has left', () =>
    bench((one) => {
      one.config = configOf([OTHER]);
      one.put(refOf('disk'), fire());
      one.put(refOf('disk', OTHER), fire());
      one.look();
      one.put(refOf('disk'), fire());
      expect(one.look()).toBe(false);
      expect(one.heldOf('disk')).toBe('left');
    }));

  it('closes a circle, of which the oldest is notified', () =>
    bench((one) => {
      one.put(refOf('disk'), fire(START), 'net');
      one.put(refOf('net'), fire(START + 1));
      one.look();
      expect(one.held('disk', 'net')).toEqual(['disk']);
      one.put(refOf('net'), fire(START + 1), 'disk');
      one.look();
      one.look();
      expect(one.held('disk', 'net')).toEqual(['net']);
    }));
});

describe('a resolution is not held back', () => {
  it('by a silence, by another incident, or because its receiver has left the list', () =>
    bench((one) => {
      one.config = configOf([OTHER], { night: STAGING });
      one.put(refOf('cluster', OTHER), fire());
      one.put(refOf('disk'), resolve(known(), null, null, START), 'cluster');
      expect(one.look(one.open.entriesOf('alerts/on-call/disk'))).toBe(false);
    }));

  it('when what it resolves was held back: its receiver may know that it is open', () =>
    bench((one) => {
      one.config = configOf([PHONE], { night: STAGING });
      const uncertain = maybeNotified(fire(), 'open');
      one.put(refOf('disk'), uncertain);
      one.look();
      expect(one.heldOf('disk')).toBe('silenced');
      one.put(refOf('disk'), resolve(uncertain, null, null, START));
      expect(one.heldOf('disk')).toBeNull();
    }));
});

describe('an item that belongs to no incident', () => {
  it('is closed when a silence takes it', () =>
    bench((one) => {
      one.config = configOf([PHONE], { night: STAGING });
      one.put(refOf('disk'), fire(START, true));
      expect(one.look()).toBe(true);
      expect(one.open.get(refOf('disk'))).toBeNull();
      const row = one.rowOf(refOf('disk'));
      expect(row && outcomesOf(row)).toEqual(['silenced']);
    }));
});

describe('of incidents that inhibit each other', () => {
  const CIRCLE = { disk: ['net'], net: ['fan'], fan: ['disk'] } as const;

  it('the older one is notified, whichever came first', () =>
    bench((one) => {
      one.put(refOf('net'), fire(START + 2), 'disk');
      one.put(refOf('disk'), fire(START + 1), 'net');
      one.look();
      expect(one.held('disk', 'net')).toEqual(['net']);
    }));

  it('the first by name is notified when they opened at the same time', () =>
    bench((one) => {
      one.put(refOf('net'), fire(), 'disk');
      one.put(refOf('disk'), fire(), 'net');
      one.look();
      expect(one.held('disk', 'net')).toEqual(['net']);
    }));

  it('the other one is notified when the older one is resolved, and holds it back when it opens again', () =>
    bench((one) => {
      one.put(refOf('disk'), fire(START + 1), 'net');
      one.put(refOf('net'), fire(START + 2), 'disk');
      one.look();
      one.put(refOf('disk'), resolve(fire(START + 1), null, null, START + 3), 'net');
      one.look();
      expect(one.heldOf('net')).toBeNull();
      one.put(refOf('disk'), fire(START + 4), 'net');
      one.look();
      expect(one.held('disk', 'net')).toEqual(['disk']);
    }));

  it.each([[['disk', 'net', 'fan']], [['disk', 'fan', 'net']], [['fan', 'net', 'disk']]] as const)(
    'at least the oldest of a circle is notified: %j',
    (order) =>
      bench((one) => {
        for (const [at, key] of order.entries()) one.put(refOf(key), fire(START + at), ...CIRCLE[key]);
        one.look();
        expect(one.heldOf(order[0])).toBeNull();
        expect(one.held(...order).length).toBeGreaterThan(0);
      }),
  );

  it('one that inhibits itself is notified, and one that a circle inhibits is not', () =>
    bench((one) => {
      one.put(refOf('disk'), fire(START + 1), 'disk');
      one.put(refOf('fan'), fire(START), 'disk');
      one.look();
      expect(one.held('disk', 'fan')).toEqual(['fan']);
    }));
});
