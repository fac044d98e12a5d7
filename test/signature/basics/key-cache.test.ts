import { expect, it } from 'vitest';
import { cachedKey } from '../../../src/signature/basics/keys.ts';
import { bytesOf } from '../support.ts';

let imported = 0;
const load = (algorithm: string, text: string) =>
  cachedKey(algorithm, bytesOf(text), async () => {
    imported += 1;
    return crypto.subtle.importKey('raw', bytesOf(text), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  });

it('imports a key once, never mixes up keys or algorithms, and forgets rather than grows without end', async () => {
  imported = 0;
  const keys = [await load('one', 'a'), await load('one', 'b'), await load('two', 'a')];
  expect(new Set(keys).size).toBe(3);
  expect(await load('one', 'a')).toBe(keys[0]);
  expect(imported).toBe(3);
  imported = 0;
  for (let index = 0; index < 200; index += 1) await load('three', String(index));
  await load('three', '0');
  expect(imported).toBe(201);
});

const fails = () => cachedKey('four', bytesOf('a'), async () => Promise.reject(new Error('no key')));

it('keeps nothing of an import that failed', async () => {
  for (let time = 0; time < 2; time += 1) await expect(fails()).rejects.toThrow('no key');
});
