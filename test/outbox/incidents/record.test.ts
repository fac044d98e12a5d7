import { describe, expect, it } from 'vitest';
import { diskOf } from '../full-disk.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, route, type CallEnds } from './bench.ts';

const MINUTE = 60_000;

const isIncident = (query: string): boolean => query.includes('UPDATE incidents');
const isReceiver = (query: string): boolean => query.includes('INTO subscribers');

const take = (one: IncidentsBench, names: readonly string[], isResolved: boolean): Promise<void> =>
  one.take(...names.map((name) => item(name, { group: 'db', isResolved })));
const fire = (one: IncidentsBench, ...names: readonly string[]) => take(one, names, false);
const resolve = (one: IncidentsBench, ...names: readonly string[]) => take(one, names, true);

/** The end of a call is recorded while the disk is full, for one write of this kind. */
const endOnFullDisk = (
  isMeant: (query: string) => boolean,
  ends: CallEnds,
  body: (one: IncidentsBench) => Promise<void>,
): Promise<void> =>
  inStorage(async ({ storage }) => {
    const routes = [route({ throttle: { max: 3, per: '10m' }, group: { wait: '1s', interval: '1s' } })];
    const one = new IncidentsBench(storage, routes);
    const disk = diskOf(storage.sql, isMeant);
    one.ends = null;
    await fire(one, 'a', 'b');
    await one.pass(MINUTE);
    expect(one.sent).toEqual([]);
    disk.fails = 1;
    await expect(one.end(ends)).rejects.toThrow('disk is full');
    expect(disk.fails).toBe(0);
    one.ends = 'sent';
    await body(one);
  });

describe('the end of a call that cannot be recorded at once', () => {
  describe.each([
    ['an incident', isIncident],
    ['a receiver', isReceiver],
  ])('since %s cannot be written', (_, isMeant) => {
    it.each([false, true])('is recorded before what comes next (restart afterwards: %s)', (isRestarted) =>
      endOnFullDisk(isMeant, 'sent', async (one) => {
        await one.run();
        if (isRestarted) await one.crash();
        await one.pass(10 * MINUTE);
        expect(one.sent).toEqual(['+a +b =2']);
        await resolve(one, 'a');
        await one.pass(MINUTE);
        await resolve(one, 'b');
        await one.pass(MINUTE);
        expect(one.sent).toEqual(['+a +b =2', '-a =1', '-b =0']);
        expect(one.outcomes).toEqual(['notified', 'notified', 'notified', 'notified']);
      }),
    );
  });

  it('is recorded before the message is tried again', () =>
    endOnFullDisk(isIncident, 'failed', async (one) => {
      await one.retry();
      expect(one.sent).toEqual(['+a +b =2']);
    }));

  it('may have arrived, and its resolution is due', () =>
    endOnFullDisk(isIncident, 'uncertain', async (one) => {
      await resolve(one, 'a', 'b');
      await one.retry();
      await one.pass(MINUTE);
      expect(one.sent).toEqual(['-a -b =0']);
    }));

  it('takes one place of the throttle', () =>
    endOnFullDisk(isReceiver, 'sent', async (one) => {
      await one.run();
      await fire(one, 'c');
      await one.pass(MINUTE);
      await fire(one, 'd');
      await one.pass(MINUTE);
      await fire(one, 'e');
      await one.pass(MINUTE);
      expect(one.sent).toEqual(['+a +b =2', '+c =3', '+d =4']);
    }));
});

describe('what is recorded before the configuration is read', () => {
  it('takes a place of the throttle, if the call may have arrived', () =>
    inStorage(async ({ storage }) => {
      const one = new IncidentsBench(storage, [route({ throttle: { max: 1, per: '10m' } })]);
      one.ends = null;
      await fire(one, 'a');
      await one.crash();
      one.ends = 'sent';
      await one.take(item('a', { isResolved: true }), item('b'));
      await one.retry();
      await one.pass(9 * MINUTE);
      expect(one.sent).toEqual(['-a =0']);
      await one.pass(2 * MINUTE);
      expect(one.sent).toEqual(['-a =0', '+b =1']);
    }));

  it('is said by the next repeat, if a person has cancelled it', () =>
    inStorage(async ({ storage }) => {
      const incident = { key: '{{ item.name }}', resolved: 'item.status == "resolved"', repeat: '1h' };
      const one = new IncidentsBench(storage, [route({ incident })]);
      one.isSending = false;
      await fire(one, 'a');
      one.restart();
      one.cancel(1);
      one.isSending = true;
      await one.crash();
      await one.pass(59 * MINUTE);
      expect(one.sent).toEqual([]);
      await one.pass(2 * MINUTE);
      expect(one.sent).toEqual(['+a =1']);
    }));
});

describe('the time of the last message', () => {
  it('stays known while all that is left is held back: the next repeat is not early', () =>
    inStorage(async ({ storage }) => {
      const alerting = { group: { wait: '1s', interval: '1s' } };
      const incident = { key: '{{ item.name }}', repeat: '1h', inhibited_by: 'cluster/{{ item.cluster }}' };
      const one = new IncidentsBench(storage, [
        route({ name: 'cluster', incident: { key: '{{ item.cluster }}' } }),
        route({ ...alerting, incident }),
      ]);
      const inhibitedBy = ['alerts/cluster/eu'];
      const items = (names: readonly string[], isResolved = false) =>
        one.take(...names.map((name) => item(name, { group: 'db', isResolved, inhibitedBy })));
      const cluster = (isResolved: boolean) =>
        one.take(item('eu', { route: 'cluster', isResolved, phones: ['4915112345602'] }));
      await items(['a', 'b', 'c']);
      await one.pass(20 * MINUTE);
      await items(['a'], true);
      await one.pass(10 * MINUTE);
      expect(one.sent).toEqual(['+a +b +c =3', '-a =2']);
      // Of the rest, one is resolved while the other is held back.
      await cluster(false);
      await one.pass(MINUTE);
      await items(['c'], true);
      await one.pass(MINUTE);
      await cluster(true);
      await one.pass(MINUTE);
      const before = one.sent.length;
      await one.pass(40 * MINUTE);
      expect(one.sent.slice(before)).toEqual([]);
      await one.pass(20 * MINUTE);
      expect(one.sent.slice(before)).toEqual(['=1']);
    }));
});
