import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessSettings, verifyAccess } from '../../../src/admin/auth/access.ts';
import { EVERYBODY } from '../../../src/admin/auth/access-roles.ts';
import { containing } from '../../config/support.ts';
import { envWith } from '../../platform/env.ts';
import { AUDIENCE, newTeam, NOW, type Team } from '../access-tokens.ts';

let team: Team;

beforeAll(async () => {
  team = await newTeam();
});

const verify = (token: string, audiences: readonly string[] = ['other', AUDIENCE]) =>
  verifyAccess(token, { team: team.domain, audiences, roles: EVERYBODY }, { now: NOW, fetch: team.fetch });

const refused = { ok: false, error: 'refused' };
const seconds = NOW / 1_000;

/** The same text with another first character. */
const flipped = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;

const settings = (domain?: string, aud?: string) =>
  accessSettings(envWith({ ACCESS_TEAM_DOMAIN: domain, ACCESS_AUD: aud }));

describe('a token of Cloudflare Access', () => {
  it('says who signed in, and until when', async () => {
    expect(await verify(await team.token())).toEqual({
      ok: true,
      value: { actor: 'ada@example.com', role: 'editor', expiresAt: NOW + 3_600_000 },
    });
  });

  it('is checked with keys from the team’s own address', async () => {
    const own = await newTeam();
    await verifyAccess(
      await own.token(),
      { team: own.domain, audiences: [AUDIENCE], roles: EVERYBODY },
      { now: NOW, fetch: own.fetch },
    );
    expect(own.asked).toEqual([`https://${own.domain}/cdn-cgi/access/certs`]);
  });

  it('of a service is known by the name of the service token', async () => {
    const claims = { email: undefined, common_name: 'e367826f93b8d71185e03fe518aff3b4.access' };
    expect(await verify(await team.token(claims))).toMatchObject({
      value: { actor: 'service:e367826f93b8d71185e03fe518aff3b4.access' },
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['another application', { aud: ['another'] }],
    ['no application', { aud: undefined }],
    ['another team', { iss: 'https://other.cloudflareaccess.com' }],
    ['no team', { iss: undefined }],
    ['a time that is over', { exp: seconds - 31 }],
    ['a time that is to come', { nbf: seconds + 31 }],
    ['all times', { exp: undefined }],
    ['a time in words', { exp: 'tomorrow' }],
    ['nobody', { email: undefined }],
    ['nobody in particular', { email: '' }],
    ['somebody who would pass for the admin token', { email: 'token' }],
    ['somebody who would pass for a service', { email: 'service:x@example.com' }],
    ['somebody with a line break', { email: 'ada@example.com\nx' }],
    ['a service without a plain name', { email: undefined, common_name: 'a b' }],
  ])('made for %s is refused', async (_, claims) => {
    expect(await verify(await team.token(claims))).toEqual(refused);
  });

  it.each<[string, Record<string, unknown>]>([
    ['ended', { exp: seconds - 29 }],
    ['begins', { nbf: seconds + 29 }],
  ])('that %s within half a minute is taken: clocks differ', async (_, claims) => {
    expect((await verify(await team.token(claims))).ok).toBe(true);
  });

  it('for several applications needs only one of them', async () => {
    expect((await verify(await team.token({ aud: ['x', AUDIENCE] }))).ok).toBe(true);
    expect((await verify(await team.token({ aud: AUDIENCE }))).ok).toBe(true);
  });

  it('signed with a key that is not the team’s is refused, whatever it calls itself', async () => {
    const forger = await newTeam();
    const claims = { iss: `https://${team.domain}` };
    expect(await verify(await forger.token(claims, { kid: 'k1' }))).toEqual(refused);
    expect(await verify(await forger.token(claims, { kid: 'unknown' }))).toEqual(refused);
    const jwk = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
    expect(await verify(await forger.token(claims, { jwk }))).toEqual(refused);
  });

  it('with another algorithm is refused before a key is looked for', async () => {
    const other = await newTeam();
    const hmac = await new SignJWT({ email: 'ada@example.com' })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(new TextEncoder().encode('k'.repeat(32)));
    const [header = '', payload = ''] = (await other.token()).split('.');
    const none = `${btoa('{"alg":"none","kid":"k1"}').replaceAll('=', '')}.${payload}.x`;
    const texts = [
      hmac,
      none,
      `${header}.${payload}.`,
      'x',
      '',
      'a.b.c',
      'x'.repeat(9_000),
      `${header}.${payload}`,
    ];
    for (const text of texts) {
      const context = { now: NOW, fetch: other.fetch };
      const settings = { team: other.domain, audiences: [AUDIENCE], roles: EVERYBODY };
      expect(await verifyAccess(text, settings, context)).toEqual(refused);
    }
    expect(other.asked).toEqual([]);
  });

  it('that was changed by a character is refused', async () => {
    const token = await team.token();
    const [header = '', payload = '', signature = ''] = token.split('.');
    expect(await verify(`${header}.${payload}.${flipped(signature)}`)).toEqual(refused);
    const claims = btoa(JSON.stringify({ email: 'eve@example.com', exp: seconds + 60 })).replaceAll('=', '');
    expect(await verify(`${header}.${claims}.${signature}`)).toEqual(refused);
  });

  it('cannot be looked at while the keys cannot be had', async () => {
    const other = await newTeam();
    other.answer = () => new Response('', { status: 500 });
    const settings = { team: other.domain, audiences: [AUDIENCE], roles: EVERYBODY };
    expect(await verifyAccess(await other.token(), settings, { now: NOW, fetch: other.fetch })).toEqual({
      ok: false,
      error: 'unavailable',
    });
  });
});

describe('the settings of Access', () => {
  it('are a team and its applications', () => {
    expect(settings('acme.cloudflareaccess.com', 'one')).toMatchObject({
      value: { team: 'acme.cloudflareaccess.com', audiences: ['one'] },
    });
    expect(settings('acme.cloudflareaccess.com', ' one,two , ,')).toMatchObject({
      value: { audiences: ['one', 'two'] },
    });
    expect(settings()).toEqual({ ok: true, value: null });
  });

  it.each([
    'https://acme.cloudflareaccess.com',
    'acme.cloudflareaccess.com/',
    'acme.cloudflareaccess.com:444',
    'acme.cloudflareaccess.com.evil.example',
    'evilcloudflareaccess.com',
    'cloudflareaccess.com',
    '.cloudflareaccess.com',
    'me@acme.cloudflareaccess.com',
    'acme.cloudflareaccess.com#',
    'a b.cloudflareaccess.com',
    '-a.cloudflareaccess.com',
    'acme',
  ])('do not take %j for a team', (domain) => {
    expect(settings(domain, 'one')).toMatchObject({
      ok: false,
      error: containing('plain host name'),
    });
  });

  it('that are only half there are said to be', () => {
    expect(settings('acme.cloudflareaccess.com')).toMatchObject({
      error: containing('ACCESS_AUD'),
    });
    expect(settings('acme.cloudflareaccess.com', ' , ')).toMatchObject({ ok: false });
    expect(settings(undefined, 'one')).toMatchObject({
      error: containing('ACCESS_TEAM_DOMAIN'),
    });
  });
});
