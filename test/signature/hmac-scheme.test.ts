import { describe, expect, it } from 'vitest';
import { hmacOf, problemsOf } from './support.ts';

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
    ['a signature of nowhere', { header: undefined }, /^: .*exactly one of `header`, `query` and `field`/m],
    ['a signature of two places', { query: 'sig' }, /^: .*exactly one of/m],
    ['a header that is no header', { header: 'X Signature' }, /^header: must be the name of a header/m],
    ['an unknown algorithm', { algorithm: 'md5' }, /^algorithm: must be one of sha1, sha256, sha512/m],
    ['an unknown key', { algoritm: 'sha256' }, /unknown key `algoritm`; did you mean `algorithm`\?/],
    ['an optional prefix without one', { prefix_optional: true }, /^prefix_optional: needs a `prefix`/m],
    ['keys without a separator', { keys: ['v1'] }, /^key_value_separator: is required with `keys`/m],
    [
      'a separator without keys',
      { key_value_separator: '=' },
      /^keys: is required with `key_value_separator`/m,
    ],
    [
      'one separator for two jobs',
      { list_separator: ',', key_value_separator: ',', keys: ['v1'] },
      /must differ/,
    ],
    [
      'an unknown token',
      { signed: '{raw_bdy}' },
      /^signed: has an unknown token.*did you mean `{raw_body}`/m,
    ],
    [
      'a time that is nowhere',
      { signed: '{ts}.{raw_body}' },
      /^signed: uses `{ts}`, which needs a `timestamp`/m,
    ],
    [
      'a parameter without a list',
      { signed: '{sig.t}.{raw_body}' },
      /^: must have `list_separator`, `key_value_separator` and `keys`/m,
    ],
    ['a URL that is not signed', { url: 'https://a.example' }, /^url: is not used/m],
    ['a relative URL', { url: '/hooks', signed: '{url}{raw_body}' }, /^url: must be an absolute URL/m],
    [
      'a body that is not signed',
      { signed: '{url}' },
      /^signed: does not cover the body.*unsigned_body: true/m,
    ],
    [
      'a time that is not signed',
      { timestamp: { header: 'X-T' } },
      /^timestamp: is not signed, so it proves nothing/m,
    ],
    [
      'a time of nowhere',
      { signed: '{ts}{raw_body}', timestamp: {} },
      /^timestamp: must have exactly one of/m,
    ],
    [
      'a time of two places',
      { timestamp: { header: 'X-T', body: 't' } },
      /^timestamp: must have exactly one of/m,
    ],
    [
      'a tolerance without unit',
      { timestamp: { body: 't', tolerance: '5' } },
      /^timestamp.tolerance: .*no unit/m,
    ],
    [
      'a tolerance of months',
      { timestamp: { body: 't', tolerance: '90d' } },
      /^timestamp.tolerance: must be between/m,
    ],
    [
      'a time in minutes',
      { timestamp: { body: 't', unit: 'm' } },
      /^timestamp.unit: must be one of s, ms, iso8601/m,
    ],
  ])('refuses %s', (_, knobs, message) => {
    expect(problems(knobs).join('\n')).toMatch(message);
  });

  it.each([
    ['the raw body', { signed: '{url}{raw_body}' }],
    ['fields of the body', { signed: '{body:signature.token}' }],
    ['nothing of it, said in so many words', { signed: '{url}', unsigned_body: true }],
  ])('may sign %s', (_, knobs) => {
    expect(problems(knobs)).toEqual([]);
  });

  it.each([
    ['the header it stands in', { signed: '{header:x-t}.{raw_body}', timestamp: { header: 'X-T' } }],
    ['the body it stands in', { signed: '{raw_body}', timestamp: { body: 'sent_at', unit: 'ms' } }],
    ['its own field', { signed: '{body:sig.ts}{body:sig.token}', timestamp: { body: 'sig.ts' } }],
    [
      'its own parameter',
      {
        list_separator: ',',
        key_value_separator: '=',
        keys: ['v1'],
        signed: '{sig.t}.{raw_body}',
        timestamp: { signature_param: 't' },
      },
    ],
  ])('takes a timestamp as signed by %s', (_, knobs) => {
    expect(problems(knobs)).toEqual([]);
  });
});
