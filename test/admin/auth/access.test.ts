import fc from 'fast-check';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import {
  accessSettings,
  verifyAccess,
  EVERYBODY,
  groupsIn,
  parseAccessRoles,
  roleOf,
} from '../../../src/admin/auth/access.ts';
import { containing } from '../../config/support.ts';
import { envWith } from '../../platform/env.ts';
import { AUDIENCE, NOW, type Team, newTeam } from '../access-tokens.ts';
import { ROLES } from '../../../src/admin/auth/tokens.ts';

let team: Team;

beforeAll(async () => {
  team = await newTeam();
});

const verifyOf = ({ domain, fetch }: Team, token: string) =>
  verifyAccess(
    token,
    { team: domain, audiences: ['other', AUDIENCE], roles: EVERYBODY },
    { now: NOW, fetch },
  );
const verify = (token: string) => verifyOf(team, token);

const refused = { ok: false, error: 'refused' };
const seconds = NOW / 1_000;

/** The same text with another first character. */
const flipped = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;

const TEAM = 'acme.cloudflareaccess.com';

const settings = (domain?: string, aud?: string) =>
  accessSettings(envWith({ ACCESS_TEAM_DOMAIN: domain, ACCESS_AUD: aud }));

it('a token of Cloudflare Access says who signed in, and until when, by keys from the team’s own address', async () => {
  const own = await newTeam();
  expect(await verifyOf(own, await own.token())).toEqual({
    ok: true,
    value: { actor: 'ada@example.com', role: 'editor', expiresAt: NOW + 3_600_000 },
  });
  expect(own.asked).toEqual([`https://${own.domain}/cdn-cgi/access/certs`]);
});

it('a token of Cloudflare Access of a service is known by the name of the service token', async () => {
  const claims = { email: undefined, common_name: 'e367826f93b8d71185e03fe518aff3b4.access' };
  expect(await verify(await team.token(claims))).toMatchObject({
    value: { actor: 'service:e367826f93b8d71185e03fe518aff3b4.access' },
  });
});

it('a token of Cloudflare Access for another application, team or time, or for nobody, is refused', async () => {
  for (const claims of [
    { aud: ['another'] },
    { aud: undefined },
    { iss: 'https://other.cloudflareaccess.com' },
    { iss: undefined },
    { exp: seconds - 31 },
    { nbf: seconds + 31 },
    { exp: undefined },
    { exp: 'tomorrow' },
    { email: undefined },
    { email: '' },
    // Who would pass for the admin token, or for a service.
    { email: 'token' },
    { email: 'service:x@example.com' },
    { email: 'ada@example.com\nx' },
    { email: undefined, common_name: 'a b' },
  ])
    expect([claims, await verify(await team.token(claims))]).toEqual([claims, refused]);
});

it('a token of Cloudflare Access is taken half a minute too early or too late: clocks differ; and for one of its applications', async () => {
  for (const claims of [
    { exp: seconds - 29 },
    { nbf: seconds + 29 },
    { aud: ['x', AUDIENCE] },
    { aud: AUDIENCE },
  ])
    expect([claims, (await verify(await team.token(claims))).ok]).toEqual([claims, true]);
});

it('a token of Cloudflare Access signed with a key that is not the team’s is refused, whatever it calls itself', async () => {
  const forger = await newTeam();
  const claims = { iss: `https://${team.domain}` };
  expect(await verify(await forger.token(claims, { kid: 'k1' }))).toEqual(refused);
  expect(await verify(await forger.token(claims, { kid: 'unknown' }))).toEqual(refused);
  const jwk = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
  expect(await verify(await forger.token(claims, { jwk }))).toEqual(refused);
});

it('a token of Cloudflare Access with another algorithm is refused before a key is looked for', async () => {
  const other = await newTeam();
  const hmac = await new SignJWT({ email: 'ada@example.com' })
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .sign(new TextEncoder().encode('k'.repeat(32)));
  const [header = '', payload = ''] = (await other.token()).split('.');
  const none = `${btoa('{"alg":"none","kid":"k1"}').replaceAll('=', '')}.${payload}.x`;
  const cut = [`${header}.${payload}.`, `${header}.${payload}`];
  for (const text of [hmac, none, ...cut, 'x', '', 'a.b.c', 'x'.repeat(9_000)])
    expect(await verifyOf(other, text)).toEqual(refused);
  expect(other.asked).toEqual([]);
});

it('a token of Cloudflare Access that was changed by a character is refused', async () => {
  const token = await team.token();
  const [header = '', payload = '', signature = ''] = token.split('.');
  expect(await verify(`${header}.${payload}.${flipped(signature)}`)).toEqual(refused);
  const claims = btoa(JSON.stringify({ email: 'eve@example.com', exp: seconds + 60 })).replaceAll('=', '');
  expect(await verify(`${header}.${claims}.${signature}`)).toEqual(refused);
});

it('a token of Cloudflare Access cannot be looked at while the keys cannot be had', async () => {
  const other = await newTeam();
  other.answer = () => new Response('', { status: 500 });
  expect(await verifyOf(other, await other.token())).toEqual({ ok: false, error: 'unavailable' });
});

