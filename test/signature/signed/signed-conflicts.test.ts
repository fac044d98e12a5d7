import { describe, expect, it } from 'vitest';
import { problemsOf } from '../support.ts';

const problems = (options: object) => problemsOf({ scheme: 'hmac', header: 'X-Signature', ...options });

describe('conflicts', () => {
  it.each([
    ['a signature of nowhere', { header: undefined }, /^: .*exactly one of `header`, `query` and `field`/m],
    ['a signature of two places', { query: 'sig' }, /^: .*exactly one of/m],
    ['a header that is no header', { header: 'X Signature' }, /^header: must be the name of a header/m],
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
    ['a form of address that is not signed', { url_form: 'any_port' }, /^url_form: is not used/m],
    [
      'a hash in an address that is not signed',
      { body_hash_query: 'h', signed: '{raw_body}' },
      /^body_hash_query: proves nothing/m,
    ],
    [
      'a hash in an address that may vanish',
      { body_hash_query: 'h', signed: '[{query:a}{url}]' },
      /^body_hash_query: proves nothing/m,
    ],
    [
      'elements of no list',
      { signed: '{item:id}{raw_body}' },
      /^signed: uses `{item:…}`, which needs `items`/m,
    ],
    [
      'elements that have no signature',
      { items: 'list', signed: '{item:id}' },
      /^field: is required with `items`/m,
    ],
    [
      'elements that are not signed',
      { header: undefined, field: 's', items: 'list', signed: '{header:X-Id}' },
      /^signed: does not cover the elements of `items`/m,
    ],
    [
      'elements with a whole body each',
      { header: undefined, field: 's', items: 'list', signed: '{item:id}{raw_body}' },
      /^signed: must not have `{raw_body}`/m,
    ],
    [
      'a secret in an HMAC',
      { signed: '{secret}{raw_body}' },
      /^signed: has `{secret}`, which only scheme `hash`/m,
    ],
    [
      'a hash without the secret',
      { scheme: 'hash' },
      /^signed: must have `{secret}`: without it anybody could make the hash/m,
    ],
    ['a body that may be left out', { signed: 'x[{body:id}]' }, /^signed: does not cover the body/m],
    [
      'a time that may be left out with something else',
      { signed: '[{query:id}{ts}]{raw_body}', timestamp: { header: 'X-T' } },
      /^timestamp: is not signed/m,
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
      /^timestamp.unit: must be one of s, ms, iso8601, auto/m,
    ],
  ])('refuses %s', (_, options, message) => {
    expect(problems(options).join('\n')).toMatch(message);
  });

  it.each([
    ['the raw body', { signed: '{url}{raw_body}' }],
    ['fields of the body', { signed: '{body:signature.token}' }],
    ['a form by its parameters', { signed: '{url}{form_sorted}' }],
    ['its hash in the address', { signed: '{url}', body_hash_query: 'h' }],
    ['elements of it', { header: undefined, field: 's', items: 'list', signed: '{item:id}' }],
    ['nothing of it, said explicitly', { signed: '{url}', unsigned_body: true }],
  ])('may sign %s', (_, options) => {
    expect(problems(options)).toEqual([]);
  });

  it.each([
    ['the header it stands in', { signed: '{header:x-t}.{raw_body}', timestamp: { header: 'X-T' } }],
    ['the body it stands in', { signed: '{raw_body}', timestamp: { body: 'sent_at', unit: 'ms' } }],
    [
      'a segment that only it can leave out',
      {
        list_separator: ',',
        key_value_separator: '=',
        keys: ['v1'],
        signed: '[ts:{sig.ts};]{raw_body}',
        timestamp: { signature_param: 'ts' },
      },
    ],
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
  ])('takes a timestamp as signed by %s', (_, options) => {
    expect(problems(options)).toEqual([]);
  });

  it('takes `signed_once` where not every byte of the body is signed, and nowhere else', () => {
    expect(problems({ signed: '{header:id}', unsigned_body: true, signed_once: true })).toEqual([]);
    expect(problems({ signed: '{url}{form_sorted}', body_hash_query: 'h', signed_once: true })).toEqual([]);
    expect(problems({ signed: '{header:id}.{raw_body}', signed_once: true }).join()).toMatch(
      /^signed_once: is not for/,
    );
    expect(problems({ signed: '{body:id}', signed_once: false }).join()).toMatch(
      /^signed_once: must be true/,
    );
  });

  it.each(['hash', 'ed25519', 'ecdsa'])('is asked of scheme %s too', (scheme) => {
    expect(problemsOf({ scheme, signed: '{secret}' }).join('\n')).toMatch(
      /^: must say where the signature is/m,
    );
  });
});
