import { describe, expect, it } from 'vitest';
import { cachedKey } from '../../../src/signature/basics/key-cache.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Counts how often a key is really imported. */
function importer() {
  let count = 0;
  return {
    count: () => count,
    load: async (algorithm: string, text: string) =>
      cachedKey(algorithm, bytes(text), async () => {
        count += 1;
        return crypto.subtle.importKey('raw', bytes(text), { name: 'HMAC', hash: 'SHA-256' }, false, [
          'sign',
        ]);
      }),
  };
}

const fails = async () => cachedKey('five', bytes('a'), async () => Promise.reject(new Error('no key')));

describe('cachedKey', () => {
  it('imports a key once', async () => {
    const { load, count } = importer();
    expect(await load('one', 'a')).toBe(await load('one', 'a'));
    expect(count()).toBe(1);
  });

  it('never mixes up keys or algorithms', async () => {
    const { load, count } = importer();
    const keys = [await load('two', 'a'), await load('two', 'b'), await load('three', 'a')];
    expect(new Set(keys).size).toBe(3);
    expect(count()).toBe(3);
  });

  it('forgets rather than grows without end', async () => {
    const { load, count } = importer();
    for (let index = 0; index < 200; index += 1) await load('four', String(index));
    await load('four', '0');
    expect(count()).toBe(201);
  });

  it('keeps nothing of an import that failed', async () => {
    await expect(fails()).rejects.toThrow('no key');
    await expect(fails()).rejects.toThrow('no key');
  });
});
