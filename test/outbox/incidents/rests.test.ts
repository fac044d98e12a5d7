import { describe, expect, it } from 'vitest';
import { inStorage } from '../support.ts';
import { IncidentsBench, route } from './bench.ts';

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
        // What was cancelled has notified nobody: it goes with what comes next.
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
