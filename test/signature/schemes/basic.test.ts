import { describe, expect, it } from 'vitest';
import { verifyBasic } from '../../../src/signature/schemes/basic.ts';
import { encode as encodeBytes, requestOf } from '../support.ts';

const encode = (text: string) => encodeBytes(new TextEncoder().encode(text), 'base64');
const verify = (authorization: string | null, secrets: readonly string[] = ['ada:secret']) =>
  verifyBasic(
    secrets,
    requestOf({ headers: authorization === null ? {} : { Authorization: authorization } }),
  );

describe('verifyBasic', () => {
  it.each(['Basic', 'basic', 'BASIC'])('takes user and password under the scheme word %s', async (word) => {
    expect(await verify(`${word} ${encode('ada:secret')}`)).toEqual({ ok: true, value: 0 });
  });

  it('splits at the first colon only: a password may contain more', async () => {
    expect(await verify(`Basic ${encode('ada:a:b::c')}`, ['ada:a:b::c'])).toMatchObject({ ok: true });
    expect(await verify(`Basic ${encode('ada:a')}`, ['ada:a:b'])).toMatchObject({ ok: false });
  });

  it('takes an empty user or password where the secret has one', async () => {
    expect(await verify(`Basic ${encode(':key')}`, [':key'])).toMatchObject({ ok: true });
    expect(await verify(`Basic ${encode('key:')}`, ['key:'])).toMatchObject({ ok: true });
  });

  it('compares in UTF-8', async () => {
    expect(await verify(`Basic ${encode('ada:pässwörd🔑')}`, ['ada:pässwörd🔑'])).toMatchObject({ ok: true });
  });

  it('says which of several secrets matched', async () => {
    expect(await verify(`Basic ${encode('ada:new')}`, ['ada:old', 'ada:new'])).toEqual({
      ok: true,
      value: 1,
    });
  });

  it.each([
    ['no header', null, 'missing_header'],
    ['an empty header', '', 'missing_header'],
    ['another scheme', `Bearer ${encode('ada:secret')}`, 'malformed'],
    ['no credentials', 'Basic', 'malformed'],
    ['credentials that are not base64', 'Basic ada:secret', 'malformed'],
    ['trailing garbage', `Basic ${encode('ada:secret')} x`, 'malformed'],
    ['no colon', `Basic ${encode('adasecret')}`, 'malformed'],
    [
      'bytes that are not UTF-8',
      `Basic ${encodeBytes(Uint8Array.of(0x61, 0x3a, 0xff), 'base64')}`,
      'malformed',
    ],
    ['a huge header', `Basic ${encode(`ada:${'x'.repeat(10_000)}`)}`, 'malformed'],
    ['another password', `Basic ${encode('ada:Secret')}`, 'mismatch'],
    ['another user', `Basic ${encode('bob:secret')}`, 'mismatch'],
    ['the password with more behind it', `Basic ${encode('ada:secret ')}`, 'mismatch'],
    ['the password behind a byte order mark', `Basic ${encode('\uFEFFada:secret')}`, 'mismatch'],
  ])('refuses %s', async (_, header, reason) => {
    expect(await verify(header)).toMatchObject({ ok: false, error: { reason } });
  });

  it('refuses a secret without a colon as misconfigured, by its number', async () => {
    expect(await verify(`Basic ${encode('a:b')}`, ['a:b', 'password'])).toEqual({
      ok: false,
      error: { reason: 'misconfigured', detail: 'secret 2 of 2 must have the form "user:password"' },
    });
  });
});