it('the settings of Access are a plain host name of Cloudflare and its applications, and only half of them an error', () => {
  for (const [aud, audiences] of [
    ['one', ['one']],
    [' one,two , ,', ['one', 'two']],
  ] as const)
    expect(settings(TEAM, aud)).toMatchObject({ value: { team: TEAM, audiences } });
  expect(settings()).toEqual({ ok: true, value: null });
  const around = [
    `https://${TEAM}`,
    `${TEAM}/`,
    `${TEAM}:444`,
    `${TEAM}.evil.example`,
    `me@${TEAM}`,
    `${TEAM}#`,
  ];
  const names = ['', '.', 'a b.', '-a.', 'evil'].map((name) => `${name}cloudflareaccess.com`);
  for (const domain of [...around, ...names, 'acme'])
    expect(settings(domain, 'one')).toMatchObject({ ok: false, error: containing('plain host name') });
  for (const aud of [undefined, ' , '])
    expect(settings(TEAM, aud)).toMatchObject({ error: containing('ACCESS_AUD') });
  expect(settings(undefined, 'one')).toMatchObject({ error: containing('ACCESS_TEAM_DOMAIN') });
});

const parsed = (text: string) => {
  const roles = parseAccessRoles(text);
  if (!roles.ok) throw new Error(roles.error);
  return roles.value;
};
const given = parsed(
  'ann@acme.com=editor, @acme.com=operator,group:support=viewer, service:ci.access=editor',
);

it('ACCESS_ROLES gives a role by address, domain, group or service, and to nobody else', () => {
  for (const [actor, groups, role] of [
    ['ann@acme.com', [], 'editor'],
    ['Ann@ACME.com', [], 'editor'],
    ['bob@acme.com', [], 'operator'],
    ['bob@acme.com', ['support'], 'operator'],
    ['eve@acme.com.evil.example', [], null],
    ['eve@evilacme.com', [], null],
    ['eve@sub.acme.com', [], null],
    ['eve@example.com', ['support'], 'viewer'],
    ['eve@example.com', ['Support', 'supporters'], null],
    ['service:ci.access', [], 'editor'],
    ['service:other.access', [], null],
  ] as const)
    expect([actor, roleOf(given, actor, groups)]).toEqual([actor, role]);
});

it('ACCESS_ROLES gives everybody else what * says, and takes the first that matches', () => {
  const all = parsed('*=viewer,ann@acme.com=editor');
  expect(roleOf(all, 'ann@acme.com', [])).toBe('viewer');
  expect(roleOf(all, 'service:x', [])).toBe('viewer');
});

it('ACCESS_ROLES is refused as a whole when an entry is none, and says which, but nothing of what is in it', () => {
  const ann = ['ann@acme.com', 'ann@acme.com=', 'ann@acme.com=admin', 'ann@acme.com=Editor', 'ann=viewer'];
  const empty = ['', ' ', '=viewer', '@=viewer', 'group:=viewer', '*=viewer,'];
  const odd = ['user:ann=viewer', 'a b@acme.com=viewer', '*=viewer;@acme.com=editor', '**=viewer'];
  for (const text of [...ann, ...empty, ...odd])
    expect([text, parseAccessRoles(text).ok]).toEqual([text, false]);
  const error: unknown = expect.stringMatching(
    /^Entry 2 of ACCESS_ROLES must be who=role(?!.*(secret|boss))/,
  );
  expect(parseAccessRoles('*=viewer, secret-person@acme.com=boss')).toEqual({ ok: false, error });
});

it('ACCESS_ROLES means the same with spaces around its parts, and knows groups with = in their names', () => {
  expect(parsed(' * = viewer ')).toEqual([{ who: '*', role: 'viewer' }]);
  expect(roleOf(parsed('group:cn=Night Shift=operator'), 'x@y.z', ['cn=Night Shift'])).toBe('operator');
});

it('ACCESS_ROLES takes no letter of another script for one of an address: the Kelvin sign is no k', () => {
  const roles = parsed('mark@acme.com=editor, @kelvin.com=operator, *=viewer');
  expect(roleOf(roles, 'MARK@Acme.com', [])).toBe('editor');
  expect(roleOf(roles, 'mar\u212a@acme.com', [])).toBe('viewer');
  expect(roleOf(roles, 'mark@\u212aelvin.com', [])).toBe('viewer');
  expect(roleOf(parsed('jürgen@acme.com=editor'), 'JÜRGEN@acme.com', [])).toBeNull();
});

it('ACCESS_ROLES never throws, and gives nobody a role whom no entry names', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...ROLES), (text, role) => {
      const roles = parseAccessRoles(`${text}=${role}`);
      if (roles.ok && !text.includes('*'))
        expect(roleOf(roles.value, 'nobody@nowhere.invalid.example', [])).toBeNull();
    }),
  );
});

it('the groups of a token are texts of its own or of its custom claims', () => {
  const rows: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
    [{ groups: ['a', 'b'] }, ['a', 'b']],
    [{ groups: 'a' }, ['a']],
    [{ custom: { groups: ['a'] } }, ['a']],
    [{ groups: ['a'], custom: { groups: 'b' } }, ['a', 'b']],
    [{ groups: [1, null, { name: 'a' }] }, []],
    [{ custom: 'groups' }, []],
    [{ custom: null }, []],
    [{}, []],
  ];
  for (const [claims, groups] of rows) expect(groupsIn(claims)).toEqual(groups);
});
