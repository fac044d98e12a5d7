import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchOutboxes } from '../../src/registry/parts.ts';
import { envWith } from '../platform/env.ts';

afterEach(() => vi.restoreAllMocks());

/** The outboxes that were reached, of which those that a test names cannot be. */
async function reported(broken: readonly string[] = []): Promise<readonly string[]> {
  const names: string[] = [];
  const getByName = (name: string) => ({
    watch: async () => {
      if (broken.includes(name)) throw new Error('gone');
      names.push(name);
    },
  });
  const namespace = new Proxy(env.OUTBOX, {
    get: (target, key): unknown => (key === 'getByName' ? getByName : Reflect.get(target, key)),
  });
  await watchOutboxes(envWith({ OUTBOX: namespace }), ['default', 'sales', 'press']);
  return names.toSorted();
}

describe('who looks', () => {
  it('is reported to the outbox of every account', async () => {
    expect(await reported()).toEqual(['default', 'press', 'sales']);
  });

  it('is reported to the others when one cannot be reached', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(await reported(['default', 'sales'])).toEqual(['press']);
    expect(warned).toHaveBeenCalledTimes(2);
  });
});
