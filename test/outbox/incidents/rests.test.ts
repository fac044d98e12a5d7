import { describe, expect, it } from 'vitest';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, route } from './bench.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const bench = (body: (one: IncidentsBench) => Promise<void>, routes: readonly object[]): Promise<void> =>
  inStorage(({ storage }) => body(new IncidentsBench(storage, routes)));

/** A route to a list with quiet hours: its items wait for the morning, and belong to no incident. */
const lone = (over: object = {}): object => ({
  name: 'on-call',
  each: 'payload.alerts',
  to: '4915112345678',
  quiet: { from: '22:00', to: '07:00', timezone: 'UTC' },
  send: { kind: 'text', message: '{{ item.name }}' },
  ...over,
});

const post = (one: IncidentsBench, name: string): Promise<void> =>
  one.take({ value: JSON.stringify({ name }) });

describe('an item that belongs to no incident', () => {
  it('is sent at once, although a person cancelled the one before', () =>
    bench(
      async (one) => {
        one.isSending = false;
        await post(one, 'first');
        one.cancel(1);
        one.isSending = true;
        await one.run();
        expect(one.sent).toEqual([]);
        await post(one, 'second');
        // The cancelled message has notified nobody: its item goes out with what comes next.
        expect(one.sent).toEqual(['first', 'second']);
        expect(one.outcomes).toEqual(['notified', 'notified']);
      },
      [lone()],
    ));

  it('is sent at once, although the one before died', () =>
    bench(
      async (one) => {
        one.ends = 'refused for good';
        await post(one, 'first');
        one.ends = 'sent';
        await post(one, 'second');
        expect(one.sent).toEqual(['first', 'second']);
      },
      [lone()],
    ));
});

describe('items of no incident that cannot be sent', () => {
  it.each([false, true])('are given up after a week (restart: %s)', (isRestarted) =>
    bench(
      async (one) => {
        one.ends = 'refused for good';
        await post(one, 'first');
        await post(one, 'second');
        if (isRestarted) await one.crash();
        await one.pass(6 * DAY);
        expect(one.outcomes).toEqual(['waiting', 'waiting']);
        await one.pass(2 * DAY);
        expect(one.outcomes).toEqual(['expired', 'expired']);
        expect(one.incidents.open.size).toBe(0);
        const { length } = one.messages;
        await one.pass(2 * DAY);
        expect(one.messages).toHaveLength(length);
      },
      [lone()],
    ),
  );

  it('wait for longer where nothing has failed', () =>
    bench(
      async (one) => {
        one.isSending = false;
        await post(one, 'paused');
        await one.pass(10 * DAY);
        one.isSending = true;
        await one.run();
        expect(one.sent).toEqual(['paused']);
      },
      [lone()],
    ));

  it('wait for longer behind a throttle, although an earlier message had died', () =>
    bench(
      async (one) => {
        one.ends = 'refused for good';
        await post(one, 'first');
        one.ends = 'sent';
        await post(one, 'second');
        await post(one, 'third');
        expect(one.outcomes).toEqual(['notified', 'waiting', 'waiting']);
        await one.pass(8 * DAY);
        expect(one.outcomes).toEqual(['notified', 'notified', 'notified']);
      },
      [lone({ throttle: [{ max: 1, per: '7d' }] })],
    ));
});

describe('a resolution that cannot be sent', () => {
  it.each([false, true])('is given up after a week (restart: %s)', (isRestarted) =>
    bench(
      async (one) => {
        await one.fire('a');
        one.ends = 'refused for good';
        await one.resolve('a');
        if (isRestarted) await one.crash();
        await one.pass(6 * DAY);
        expect(one.incidents.open.size).toBe(1);
        await one.pass(2 * DAY);
        expect(one.incidents.open.size).toBe(0);
        const { length } = one.messages;
        await one.pass(2 * DAY);
        expect(one.messages).toHaveLength(length);
      },
      [route({})],
    ),
  );

  it('waits for longer where nothing has failed', () =>
    bench(
      async (one) => {
        await one.fire('a');
        one.isSending = false;
        await one.resolve('a');
        await one.pass(10 * DAY);
        one.isSending = true;
        await one.run();
        expect(one.sent).toEqual(['+a =1', '-a =0']);
      },
      [route({})],
    ));
});

/** An incident opens and closes in the night, and the morning comes. */
async function missOne(one: IncidentsBench): Promise<void> {
  await one.fire('a');
  await one.resolve('a');
  await one.pass(9 * HOUR);
}

