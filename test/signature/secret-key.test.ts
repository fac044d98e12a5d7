import { describe, expect, it } from 'vitest';
import { decodeSecrets } from '../../src/signature/secret-key.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('decodeSecrets', () => {
  it('takes text whole, with what looks like a prefix', () => {
    expect(decodeSecrets(['whsec_abc'], { secret_encoding: 'utf8' })).toEqual({
      ok: true,
      value: [bytes('whsec_abc')],
    });
  });

  it.each([
    ['base64', 'a2V5'],
    ['hex', '6b6579'],
  ] as const)('decodes %s', (secret_encoding, secret) => {
    expect(decodeSecrets([secret], { secret_encoding })).toEqual({ ok: true, value: [bytes('key')] });
  });

  it('takes the first prefix that fits off, where there is one', () => {
    const form = { secret_encoding: 'base64', strip_secret_prefixes: ['v1,whsec_', 'whsec_'] } as const;
    const key = bytes('key');
    expect(decodeSecrets(['v1,whsec_a2V5', 'whsec_a2V5', 'a2V5'], form)).toEqual({
      ok: true,
      value: [key, key, key],
    });
  });

  it.each([
    ['is not base64', ['a2V5', 'not base64!'], 'secret 2 of 2 is not base64'],
    ['is nothing but its prefix', ['whsec_'], 'secret 1 of 1 is empty once it is decoded'],
  ])('refuses a list with one that %s, and says which without showing it', (_, secrets, detail) => {
    const refused = decodeSecrets(secrets, { secret_encoding: 'base64', strip_secret_prefixes: ['whsec_'] });
    expect(refused).toEqual({ ok: false, error: { reason: 'misconfigured', detail } });
  });
});
