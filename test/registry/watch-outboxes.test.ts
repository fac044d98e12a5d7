import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { watchOutboxes } from '../../src/registry/watch-outboxes.ts';
import { bindings, setOf } from '../config/support.ts';

afterEach(() => vi.restoreAllMocks());

const { config } = compileConfig(setOf({ accounts: { sales: { shards: 3 } } }), 1);

/** The outboxes that were told, of which those that a test names cannot be. */
async function told(broken: readonly string[] = []): Promise<readonly string[]> {
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
  await watchOutboxes(bindings({ OUTBOX: namespace }), config);
  return names.toSorted();
}

describe('who looks', () => {
  it('is told to every object of every account', async () => {
    expect(await told()).toEqual(['default', 'sales', 'sales#1', 'sales#2']);
  });

  it('is told to the others when one cannot be reached', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(await told(['default', 'sales#1'])).toEqual(['sales', 'sales#2']);
    expect(warned).toHaveBeenCalledTimes(2);
  });
});
