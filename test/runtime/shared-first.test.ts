import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { count } from './counter.ts';

const KEY = 'left by a test file';

// Each of two files leaves what the other, whichever comes later, must not find.
it('a test file starts with nothing stored and modules that were not used', async () => {
  expect(count()).toBe(1);
  expect(await env.CONFIG.get(KEY)).toBeNull();
  await env.CONFIG.put(KEY, 'x');
  await runInDurableObject(env.OUTBOX.getByName('default'), async (_, { storage }) => {
    expect(await storage.get(KEY)).toBeUndefined();
    await storage.put(KEY, 'x');
  });
});
