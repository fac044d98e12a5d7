import { afterEach, expect, vi } from 'vitest';
import { SWEEP_EACH_MS } from '../../src/outbox/housekeeping.ts';
import type { Outbox } from '../../src/outbox/outbox.ts';
import { Loop } from '../../src/outbox/loop.ts';
import { eventually } from '../eventually.ts';
import { it, LOGIN, openOutbox } from './it.ts';
import {
  acceptanceTo,
  addMany,
  addMessage,
  countOf,
  countRows,
  DAY,
  HOUR,
  MINUTE,
  SECOND,
} from './support.ts';

afterEach(() => vi.restoreAllMocks());

/** An event without messages, so that nothing waits. */
const quietEvent = () => acceptanceTo([], { state: 'unmatched' });

/** Messages of long ago that were sent. */
const addOld = (sql: SqlStorage, many: number): void => addMany(sql, many, { state: 'sent', created_at: 0 });

/** Rings each alarm at its time until `until`, and says how often. */
async function ring(outbox: Outbox, storage: DurableObjectStorage, until: number): Promise<number> {
  for (let times = 0; ; times += 1) {
    const at = await storage.getAlarm();
    if (at === null || at > until) return times;
    await storage.deleteAlarm();
    vi.setSystemTime(Math.max(Date.now(), at));
    await outbox.alarm();
  }
}

/** The lines that are logged as errors. */
const errors = () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  return () => logged.mock.calls.map(([line]) => String(line));
};

it('a sweep is due now, and not in 1970, in an outbox that never swept', async ({ outbox, storage }) => {
  await outbox.accept(quietEvent());
  expect(await storage.getAlarm()).toBeGreaterThanOrEqual(Date.now());
  await storage.deleteAlarm();
  await outbox.look();
  expect(await storage.getAlarm()).toBeGreaterThanOrEqual(Date.now());
});

it('an outbox whose alarm was lost in a crash, though the platform still reports it, is woken when it starts', async ({
  outbox,
  storage,
}) => {
  await outbox.accept(quietEvent());
  await storage.setAlarm(Date.now());
  await vi.advanceTimersByTimeAsync(10_000);
  openOutbox(storage);
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(await storage.getAlarm()).toBeGreaterThan(Date.now() - SECOND);
});

it('no alarm is set for an outbox that holds nothing, however often it starts', async ({ storage }) => {
  for (let start = 0; start < 2; start += 1) {
    const outbox = openOutbox(storage);
    await outbox.status();
    await outbox.look();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(await storage.getAlarm()).toBeNull();
  }
});

it('an alarm ends while the registry, asked once a day, does not answer', async ({ storage }) => {
  const wake = vi.fn(() => new Promise(() => undefined));
  const outbox = openOutbox(storage, { REGISTRY: { getByName: () => ({ wake }) } });
  await outbox.accept(quietEvent());
  await outbox.alarm();
  expect(wake).toHaveBeenCalledOnce();
  await ring(outbox, storage, Date.now() + 23 * HOUR);
  expect(wake.mock.calls.length).toBeLessThanOrEqual(2);
});

it('the alarms of housekeeping end when the last row is deleted', async ({ outbox, storage, sql }) => {
  addMessage(sql, { seq: 1, state: 'sent', created_at: Date.now() - 29 * DAY });
  await outbox.alarm();
  const rung = await ring(outbox, storage, Date.now() + 4 * DAY);
  expect(countOf(sql, 'messages')).toBe(0);
  // A day until it has expired.
  expect(rung).toBeGreaterThan(23);
  expect(rung).toBeLessThan(27);
  expect(await storage.getAlarm()).toBeNull();
});

it('a quiet account costs at most 48 rows and 24 alarms a day', async ({ outbox, storage, sql }) => {
  await outbox.accept(quietEvent());
  await outbox.alarm();
  const rows = countRows(sql);
  const set = vi.spyOn(storage, 'setAlarm');
  expect(await ring(outbox, storage, Date.now() + DAY)).toBeLessThanOrEqual(24);
  expect(set.mock.calls.length + rows.written()).toBeLessThanOrEqual(48);
});

it('a sweep goes on where one alarm’s steps ended', async ({ outbox, storage, sql }) => {
  addOld(sql, 101_000);
  await outbox.alarm();
  expect(countOf(sql, 'messages')).toBe(1_050);
  expect(await storage.getAlarm()).toBeLessThanOrEqual(Date.now());
  await outbox.alarm();
  expect(countOf(sql, 'messages')).toBe(0);
});

it('a sweep yields to a message that comes, but gets through a run’s worth', async ({ storage, sql }) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => undefined));
  addOld(sql, 30_000);
  const outbox = openOutbox(storage, LOGIN);
  const alarm = outbox.alarm();
  await eventually(() => expect(countOf(sql, 'messages')).toBeLessThan(30_000), { eachMs: 0 });
  await outbox.accept(acceptanceTo(['4915112345678']));
  await alarm;
  expect(countOf(sql, 'messages')).toBeGreaterThan(10_000);
  expect(countOf(sql, 'messages')).toBeLessThan(25_000);
});

it('a fault of sending delays no sweep, and is tried again in 30 s', async ({ outbox, storage, sql }) => {
  const logged = errors();
  vi.spyOn(Loop.prototype, 'run').mockRejectedValueOnce(new Error('a bug'));
  addMessage(sql, { seq: 1, state: 'sent', created_at: 0 });
  await outbox.alarm();
  expect(logged().at(-1)).toContain('outbox.alarm.failed');
  expect(countOf(sql, 'messages')).toBe(0);
  expect(await storage.getAlarm()).toBe(Date.now() + 30 * SECOND);
});

it('a fault of a sweep is logged, delays no message, and is put off', async ({ outbox, storage, sql }) => {
  const logged = errors();
  addMessage(sql, { seq: 1, state: 'sent', created_at: 0 });
  sql.exec("CREATE TRIGGER refuse BEFORE DELETE ON messages BEGIN SELECT RAISE(ABORT, 'a bug'); END");
  await outbox.alarm();
  expect(logged()).toEqual([expect.stringContaining('outbox.sweep.failed')]);
  expect(await storage.getAlarm()).toBe(Date.now() + 5 * MINUTE);
  sql.exec('DROP TRIGGER refuse');
  await ring(outbox, storage, Date.now() + SWEEP_EACH_MS);
  expect(countOf(sql, 'messages')).toBe(0);
});

it('an alarm never throws when the configuration cannot be read, and comes back', async ({ storage }) => {
  const outbox = openOutbox(storage, { CONFIG: { get: () => Promise.reject(new Error('KV is away')) } });
  errors();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await outbox.accept(acceptanceTo(['4915112346004']));
  await storage.deleteAlarm();
  await outbox.alarm();
  expect(await storage.getAlarm()).toBeGreaterThanOrEqual(Date.now() + 30 * SECOND);
  const { items } = await outbox.listMessages({ limit: 10 });
  expect(items.map(({ state }) => state)).toEqual(['queued']);
});
