import { describe, expect, it } from 'vitest';
import { ofLength, readSignatures } from '../../../src/signature/signed/signature-list.ts';
import { encode, hmacOf } from '../support.ts';

const ONE = '01'.repeat(32);
const TWO = '02'.repeat(32);
const bytes = (value: number) => new Uint8Array(32).fill(value);

const BARE = hmacOf({ header: 'X-S' });
const PREFIXED = hmacOf({ header: 'X-S', prefix: 'sha256=' });
const STRIPE = hmacOf({ header: 'X-S', list_separator: ',', key_value_separator: '=', keys: ['v1'] });
const STANDARD = hmacOf({
  header: 'X-S',
  encoding: 'base64',
  list_separator: ' ',
  key_value_separator: ',',
  keys: ['v1'],
});

const read = (text: string, scheme = BARE) => readSignatures(text, scheme, ofLength(32, 16), 'header X-S');
const signatures = (text: string, scheme = BARE) => {
  const listed = read(text, scheme);
  return listed.ok ? listed.value.signatures : listed.error.reason;
};

describe('readSignatures', () => {
  it('reads one bare signature', () => {
    expect(signatures(ONE)).toEqual([bytes(1)]);
  });

  it('wants the prefix, unless it is optional', () => {
    const optional = hmacOf({ header: 'X-S', prefix: 'sha256=', prefix_optional: true });
    expect(signatures(`sha256=${ONE}`, PREFIXED)).toEqual([bytes(1)]);
    expect(signatures(ONE, PREFIXED)).toBe('malformed');
    expect(signatures(ONE, optional)).toEqual([bytes(1)]);
    expect(signatures(`sha256=${ONE}`, optional)).toEqual([bytes(1)]);
  });

  it('reads a list in which every item has its prefix, as joined headers do', () => {
    const joined = hmacOf({ header: 'X-S', prefix: 'sha256=', list_separator: ',' });
    expect(signatures(`sha256=${ONE}, sha256=${TWO}`, joined)).toEqual([bytes(1), bytes(2)]);
  });

  it('reads signatures under accepted keys and keeps the rest as parameters', () => {
    const listed = read(`t=12,v1=${ONE},v0=${TWO},v1=${TWO},`, STRIPE);
    expect(listed).toMatchObject({ ok: true, value: { signatures: [bytes(1), bytes(2)] } });
    expect(listed.ok && listed.value.params.get('t')).toEqual(['12']);
  });

  it('takes no header that came twice, unless its list has commas itself', () => {
    const base64 = encode(bytes(1), 'base64');
    expect(read(`v1,${base64}, v1,${base64}`, STANDARD)).toMatchObject({
      ok: false,
      error: { reason: 'malformed', detail: 'header X-S is given more than once' },
    });
    expect(signatures(`v1,${base64} v1,${base64}`, STANDARD)).toEqual([bytes(1), bytes(1)]);
  });

  it('splits key from value at the first separator: base64 ends in one of them', () => {
    const base64 = encode(bytes(1), 'base64');
    expect(base64).toMatch(/=$/);
    const scheme = hmacOf({
      header: 'X-S',
      encoding: 'base64',
      list_separator: ';',
      key_value_separator: '=',
      keys: ['h1'],
    });
    expect(signatures(`ts=1;h1=${base64}`, scheme)).toEqual([bytes(1)]);
    expect(signatures(`v1,${base64}  v1a,AAAA v2,${base64}`, STANDARD)).toEqual([bytes(1)]);
  });

  it('skips a signature it cannot read as long as there is another', () => {
    expect(signatures(`v1=zz,v1=${ONE}`, STRIPE)).toEqual([bytes(1)]);
  });

  it.each([
    ['an empty text', '', BARE, 'malformed'],
    ['base64 where hex belongs', encode(bytes(1), 'base64'), BARE, 'malformed'],
    ['a byte too few', ONE.slice(2), BARE, 'malformed'],
    ['a byte too many', `${ONE}00`, BARE, 'malformed'],
    ['garbage behind it', `${ONE};`, BARE, 'malformed'],
    ['two where one belongs', `${ONE}, ${ONE}`, BARE, 'malformed'],
    ['unicode', 'ⅷ'.repeat(64), BARE, 'malformed'],
    ['a placeholder', 'no-secret-provided', BARE, 'malformed'],
    ['a prefix alone', 'sha256=', PREFIXED, 'malformed'],
    ['another algorithm', `sha1=${ONE}`, PREFIXED, 'malformed'],
    ['other versions alone', `t=12,v0=${ONE}`, STRIPE, 'unknown_key'],
    ['no signature', 't=12', STRIPE, 'unknown_key'],
    ['separators alone', ',,,', STRIPE, 'unknown_key'],
    ['keys in another case', `t=12,V1=${ONE}`, STRIPE, 'unknown_key'],
    ['an item without a key', `t=12,v1=${ONE},junk`, STRIPE, 'malformed'],
    ['an empty signature', 't=12,v1=', STRIPE, 'malformed'],
    ['thousands of signatures', `v1=${ONE},`.repeat(5_000), STRIPE, 'malformed'],
    ['seventeen signatures', `v1=${ONE},`.repeat(17), STRIPE, 'malformed'],
    ['a good signature behind padding', `x=${'a'.repeat(4_096)},v1=${ONE}`, STRIPE, 'malformed'],
    ['a megabyte', 'a'.repeat(1_000_000), BARE, 'malformed'],
  ])('refuses %s', (_, text, scheme, reason) => {
    expect(signatures(text, scheme)).toBe(reason);
  });

  it('reads sixteen signatures, the most that it looks at', () => {
    expect(signatures(`v1=${ONE},`.repeat(16), STRIPE)).toHaveLength(16);
  });

  it('says what was expected without showing what came', () => {
    const refused = read('sha1=5up3r-s3cr3t', PREFIXED);
    expect(refused).toEqual({
      ok: false,
      error: { reason: 'malformed', detail: 'header X-S has no hex signature of 32 bytes after `sha256=`' },
    });
  });

  it('reads upper-case hex, and base64 with its padding or without', () => {
    const base64 = hmacOf({ header: 'X-S', encoding: 'base64' });
    const base64url = hmacOf({ header: 'X-S', encoding: 'base64url' });
    expect(signatures('AB'.repeat(32))).toEqual([bytes(0xab)]);
    expect(signatures(encode(bytes(0xfb), 'base64'), base64)).toEqual([bytes(0xfb)]);
    expect(signatures(encode(bytes(0xfb), 'base64').replace('=', ''), base64)).toEqual([bytes(0xfb)]);
    expect(signatures(encode(bytes(0xfb), 'base64url'), base64url)).toEqual([bytes(0xfb)]);
    expect(signatures(encode(bytes(0xfb), 'base64'), base64url)).toBe('malformed');
    expect(signatures(encode(bytes(0xfb), 'base64url'), base64)).toBe('malformed');
  });

  it.each([
    ['hex', ONE],
    ['base64', encode(bytes(1), 'base64')],
  ])('refuses a %s header that came twice, where one signature belongs', (encoding, one) => {
    const scheme = hmacOf({ header: 'X-S', encoding });
    expect(signatures(`${one}, ${one}`, scheme)).toBe('malformed');
    expect(signatures(`${one},${one}`, scheme)).toBe('malformed');
  });

  it('reads what the algorithm makes of the bytes', () => {
    const form = {
      description: 'of some kind',
      max: 2,
      read: (some: Uint8Array) => (some[0] === 1 ? some : null),
    };
    const list = hmacOf({ header: 'X-S', list_separator: ',' });
    expect(readSignatures(`${ONE},${TWO}`, list, form, 'header X-S')).toMatchObject({
      ok: true,
      value: { signatures: [bytes(1)] },
    });
    expect(readSignatures(TWO, list, form, 'header X-S')).toEqual({
      ok: false,
      error: { reason: 'malformed', detail: 'header X-S has no hex signature of some kind' },
    });
    expect(readSignatures('a,b,c', list, form, 'header X-S')).toMatchObject({
      error: { detail: 'header X-S lists more than 2 signatures' },
    });
  });
});
