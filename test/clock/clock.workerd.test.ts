import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, inject, it, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { offsetOf } from './moments.ts';
import { clockOffset, realNow } from './shift.ts';

const MINUTE = 60_000;

const inStorage = <T>(body: (storage: DurableObjectStorage) => Promise<T>): Promise<T> =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), (_, { storage }) => body(storage));

afterEach(() => {
  vi.useRealTimers();
});

/** Expects that `read` returns the real time, in ms, moved by the offset. */
function expectShifted(read: () => number): void {
  const before = realNow();
  const now = read();
  expect(now).toBeGreaterThanOrEqual(before + clockOffset());
  expect(now).toBeLessThanOrEqual(realNow() + clockOffset());
}

const clock = inject('testClock');

it.runIf(/^([+-].*)?$/.test(clock))('the clock is as far ahead of the real one as TEST_CLOCK says', () => {
  expect(clockOffset()).toBe(offsetOf(clock, 0));
});

it('the clock is one, however it is read, and also after a fake one was put over it', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 5 });
  vi.useRealTimers();
  expectShifted(() => Date.now());
  expectShifted(() => new Date().getTime());
  // Its text has whole seconds.
  const second = Math.floor(Date.now() / 1_000) * 1_000;
  expect(Date.parse(Date())).toBeGreaterThanOrEqual(second);
  expect(new Date()).toBeInstanceOf(Date);
  expect(new Date(2_000).getTime()).toBe(2_000);
});

it('an alarm is read as it was set', () =>
  inStorage(async (storage) => {
    const at = Date.now() + 5 * MINUTE;
    await storage.setAlarm(at);
    expect(await storage.getAlarm()).toBe(at);
    await storage.setAlarm(new Date(at + 1));
    expect(await storage.getAlarm()).toBe(at + 1);
    await storage.deleteAlarm();
    expect(await storage.getAlarm()).toBeNull();
  }));

it('an alarm rings when the tests’ clock says so', async () => {
  const stub = env.REGISTRY.getByName(crypto.randomUUID());
  const alarm = (): Promise<number | null> =>
    runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now()));
  await eventually(async () => expect(await alarm()).toBeNull());
});
