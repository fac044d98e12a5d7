import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hmacKey } from '../../../src/signature/schemes/hmac-key.ts';
import { encode } from '../support.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const sign = async (key: CryptoKey) =>
  encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes('content'))), 'hex');

describe('hmacKey', () => {
  it('is imported once a secret and algorithm, and never mixed up', async () => {
    const key = await hmacKey(bytes('secret'), 'SHA-256');
    expect(await hmacKey(bytes('secret'), 'SHA-256')).toBe(key);
    expect(await hmacKey(bytes('secret'), 'SHA-1')).not.toBe(key);
    expect(await hmacKey(bytes('secreu'), 'SHA-256')).not.toBe(key);
  });

  it('is right for more secrets than are kept', async () => {
    for (let i = 0; i < 150; i += 1) {
      const key = await hmacKey(bytes(`secret ${i}`), 'SHA-512');
      expect(await sign(key)).toBe(createHmac('sha512', `secret ${i}`).update('content').digest('hex'));
    }
  });

  it('cannot be read back', async () => {
    expect(await hmacKey(bytes('secret'), 'SHA-256')).toMatchObject({ extractable: false, usages: ['sign'] });
  });
});