describe('a count of what opened and closed in quiet hours', () => {
  const night = Date.UTC(2026, 6, 1, 23); // fixed date: its own clock
  const quiet = { quiet: { from: '22:00', to: '07:00', timezone: 'UTC' } };

  it.each([false, true])('that cannot be sent is given up after a week (restart: %s)', (isRestarted) =>
    bench(
      async (one) => {
        one.now = night;
        one.ends = 'refused for good';
        await missOne(one);
        await one.pass(6 * DAY);
        const { length } = one.messages;
        expect(length).toBeGreaterThan(20);
        if (isRestarted) await one.crash();
        await one.pass(DAY);
        const last = one.messages.length;
        await one.pass(2 * DAY);
        expect(one.messages).toHaveLength(last);
        expect(one.incidents.open.subscribers.size).toBe(0);
        one.ends = 'sent';
        await one.fire('b');
        expect(one.sent).toEqual(['+b =1']);
      },
      [route(quiet)],
    ),
  );

  it('is given up a week after the last of them', () =>
    bench(
      async (one) => {
        one.now = night;
        one.ends = 'refused for good';
        await missOne(one);
        await one.pass(4 * DAY + 15 * HOUR);
        await missOne(one);
        await one.pass(5 * DAY);
        one.ends = 'sent';
        await one.pass(7 * HOUR);
        expect(one.sent).toEqual([expect.stringContaining('2 opened and resolved')]);
      },
      [route(quiet)],
    ));

  it('waits for longer where nothing has failed', () =>
    bench(
      async (one) => {
        one.now = night;
        one.isSending = false;
        await missOne(one);
        await one.pass(10 * DAY);
        one.isSending = true;
        await one.run();
        expect(one.sent).toEqual([expect.stringContaining('1 opened and resolved')]);
      },
      [route(quiet)],
    ));
});

describe('a morning’s digest that is retried', () => {
  it('is tried at once when something else opens', () =>
    bench(
      async (one) => {
        one.now = Date.UTC(2026, 6, 1, 23); // fixed date: its own clock
        await one.fire('a', 'b');
        one.ends = 'failed';
        await one.pass(8 * HOUR);
        expect(one.messages.map(({ state }) => state)).toEqual(['retrying']);
        await one.pass(MINUTE);
        one.ends = 'sent';
        await one.fire('c');
        expect(one.sent).toEqual([expect.stringMatching(/3 firing[^]*c[^]*b[^]*a/)]);
      },
      [route({ quiet: { from: '22:00', to: '07:00', timezone: 'UTC' } })],
    ));
});

describe('what had no part in a message that was not sent', () => {
  it('is tried after it, once', () =>
    bench(
      async (one) => {
        one.isSending = false;
        await one.fire('a');
        await one.fire('b');
        expect(one.messages).toHaveLength(1);
        one.cancel(1);
        await one.run();
        expect(one.messages.map(({ text, state }) => [text.trim(), state])).toEqual([
          ['+a =1', 'cancelled'],
          ['+b =1', 'queued'],
        ]);
        one.cancel(2);
        await one.crash();
        await one.pass(DAY);
        expect(one.messages).toHaveLength(2);
        one.isSending = true;
        await one.fire('c');
        expect(one.sent).toEqual(['+a =1', '+b =1', '+c =1']);
      },
      [route({ expires: '1m' })],
    ));

  it('is tried when it is due, after its group’s wait', () =>
    bench(
      async (one) => {
        const incidents = (name: string) => one.take(item(name, { group: name }));
        one.isSending = false;
        await incidents('a');
        await one.pass(20_000);
        await incidents('b');
        await one.pass(15_000);
        one.cancel(1);
        one.isSending = true;
        await one.pass(MINUTE);
        // Once something is sent, what was cancelled is due, too.
        expect(one.sent).toEqual(['+b =1', '+a =1']);
      },
      [route({ expires: '1m', group: { wait: '30s' } })],
    ));

  it('is tried when what inhibits it ends', () =>
    bench(
      async (one) => {
        const inhibitedBy = ['alerts/cluster/eu'];
        const cluster = (isResolved: boolean) =>
          one.take(item('eu', { route: 'cluster', isResolved, phones: ['4915112345602'] }));
        await cluster(false);
        await one.take(item('held', { inhibitedBy }));
        one.isSending = false;
        await one.fire('a');
        one.cancel(2);
        one.isSending = true;
        await cluster(true);
        await one.pass(MINUTE);
        expect(one.sent).toEqual(['+eu =1', '+held =1', '-eu =0', '+a =1']);
      },
      [
        route({ name: 'cluster', to: '4915112345602' }),
        route({ incident: { key: '{{ item.name }}', inhibited_by: 'cluster/eu' } }),
      ],
    ));

  it('after a dead one waits as well: it is the same number', () =>
    bench(
      async (one) => {
        one.ends = null;
        await one.fire('a');
        await one.fire('b');
        one.ends = 'refused for good';
        await one.end('refused for good');
        expect(one.messages.map(({ state }) => state)).toEqual(['dead', 'dead']);
        await one.pass(5 * MINUTE);
        expect(one.messages).toHaveLength(2);
      },
      [route()],
    ));
});
