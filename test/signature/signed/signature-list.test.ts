import { expect, it } from 'vitest';
import { ofLength, readSignatures } from '../../../src/signature/schemes/signed.ts';
import { encode, hmacOf, outcomeInFull } from '../support.ts';

const ONE = '01'.repeat(32);
const TWO = '02'.repeat(32);
const bytes = (value: number) => new Uint8Array(32).fill(value);

const BARE = hmacOf({ header: 'X-S' });
const PREFIXED = hmacOf({ header: 'X-S', prefix: 'sha256=' });
const KEYED = { header: 'X-S', key_value_separator: '=', keys: ['v1'] };
const STRIPE = hmacOf({ ...KEYED, list_separator: ',' });
const STANDARD = hmacOf({ ...KEYED, encoding: 'base64', list_separator: ' ', key_value_separator: ',' });
const BASE64 = hmacOf({ header: 'X-S', encoding: 'base64' });
const BASE64URL = hmacOf({ header: 'X-S', encoding: 'base64url' });

const read = (text: string, scheme = BARE) => readSignatures(text, scheme, ofLength(32, 16), 'header X-S');
const signatures = (text: string, scheme = BARE) => {
  const listed = read(text, scheme);
  return listed.ok ? listed.value.signatures : listed.error.code;
};
const base64 = (value: number) => encode(bytes(value), 'base64');

it('reads one signature: hex in either case, and base64 with its padding or without', () => {
  expect(signatures(ONE)).toEqual([bytes(1)]);
  expect(signatures('AB'.repeat(32))).toEqual([bytes(0xab)]);
  expect(signatures(base64(0xfb), BASE64)).toEqual([bytes(0xfb)]);
  expect(signatures(base64(0xfb).replace('=', ''), BASE64)).toEqual([bytes(0xfb)]);
  expect(signatures(encode(bytes(0xfb), 'base64url'), BASE64URL)).toEqual([bytes(0xfb)]);
});

it('wants the prefix of every item, unless it is optional', () => {
  const optional = hmacOf({ header: 'X-S', prefix: 'sha256=', prefix_optional: true });
  expect(signatures(`sha256=${ONE}`, PREFIXED)).toEqual([bytes(1)]);
  expect(signatures(ONE, PREFIXED)).toBe('malformed');
  for (const text of [ONE, `sha256=${ONE}`]) expect(signatures(text, optional)).toEqual([bytes(1)]);
  const joined = hmacOf({ header: 'X-S', prefix: 'sha256=', list_separator: ',' });
  expect(signatures(`sha256=${ONE}, sha256=${TWO}`, joined)).toEqual([bytes(1), bytes(2)]);
});

it('reads signatures under accepted keys and keeps the rest as parameters', () => {
  const listed = read(`t=12,v1=${ONE},v0=${TWO},v1=${TWO},`, STRIPE);
  expect(listed).toMatchObject({ ok: true, value: { signatures: [bytes(1), bytes(2)] } });
  expect(listed.ok && listed.value.params.get('t')).toEqual(['12']);
});

it('takes no header that came twice, unless its list has commas itself, and splits key from value at the first separator: base64 ends in one', () => {
  const twice = outcomeInFull(read(`v1,${base64(1)}, v1,${base64(1)}`, STANDARD));
  expect(twice).toBe('malformed: header X-S is given more than once');
  expect(signatures(`v1,${base64(1)} v1,${base64(1)}`, STANDARD)).toEqual([bytes(1), bytes(1)]);
  const scheme = hmacOf({ ...KEYED, encoding: 'base64', list_separator: ';' });
  expect(signatures(`ts=1;v1=${base64(1)}`, scheme)).toEqual([bytes(1)]);
  expect(signatures(`v1,${base64(1)}  v1a,AAAA v2,${base64(1)}`, STANDARD)).toEqual([bytes(1)]);
});

it.each([
  ['an empty text', '', BARE, 'malformed'],
  ['base64 where hex belongs', base64(1), BARE, 'malformed'],
  ['base64url where base64 belongs', encode(bytes(0xfb), 'base64url'), BASE64, 'malformed'],
  ['a byte too few', ONE.slice(2), BARE, 'malformed'],
  ['two where one belongs', `${ONE}, ${ONE}`, BARE, 'malformed'],
  ['unicode', 'ⅷ'.repeat(64), BARE, 'malformed'],
  ['another algorithm', `sha1=${ONE}`, PREFIXED, 'malformed'],
  ['no signature', 't=12', STRIPE, 'unknown_key'],
  ['keys in another case', `t=12,V1=${ONE}`, STRIPE, 'unknown_key'],
  ['an item without a key', `t=12,v1=${ONE},junk`, STRIPE, 'malformed'],
  ['seventeen signatures', `v1=${ONE},`.repeat(17), STRIPE, 'malformed'],
  ['a good signature behind padding', `x=${'a'.repeat(4_096)},v1=${ONE}`, STRIPE, 'malformed'],
])('refuses %s', (_, text, scheme, reason) => {
  expect(signatures(text, scheme)).toBe(reason);
});
