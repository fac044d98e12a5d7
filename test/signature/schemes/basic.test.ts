import { expect, it } from 'vitest';
import { verifyBasic } from '../../../src/signature/schemes/token.ts';
import { bytesOf, encode as encodeBytes, outcome, requestOf } from '../support.ts';

const encode = (text: string) => encodeBytes(bytesOf(text), 'base64');
const NO_UTF8 = encodeBytes(Uint8Array.of(0x61, 0x3a, 0xff), 'base64');
const verify = (Authorization: string, secrets: readonly string[] = ['ada:secret']) =>
  verifyBasic({
    secrets,
    request: requestOf({ headers: Authorization === '' ? {} : { Authorization } }),
  });

it('takes user and password under the scheme word in any case, split at the first colon only, perhaps empty, in UTF-8, and says which secret it was', async () => {
  for (const word of ['Basic', 'basic', 'BASIC'])
    expect(await verify(`${word} ${encode('ada:secret')}`)).toEqual({ ok: true, value: 0 });
  expect(await verify(`Basic ${encode('ada:new')}`, ['ada:old', 'ada:new'])).toEqual({ ok: true, value: 1 });
  for (const pair of ['ada:a:b::c', ':key', 'key:', 'ada:pässwörd🔑'])
    expect(await verify(`Basic ${encode(pair)}`, [pair]), pair).toEqual({ ok: true, value: 0 });
  expect(outcome(await verify(`Basic ${encode('ada:a')}`, ['ada:a:b']))).toBe('mismatch');
});

it.each([
  ['no header', '', 'missing_header'],
  ['another scheme', `Bearer ${encode('ada:secret')}`, 'malformed'],
  ['credentials that are not base64', 'Basic ada:secret', 'malformed'],
  ['no colon', `Basic ${encode('adasecret')}`, 'malformed'],
  ['bytes that are not UTF-8', `Basic ${NO_UTF8}`, 'malformed'],
  ['another password', `Basic ${encode('ada:Secret')}`, 'mismatch'],
  ['the password behind a byte order mark', `Basic ${encode('\uFEFFada:secret')}`, 'mismatch'],
])('refuses %s', async (_, header, reason) => {
  expect(outcome(await verify(header))).toBe(reason);
});
