import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../src/lib/result.ts';
import { decodeSecret, readKeys } from '../../../src/signature/signed/secret-key.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('decodeSecret', () => {
  it('takes text whole, with what looks like a prefix', () => {
    expect(decodeSecret('whsec_abc', { secret_encoding: 'utf8' })).toEqual(ok(bytes('whsec_abc')));
  });

  it.each([
    ['base64', 'a2V5'],
    ['hex', '6b6579'],
    ['hex', '6B6579'],
  ] as const)('decodes %s', (secret_encoding, secret) => {
    expect(decodeSecret(secret, { secret_encoding })).toEqual(ok(bytes('key')));
  });

  it('takes the first prefix that fits off, where there is one', () => {
    const form = { secret_encoding: 'base64', strip_secret_prefixes: ['v1,whsec_', 'whsec_'] } as const;
    for (const secret of ['v1,whsec_a2V5', 'whsec_a2V5', 'a2V5']) {
      expect(decodeSecret(secret, form)).toEqual(ok(bytes('key')));
    }
  });

  it.each([
    ['', 'is empty'],
    ['not base64!', 'is not base64'],
    ['whsec_', 'is empty once it is decoded'],
  ])('refuses %j: it %s', (secret, problem) => {
    const form = { secret_encoding: 'base64', strip_secret_prefixes: ['whsec_'] } as const;
    expect(decodeSecret(secret, form)).toEqual(err(problem));
  });
});

const read = (text: string) => (text === 'bad' || text === '' ? err('is bad') : ok(text));

describe('readKeys', () => {
  it('knows of each key which secret it comes from', async () => {
    expect(await readKeys(['a', 'b'], undefined, read)).toEqual(
      ok([
        { secret: 0, key: 'a' },
        { secret: 1, key: 'b' },
      ]),
    );
  });

  it('reads several from one secret', async () => {
    expect(await readKeys(['a', 'b|c'], '|', read)).toEqual(
      ok([
        { secret: 0, key: 'a' },
        { secret: 1, key: 'b' },
        { secret: 1, key: 'c' },
      ]),
    );
  });

  it.each([
    [['a', 'bad'], undefined, 'secret 2 of 2 is bad'],
    [['a|bad'], '|', 'secret 1 of 1, part 2 of 2, is bad'],
    [['a|'], '|', 'secret 1 of 1, part 2 of 2, is bad'],
    [['a|b|c|d|e|f|g|h|i'], '|', 'secret 1 of 1 contains more than 8 secrets'],
  ])(
    'refuses %j with one that cannot be read, and says which without showing it',
    async (secrets, separator, detail) => {
      expect(await readKeys(secrets, separator, read)).toEqual(err({ reason: 'misconfigured', detail }));
    },
  );
});
