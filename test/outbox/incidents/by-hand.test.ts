import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, route } from './bench.ts';

const DISK = { source: 'alerts', route: 'on-call', key: 'disk' };

const repeating = route({
  incident: { key: '{{ item.name }}', resolved: 'item.x', repeat: '4h' },
});

const bench = (body: (one: IncidentsBench) => Promise<void>): Promise<void> =>
  inStorage(({ storage }) => body(new IncidentsBench(storage, [repeating])));

describe('an incident that a person has', () => {
  it('is not repeated, and its resolution goes to who was notified', () =>
    bench(async (one) => {
      await one.fire('disk');
      expect(one.sent).toHaveLength(1);
      expect(one.incidents.acknowledge(DISK, 'anna')).toBe(true);
      await one.pass(24 * HOUR - 1);
      expect(one.sent).toHaveLength(1);
      await one.resolve('disk');
      expect(one.sent).toHaveLength(2);
    }));

  it('stays theirs over a restart, and while it fires again', () =>
    bench(async (one) => {
      await one.fire('disk');
      one.incidents.acknowledge(DISK, 'anna');
      await one.crash();
      await one.fire('disk');
      await one.pass(24 * HOUR - 1);
      expect(one.sent).toHaveLength(1);
    }));

  it('is of the first who says so', () =>
    bench(async (one) => {
      await one.fire('disk');
      const ref = { ...DISK, phone: one.messages[0]?.phone ?? '' };
      const { now } = one;
      one.incidents.acknowledge(DISK, 'anna');
      await one.pass(HOUR);
      expect(one.incidents.acknowledge(DISK, 'ben')).toBe(true);
      expect(one.incident(ref).acknowledged).toMatchObject({ by: 'anna', at: now });
    }));

  it('is of somebody else who said so as well, once the first one takes that back', () =>
    bench(async (one) => {
      await one.fire('disk');
      const ref = { ...DISK, phone: one.messages[0]?.phone ?? '' };
      one.incidents.acknowledge(DISK, 'anna');
      await one.pass(HOUR);
      const { now } = one;
      one.incidents.acknowledge(DISK, 'ben');
      await one.pass(HOUR);
      one.incidents.acknowledge(DISK, 'anna');
      one.incidents.giveBack(DISK, 'anna');
      expect(one.incident(ref).acknowledged).toMatchObject({ by: 'ben', at: now });
      // As long as he said, and not as long as she did.
      await one.pass(23 * HOUR - 1);
      expect(one.sent).toHaveLength(1);
      await one.pass(1);
      expect(one.sent).toHaveLength(2);
    }));

  it('is nobody’s when all who said so have taken that back', () =>
    bench(async (one) => {
      await one.fire('disk');
      const ref = { ...DISK, phone: one.messages[0]?.phone ?? '' };
      for (const by of ['anna', 'ben', 'cleo', 'ben']) one.incidents.acknowledge(DISK, by);
      for (const by of ['ben', 'anna']) one.incidents.giveBack(DISK, by);
      expect(one.incident(ref).acknowledged?.by).toBe('cleo');
      one.incidents.giveBack(DISK, 'cleo');
      expect(one.incident(ref).acknowledged).toBeNull();
    }));

  it('is theirs for no longer because of somebody who takes that back', () =>
    bench(async (one) => {
      await one.fire('disk');
      one.incidents.acknowledge(DISK, 'anna');
      await one.pass(20 * HOUR);
      one.incidents.acknowledge(DISK, 'ben');
      one.incidents.giveBack(DISK, 'ben');
      await one.pass(4 * HOUR);
      expect(one.sent).toHaveLength(2);
    }));

  it('is nobody’s once it opens again, and is repeated', () =>
    bench(async (one) => {
      await one.fire('disk');
      one.incidents.acknowledge(DISK, 'anna');
      await one.resolve('disk');
      await one.fire('disk');
      await one.pass(4 * HOUR);
      expect(one.sent).toHaveLength(4);
    }));

  it('is still notified to who was not, since a call failed', () =>
    bench(async (one) => {
      one.ends = 'failed';
      await one.fire('disk');
      one.incidents.acknowledge(DISK, 'anna');
      one.ends = 'sent';
      await one.retry();
      expect(one.sent).toHaveLength(1);
      await one.pass(24 * HOUR - 1);
      expect(one.sent).toHaveLength(1);
    }));

  it('keeps the interval of its group, also when all the others have resolved', () =>
    inStorage(async ({ storage }) => {
      const one = new IncidentsBench(storage, [
        route({
          incident: { key: '{{ item.name }}', resolved: 'item.x' },
          group: { wait: '1s', interval: '5m' },
        }),
      ]);
      await one.take(item('disk', { group: 'db' }), item('fan', { group: 'db' }));
      await one.pass(HOUR);
      one.incidents.acknowledge(DISK, 'anna');
      await one.take(item('fan', { group: 'db', isResolved: true }));
      await one.pass(MINUTE);
      expect(one.sent).toHaveLength(2);
      await one.crash();
      await one.take(item('heat', { group: 'db' }));
      await one.pass(4 * MINUTE - 1);
      expect(one.sent).toHaveLength(2);
      await one.pass(5 * SECOND);
      expect(one.sent).toHaveLength(3);
    }));

  it('must be open', () =>
    bench(async (one) => {
      expect(one.incidents.acknowledge(DISK, 'anna')).toBe(false);
      await one.fire('disk');
      await one.resolve('disk');
      expect(one.incidents.acknowledge(DISK, 'anna')).toBe(false);
    }));
});
