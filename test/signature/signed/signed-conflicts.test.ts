import { expect, it } from 'vitest';
import { problemsOf } from '../support.ts';

const problems = (options: object) => problemsOf({ scheme: 'hmac', header: 'X-Signature', ...options });

const TIME = { timestamp: { header: 'X-T' } };
const ITEMS = { header: undefined, field: 's', items: 'list' };
const PARAM = { timestamp: { key: 't' } };
const LIST = { list_separator: ',', key_value_separator: '=', keys: ['v1'] };

it.each([
  [{ header: undefined }, /^: .*exactly one of `header`, `query` and `field`/m],
  [{ key_value_separator: '=' }, /^keys: is required with `key_value_sep/m],
  [{ ...LIST, key_value_separator: ',' }, /must differ/],
  [{ signed: '{raw_bdy}' }, /^signed: has an unknown token.*did you mean `{raw_body}`/m],
  [{ signed: '{ts}.{raw_body}' }, /^signed: uses `{ts}`, which needs a `timestamp`/m],
  [{ signed: '{sig.t}.{raw_body}' }, /^: must have `keys` \(and `list_separator`/m],
  [{ url_form: 'any_port' }, /^url_form: is not used/m],
  [{ body_hash_query: 'h', signed: '{raw_body}' }, /^body_hash_query: proves nothing/m],
  [{ signed: '{item:id}{raw_body}' }, /^signed: uses `{item:…}`, which needs `items`/m],
  [{ ...ITEMS, signed: '{header:X-Id}' }, /^signed: does not cover the ele/m],
  [{ ...ITEMS, signed: '{item:id}{raw_body}' }, /^signed: must not have `{raw_/m],
  [{ signed: '{secret}{raw_body}' }, /^signed: has `{secret}`, which only scheme `hash`/m],
  [{ scheme: 'hash' }, /^signed: must have `{secret}`/m],
  [{ signed: 'x[{body:id}]' }, /^signed: does not cover the body/m],
  [{ ...TIME, signed: '[{query:id}{ts}]{raw_body}' }, /^timestamp: is not signed/m],
  [{ url: 'https://a.example' }, /^url: is not used/m],
  [{ signed: '{url}' }, /^signed: does not cover the body.*unsigned_body: true/m],
  [TIME, /^timestamp: is not signed, so it proves nothing/m],
  [{ timestamp: { header: 'X-T', body: 't' } }, /^timestamp: must have exactly one of/m],
  [{ timestamp: { body: 't', tolerance: '90d' } }, /^timestamp.tolerance: must be bet/m],
])('refuses %j', (options, message) => {
  expect(problems(options).join('\n')).toMatch(message);
});

it.each([
  ['the raw body', { signed: '{url}{raw_body}' }],
  ['fields of the body', { signed: '{body:signature.token}' }],
  ['a form by its parameters', { signed: '{url}{form_sorted}' }],
  ['its hash in the address', { signed: '{url}', body_hash_query: 'h' }],
  ['elements of it', { ...ITEMS, signed: '{item:id}' }],
  ['nothing of it, said explicitly', { signed: '{url}', unsigned_body: true }],
  ['a time by its header', { signed: '{header:x-t}.{raw_body}', ...TIME }],
  ['a time by the body', { signed: '{raw_body}', timestamp: { body: 'sent_at', unit: 'ms' } }],
  ['a time by its field', { signed: '{body:sig.ts}{body:sig.token}', timestamp: { body: 'sig.ts' } }],
  ['a time by its parameter', { ...LIST, signed: '{sig.t}.{raw_body}', ...PARAM }],
  // Only the time can leave the segment out.
  ['a time by a segment', { ...LIST, signed: '[ts:{sig.t};]{raw_body}', ...PARAM }],
])('may sign %s', (_, options) => {
  expect(problems(options)).toEqual([]);
});

it('takes `signed_once` where not every byte of the body is signed, and nowhere else', () => {
  const once = { signed_once: true };
  expect(problems({ signed: '{header:id}', unsigned_body: true, ...once })).toEqual([]);
  expect(problems({ signed: '{url}{form_sorted}', body_hash_query: 'h', ...once })).toEqual([]);
  expect(problems({ signed: '{header:id}.{raw_body}', ...once }).join()).toMatch(/^signed_once: is not for/);
  expect(problems({ signed: '{body:id}', signed_once: false }).join()).toMatch(/^signed_once: must be true/);
});
