import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Credential,
  readCredential,
  writeCredential,
  cookieIn,
  setCookie,
} from '../../../src/admin/auth/credential.ts';
import { type Token, viewersSeePayloads } from '../../../src/admin/auth/tokens.ts';
import { isLink, isRead, originOf } from '../../../src/admin/auth/login.ts';
import { secretValues } from '../../../src/lib/secret.ts';
import { envWith } from '../../platform/env.ts';

const NOW = 1_000_000;
const EDITOR: Token = { role: 'editor', actor: 'token', token: 'token-of-the-editors' };
const VIEWER: Token = { role: 'viewer', actor: 'viewer', token: 'token-of-the-viewers' };
const ALL = [EDITOR, VIEWER];
const ONE: Credential = { id: 'ses_1', expiresAt: NOW + 1, token: EDITOR };

it('a credential is read as it was written, by any token of its role', async () => {
  const next = { ...EDITOR, token: 'next-token-of-the-editors' };
  for (const token of [...ALL, next]) {
    const written = { ...ONE, token };
    const text = await writeCredential('session', written);
    expect(await readCredential('session', text, [...ALL, next], NOW)).toEqual(written);
  }
});

it('a credential ends when it expires, and when its token is replaced', async () => {
  const text = await writeCredential('session', ONE);
  expect(await readCredential('session', text, ALL, NOW + 1)).toBeNull();
  expect(await readCredential('session', text, [{ ...EDITOR, token: 'other' }, VIEWER], NOW)).toBeNull();
  expect(await readCredential('session', text, [], NOW)).toBeNull();
});

it('a credential of one kind is not one of the other, and of a lower role’s token none of a higher one', async () => {
  expect(await readCredential('session', await writeCredential('code', ONE), ALL, NOW)).toBeNull();
  expect(await readCredential('code', await writeCredential('session', ONE), ALL, NOW)).toBeNull();
  const forged = await writeCredential('session', { ...ONE, token: { ...VIEWER, role: 'editor' } });
  expect(await readCredential('session', forged, ALL, NOW)).toBeNull();
});

it('a credential with any change is none', async () => {
  const text = await writeCredential('session', ONE);
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: text.length - 1 }),
      fc.string({ maxLength: 3 }),
      fc.nat({ max: 3 }),
      async (at, put, cut) => {
        const changed = text.slice(0, at) + put + text.slice(at + cut);
        fc.pre(changed !== text);
        expect(await readCredential('session', changed, ALL, NOW)).toBeNull();
      },
    ),
  );
});

it('a credential is nothing else that a cookie may hold', async () => {
  for (const text of ['', '.', '...', 'editor', 'editor.ses_1.Infinity.', `editor.ses_1.${NOW + 1}e0.x`])
    expect(await readCredential('session', text, ALL, NOW)).toBeNull();
});

const at = (url: string, cookie = ''): Request => new Request(url, { headers: { cookie } });

it('the session’s cookie does without TLS on this machine', () => {
  for (const host of ['localhost:8787', '127.0.0.1:8787', '127.0.0.2', '[::1]', 'localhost']) {
    const url = `http://${host}/`;
    expect(setCookie(at(url), 'x', 60)).toBe('hookbell=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict');
    expect(cookieIn(at(url, 'hookbell=x'))).toBe('x');
    expect(cookieIn(at(url, '__Host-hookbell=x'))).toBeUndefined();
  }
});

it('the session’s cookie is not set, and not read, where it would go through the network in the clear', () => {
  for (const host of ['relay.example', '192.0.2.1:8787', 'localhost.example', '127.0.0.1.example']) {
    const url = `http://${host}/`;
    expect([host, setCookie(at(url), 'x', 60)]).toEqual([host, null]);
    for (const name of ['hookbell', '__Host-hookbell', 'null'])
      expect(cookieIn(at(url, `${name}=x`))).toBeUndefined();
  }
});

it('the session’s cookie is read by its whole name, the first of two', () => {
  for (const [cookie, value] of [
    ['__Host-hookbell=x', 'x'],
    ['a=b; __Host-hookbell=x; c=d', 'x'],
    ['__Host-hookbell=x; __Host-hookbell=y', 'x'],
    ['__Host-hookbell=', ''],
    // A page of another host of the domain can set this one.
    ['hookbell=x', undefined],
    ['a__Host-hookbell=x', undefined],
    ['a="; __Host-hookbell', undefined],
    ['', undefined],
  ] as const)
    expect([cookie, cookieIn(at('https://relay.example/', cookie))]).toEqual([cookie, value]);
});

const request = (headers: Record<string, string>, method = 'GET'): Request =>
  new Request('https://relay.example/admin/api/v1/config', { method, headers });

it('the page that asks is our own, another site’s or unknown by what the browser says', () => {
  const rows: readonly (readonly [Record<string, string>, string])[] = [
    [{}, 'unknown'],
    [{ 'sec-fetch-site': 'same-origin' }, 'own'],
    [{ 'sec-fetch-site': 'none' }, 'own'],
    [{ 'sec-fetch-site': 'same-site' }, 'foreign'],
    [{ 'sec-fetch-site': 'cross-site' }, 'foreign'],
    [{ 'sec-fetch-site': '' }, 'foreign'],
    [{ origin: 'https://relay.example' }, 'own'],
    [{ origin: 'https://relay.example:8443' }, 'foreign'],
    [{ origin: 'http://relay.example' }, 'foreign'],
    [{ origin: 'null' }, 'foreign'],
    [{ origin: '' }, 'foreign'],
    // A proxy that ends TLS may have changed the scheme under us; the browser knows what it asked for.
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://relay.example' }, 'own'],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://relay.example' }, 'foreign'],
  ];
  for (const [headers, origin] of rows)
    expect([headers, originOf(request(headers))]).toEqual([headers, origin]);
});

it('the page that asks by a link only ever reads', () => {
  const link = { 'sec-fetch-mode': 'navigate' };
  expect([isLink(request(link)), isLink(request(link, 'POST'))]).toEqual([true, false]);
  for (const other of [{ 'sec-fetch-mode': 'cors' }, {}] as const)
    expect(isLink(request({ ...other }))).toBe(false);
});

it('the page that asks by any method but GET and HEAD does more than read', () => {
  expect(isRead(request({}))).toBe(true);
  expect(isRead(request({}, 'HEAD'))).toBe(true);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    expect(isRead(request({}, method))).toBe(false);
});

it('VIEWER_SEES shows payloads and texts as `payloads`, which is taken for no secret, and nothing more as any other word', () => {
  for (const value of [undefined, '', 'payload', 'Payloads', 'payloads,texts', 'true', 1]) {
    expect(viewersSeePayloads(envWith({ VIEWER_SEES: value }))).toBe(false);
  }
  expect(viewersSeePayloads(envWith({ VIEWER_SEES: 'payloads' }))).toBe(true);
  expect(secretValues({ VIEWER_SEES: 'payloads' })).toEqual([]);
});
