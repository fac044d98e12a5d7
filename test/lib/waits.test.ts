import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  retryOnce,
  sleep,
  Signal,
  inTime,
  sharedTimeouts,
  withTimeout,
  type WithTimeout,
} from '../../src/lib/wait.ts';

const MINUTE = 60_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Makes the promise known as handled, and lets the time go by. */
async function after<T>(ms: number, work: Promise<T>): Promise<PromiseSettledResult<T> | undefined> {
  const [result] = await Promise.all([Promise.allSettled([work]), vi.advanceTimersByTimeAsync(ms)]);
  return result[0];
}

describe('a time limit', () => {
  it('gives what the work gives, and leaves no timer behind: the platform allows 10,000 of them', async () => {
    await expect(withTimeout(MINUTE, () => Promise.resolve(7))).resolves.toBe(7);
    await expect(withTimeout(MINUTE, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
    await expect(inTime(MINUTE, Promise.resolve(7), 'late')).resolves.toBe(7);
    await expect(inTime(MINUTE, Promise.reject(new Error('its own')), 'late')).rejects.toThrow('its own');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts with a TimeoutError, as fetch() is used to, and ends where an answer never comes', async () => {
    const aborted = await after(MINUTE, withTimeout(MINUTE, untilAborted));
    expect(aborted).toMatchObject({ reason: { name: 'TimeoutError' } });
    const late = await after(MINUTE, inTime(MINUTE, new Promise(() => undefined), 'it is late'));
    expect(late).toMatchObject({ reason: { message: 'it is late' } });
  });
});

/** Starts a call. `state.aborted` is true once it has been aborted; `state.end` ends it. */
const started = (within: WithTimeout, ms: number) => {
  const state = { aborted: false, end: () => undefined as void };
  const done = within(ms, (signal) => {
    signal.addEventListener('abort', () => (state.aborted = true));
    return new Promise<void>((resolve) => (state.end = resolve));
  });
  return { state, done };
};

it('time limits that share a timer set one timer for all that is under way, and none when nothing is', async () => {
  const within = sharedTimeouts();
  const calls = [1, 2, 3].map(() => started(within, MINUTE));
  expect(vi.getTimerCount()).toBe(1);
  for (const { state, done } of calls) {
    state.end();
    await done;
  }
  expect(vi.getTimerCount()).toBe(0);
});

it('time limits that share a timer abort each at its own time, also when a shorter one comes later', async () => {
  const within = sharedTimeouts();
  const long = started(within, 3_000);
  await vi.advanceTimersByTimeAsync(500);
  const [short, middle] = [started(within, 1_000), started(within, 2_000)];
  const abortedAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return [long, short, middle].map(({ state }) => state.aborted);
  };
  expect(await abortedAfter(999)).toEqual([false, false, false]);
  expect(await abortedAfter(1)).toEqual([false, true, false]);
  expect(await abortedAfter(1_000)).toEqual([false, true, true]);
  expect(await abortedAfter(500)).toEqual([true, true, true]);
});

it('time limits that share a timer abort what is late although the work that set the timer has ended', async () => {
  const within = sharedTimeouts();
  const first = started(within, 1_000);
  await vi.advanceTimersByTimeAsync(400);
  const second = started(within, 1_000);
  first.state.end();
  await first.done;
  await vi.advanceTimersByTimeAsync(999);
  expect(second.state.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(second.state.aborted).toBe(true);
});

it('time limits that share a timer still come after the platform refused one', async () => {
  const within = sharedTimeouts();
  const refused = vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce(() => {
    throw new Error('You have exceeded the number of active timeouts');
  });
  const first = within(MINUTE, () => Promise.resolve());
  refused.mockRestore();
  await expect(first).rejects.toThrow('active timeouts');
  const aborted = await after(MINUTE, within(MINUTE, untilAborted));
  expect(aborted).toMatchObject({ reason: { name: 'TimeoutError' } });
});

it('a sleep ends as soon as it is called off, before or after it began, and leaves no timer behind', async () => {
  await expect(sleep(MINUTE, AbortSignal.abort())).resolves.toBeUndefined();
  const caller = new AbortController();
  const sleeping = sleep(MINUTE, caller.signal);
  caller.abort();
  await expect(sleeping).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

/** Long enough for everything that is settled already to run. */
async function turns(): Promise<false> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  return false;
}

/** True if the wait is over once all that could end it has run. */
const isOver = (wait: Promise<void>): Promise<boolean> => Promise.race([wait.then(() => true), turns()]);

it('a wait for a notice goes on until there is one, which does not end the wait after it', async () => {
  const signal = new Signal();
  const wait = signal.wait(null);
  expect(await isOver(wait)).toBe(false);
  signal.notify();
  expect(await isOver(wait)).toBe(true);
  expect(await isOver(signal.wait(null))).toBe(false);
});

it('a wait for a notice is over at once, and one alone, if there were notices while nobody waited', async () => {
  const signal = new Signal();
  signal.notify();
  signal.notify();
  expect(await isOver(signal.wait(null))).toBe(true);
  expect(await isOver(signal.wait(null))).toBe(false);
});

it('a wait for a notice ends with its timeout, and a later notice is kept for the next one', async () => {
  const signal = new Signal();
  const { promise: timeout, resolve: ring } = Promise.withResolvers<void>();
  const wait = signal.wait(timeout);
  expect(await isOver(wait)).toBe(false);
  ring();
  expect(await isOver(wait)).toBe(true);
  signal.notify();
  expect(await isOver(signal.wait(null))).toBe(true);
});

function failing(times: number, fault: Error = new Error('gone')) {
  const work = vi.fn(async () => 'done');
  for (let time = 0; time < times; time += 1) work.mockRejectedValueOnce(fault);
  return work;
}

it('a call of an object is made once more when it goes wrong, and not again', async () => {
  const [never, once, twice] = [failing(0), failing(1), failing(2)];
  expect(await retryOnce(never)).toBe('done');
  expect(await retryOnce(once)).toBe('done');
  await expect(retryOnce(twice)).rejects.toThrow('gone');
  expect([never, once, twice].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 2]);
});

it('a call of an object is not repeated if the object has too much to do', async () => {
  const busy = failing(1, Object.assign(new Error('busy'), { overloaded: true }));
  await expect(retryOnce(busy)).rejects.toThrow('busy');
  expect(busy).toHaveBeenCalledOnce();
});
