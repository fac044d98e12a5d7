import { describe, expect, it } from 'vitest';
import { hmacOf, problemsOf } from '../support.ts';

const problems = (knobs: object) => problemsOf({ scheme: 'hmac', header: 'X-Signature', ...knobs });

describe('an hmac block', () => {
  it('needs only a header: SHA-256 in hex over the raw body', () => {
    expect(hmacOf({ header: 'X-Signature' })).toEqual({
      scheme: 'hmac',
      header: ['X-Signature'],
      algorithm: 'sha256',
      encoding: 'hex',
      signed: '{raw_body}',
      secret_encoding: 'utf8',
    });
  });

  it('allows a timestamp five minutes unless it says otherwise', () => {
    const { timestamp } = hmacOf({ header: 'X-S', signed: '{ts}.{raw_body}', timestamp: { header: 'X-T' } });
    expect(timestamp).toEqual({ header: ['X-T'], unit: 's', tolerance: 300_000 });
  });

  it('reads the tolerance as a duration', () => {
    const timestamp = { header: 'X-T', tolerance: '5m' };
    expect(hmacOf({ header: 'X-S', signed: '{ts}{raw_body}', timestamp }).timestamp?.tolerance).toBe(300_000);
  });

  it.each([
    ['an unknown algorithm', { algorithm: 'md5' }, /^algorithm: must be one of sha1, sha256, sha512/m],
    ['an unknown key', { algoritm: 'sha256' }, /unknown key `algoritm`; did you mean `algorithm`\?/],
    ['a secret that is signed', { signed: '{secret}{raw_body}' }, /^signed: has `{secret}`/m],
    ['knobs that do not fit together', { keys: ['v1'] }, /^key_value_separator: is required with `keys`/m],
  ])('refuses %s', (_, knobs, message) => {
    expect(problems(knobs).join('\n')).toMatch(message);
  });
});
