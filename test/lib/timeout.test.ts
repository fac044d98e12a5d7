import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTime, sharedTimeouts, withTimeout, type WithTimeout } from '../../src/lib/timeout.ts';

const MINUTE = 60_000;

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

describe('withTimeout', () => {
  it('gives what the work gives', async () => {
    await expect(withTimeout(MINUTE, () => Promise.resolve(7))).resolves.toBe(7);
    await expect(withTimeout(MINUTE, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  });

  it('aborts with a TimeoutError, as fetch() is used to', async () => {
    await expect(withTimeout(1, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('leaves no timer behind when the work is done: the platform allows 10,000 of them', async () => {
    for (let call = 0; call < 25_000; call += 1) await withTimeout(MINUTE, () => Promise.resolve());
    await expect(withTimeout(MINUTE, () => Promise.resolve('still'))).resolves.toBe('still');
  });
});

describe('inTime', () => {
  it('gives what the answer is', async () => {
    await expect(inTime(MINUTE, Promise.resolve(7), 'late')).resolves.toBe(7);
    await expect(inTime(MINUTE, Promise.reject(new Error('its own')), 'late')).rejects.toThrow('its own');
  });

  it('ends where the answer never comes', async () => {
    await expect(inTime(1, new Promise(() => undefined), 'it is late')).rejects.toThrow('it is late');
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

describe('timeouts that share a timer', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('set one timer for all that is under way, and none when nothing is', async () => {
    const within = sharedTimeouts();
    const calls = [1, 2, 3].map(() => started(within, MINUTE));
    expect(vi.getTimerCount()).toBe(1);
    for (const { state, done } of calls) {
      state.end();
      await done;
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it('abort each at its own time, also when a shorter one comes later', async () => {
    const within = sharedTimeouts();
    const long = started(within, 3_000);
    await vi.advanceTimersByTimeAsync(500);
    const short = started(within, 1_000);
    const middle = started(within, 2_000);
    await vi.advanceTimersByTimeAsync(999);
    expect([long, short, middle].map(({ state }) => state.aborted)).toEqual([false, false, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([long, short, middle].map(({ state }) => state.aborted)).toEqual([false, true, false]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([long, short, middle].map(({ state }) => state.aborted)).toEqual([false, true, true]);
    await vi.advanceTimersByTimeAsync(500);
    expect(long.state.aborted).toBe(true);
  });

  it('abort what is late although the work that set the timer has ended', async () => {
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
});

it('timeouts that share a timer still come after the platform refused one', async () => {
  const within = sharedTimeouts();
  const refused = vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce(() => {
    throw new Error('You have exceeded the number of active timeouts');
  });
  const first = within(MINUTE, () => Promise.resolve());
  refused.mockRestore();
  await expect(first).rejects.toThrow('active timeouts');
  await expect(within(1, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' });
});
