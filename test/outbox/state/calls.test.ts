import { describe, expect, it } from 'vitest';
import { Calls, callsPerRun, DEFAULT_CALLS_PER_RUN } from '../../../src/outbox/state/calls.ts';

describe('CALLS_PER_RUN', () => {
  it.each([
    ['40', 40],
    ['10000', 10_000],
    [undefined, DEFAULT_CALLS_PER_RUN],
    ['', DEFAULT_CALLS_PER_RUN],
    ['9', DEFAULT_CALLS_PER_RUN],
    ['10001', DEFAULT_CALLS_PER_RUN],
    ['many', DEFAULT_CALLS_PER_RUN],
    ['1e3', DEFAULT_CALLS_PER_RUN],
  ])('%s is %d calls', (text, calls) => {
    expect(callsPerRun(text)).toBe(calls);
  });

  it('is what the free plan allows, when nothing is said', () => {
    expect(DEFAULT_CALLS_PER_RUN).toBe(50);
  });
});

describe('the calls of a run', () => {
  it('are fewer for messages than in all, so that the owner can be notified', () => {
    const calls = new Calls(50);
    calls.spend(calls.forMessages);
    expect(calls.forMessages).toBe(0);
    expect(calls.left).toBeGreaterThan(0);
  });

  it('are all there again with the next run', () => {
    const calls = new Calls(50);
    const before = calls.forMessages;
    calls.spend(7);
    expect(calls.forMessages).toBe(before - 7);
    calls.exhaust();
    expect([calls.forMessages, calls.left]).toEqual([0, 0]);
    calls.begin();
    expect(calls.forMessages).toBe(before);
  });
});
