import { expect, it } from 'vitest';
import { err, ok } from '../../../src/lib/result.ts';
import { decodeSecret, readKeys } from '../../../src/signature/basics/keys.ts';
import { bytesOf } from '../support.ts';

const BASE64 = { secret_encoding: 'base64', strip_secret_prefixes: ['v1,whsec_', 'whsec_'] } as const;

it('decodes a secret, without the first prefix that fits; text is taken whole', () => {
  expect(decodeSecret('whsec_abc', { secret_encoding: 'utf8' })).toEqual(ok(bytesOf('whsec_abc')));
  for (const secret of ['6b6579', '6B6579'])
    expect(decodeSecret(secret, { secret_encoding: 'hex' })).toEqual(ok(bytesOf('key')));
  for (const secret of ['v1,whsec_a2V5', 'whsec_a2V5', 'a2V5'])
    expect(decodeSecret(secret, BASE64)).toEqual(ok(bytesOf('key')));
  expect(decodeSecret('', BASE64)).toEqual(err('is empty'));
  expect(decodeSecret('not base64!', BASE64)).toEqual(err('is not base64'));
  expect(decodeSecret('whsec_', BASE64)).toEqual(err('is empty once it is decoded'));
});

const read = (text: string) => (text === 'bad' || text === '' ? err('is bad') : ok(text));

it('knows of each key which secret it comes from, also where one has several', async () => {
  const [a, b, c] = [
    { secret: 0, key: 'a' },
    { secret: 1, key: 'b' },
    { secret: 1, key: 'c' },
  ];
  expect(await readKeys(['a', 'b'], undefined, read)).toEqual(ok([a, b]));
  expect(await readKeys(['a', 'b|c'], '|', read)).toEqual(ok([a, b, c]));
});

it.each([
  [['a', 'bad'], undefined, 'secret 2 of 2 is bad'],
  [['a|bad'], '|', 'secret 1 of 1, part 2 of 2, is bad'],
  [['a|'], '|', 'secret 1 of 1, part 2 of 2, is bad'],
  [['a|b|c|d|e|f|g|h|i'], '|', 'secret 1 of 1 contains more than 8 secrets'],
])('refuses %j with one that cannot be read, and says which without showing it', async (...row) => {
  const [secrets, separator, detail] = row;
  expect(await readKeys(secrets, separator, read)).toEqual(err({ code: 'misconfigured', detail }));
});
