import { afterEach, describe, expect, it, vi } from 'vitest';
import { recordRejection } from '../../../src/ingest/request/reject.ts';
import { envWith, NOW } from '../support.ts';

const REJECTED = {
  problem: { status: 401, type: 'verification-failed', title: 'Verification failed', detail: 'no' },
  reason: 'stale',
  detail: 'header X-Time is 400 s old',
};

/** A registry that keeps what it is told, or fails to. */
function registryOf(record: (entry: unknown) => Promise<void>) {
  const work: Promise<unknown>[] = [];
  const env = envWith({ REGISTRY: { getByName: () => ({ recordRejection: record }) } });
  const ctx = { waitUntil: (promise: Promise<unknown>) => void work.push(promise) };
  return { env, ctx, done: () => Promise.all(work), work };
}

function keeping() {
  const entries: unknown[] = [];
  const registry = registryOf(async (entry) => void entries.push(entry));
  return { ...registry, entries };
}

afterEach(() => vi.restoreAllMocks());

describe('recordRejection', () => {
  it('tells the admin when, where and why', async () => {
    const { env, ctx, done, entries } = keeping();
    recordRejection(env, ctx, 'shop', REJECTED, NOW);
    await done();
    expect(entries).toEqual([
      {
        at: new Date(NOW).toISOString(),
        source: 'shop',
        status: 401,
        reason: 'stale',
        detail: 'header X-Time is 400 s old',
      },
    ]);
  });

  it('writes ten a second at most, and logs each', async () => {
    const write = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { env, ctx, done, entries } = keeping();
    const start = NOW + 10_000;
    for (let i = 0; i < 100; i += 1) recordRejection(env, ctx, 'shop', REJECTED, start + i);
    await done();
    expect(entries).toHaveLength(10);
    expect(write).toHaveBeenCalledTimes(100);
    recordRejection(env, ctx, 'shop', REJECTED, start + 1_000);
    await done();
    expect(entries).toHaveLength(11);
  });

  it('goes on when the clock was set back', async () => {
    const { env, ctx, done, entries } = keeping();
    for (let i = 0; i < 20; i += 1) recordRejection(env, ctx, 'shop', REJECTED, NOW + 50_000);
    recordRejection(env, ctx, 'shop', REJECTED, NOW + 20_000);
    await done();
    expect(entries).toHaveLength(11);
  });

  it('a registry that fails is logged and hurts nobody', async () => {
    const write = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { env, ctx, done } = registryOf(() => Promise.reject(new Error('gone')));
    recordRejection(env, ctx, 'shop', REJECTED, NOW + 70_000);
    await expect(done()).resolves.toBeDefined();
    expect(write.mock.calls.flat().join('')).toContain('rejection.record.failed');
  });
});
