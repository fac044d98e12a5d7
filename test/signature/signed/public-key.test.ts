import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../src/lib/result.ts';
import { importPublicKey, publicKeyAlgorithm } from '../../../src/signature/signed/public-key.ts';
import { ofLength } from '../../../src/signature/signed/signature-list.ts';
import { bytesOf } from '../support.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const spki = Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }));
const signed = (content: string) => Uint8Array.from(sign(null, bytesOf(content), privateKey));
const ED25519 = { name: 'Ed25519' };

describe('importPublicKey', () => {
  it('gives the same key for the same bytes', async () => {
    const first = await importPublicKey('spki', spki, ED25519);
    const second = await importPublicKey('spki', spki, ED25519);
    expect(first.ok && second.ok && first.value === second.value).toBe(true);
  });

  it('reports bytes that are no key, and does not throw', async () => {
    expect(await importPublicKey('spki', spki.subarray(1), ED25519)).toEqual(
      err('is not a public key for Ed25519'),
    );
  });
});

describe('publicKeyAlgorithm', () => {
  const algorithm = publicKeyAlgorithm({
    form: ofLength(64, 4),
    readKey: async (text) => (text === 'key' ? importPublicKey('spki', spki, ED25519) : err('is none')),
    parameters: ED25519,
  });
  const matches = async (signatures: readonly Uint8Array[], contents: readonly string[]) => {
    const keys = await algorithm.keys(['key']);
    const [key] = keys.ok ? keys.value : [];
    if (key === undefined) throw new Error('no key');
    return algorithm.matches(key.key, {
      signatures,
      contents: contents.map((content) => () => bytesOf(content)),
      place: 'header X-S',
      once: null,
    });
  };

  it('matches any signature over any content', async () => {
    expect(await matches([signed('a')], ['a'])).toBe(true);
    expect(await matches([signed('x'), signed('a')], ['b', 'a'])).toBe(true);
    expect(await matches([signed('x')], ['b', 'a'])).toBe(false);
  });

  it('says which of the secrets is no key', async () => {
    expect(await algorithm.keys(['key', 'x'])).toEqual(
      err({ reason: 'misconfigured', detail: 'secret 2 of 2 is none' }),
    );
    expect(await algorithm.keys([])).toEqual(ok([]));
  });
});
