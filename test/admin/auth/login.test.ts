import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { containing } from '../../config/support.ts';
import { newTeam, type Team } from '../access-tokens.ts';
import { knock } from '../knock.ts';
import type { ProblemJson } from '../support.ts';

const RIGHT = { ADMIN_TOKEN: 'right-token-0123456789' };
const BEARER = 'Bearer right-token-0123456789';
const ASSERTION = 'cf-access-jwt-assertion';

type Headers = Readonly<Record<string, string>>;

const publish = (n: number) => ['PUT', `/recipients/by-access-${n}`, '{"numbers":["4930123456"]}'] as const;

let team: Team;
let only: Readonly<Record<string, unknown>>;

beforeEach(async () => {
  team = await newTeam(Date.now());
  only = { ADMIN_TOKEN: undefined, ...team.bindings };
  vi.spyOn(globalThis, 'fetch').mockImplementation(team.fetch);
});

afterEach(() => vi.restoreAllMocks());

it('Cloudflare Access lets a person in, who stands in the record of versions by name', async () => {
  const headers = { [ASSERTION]: await team.token() };
  expect((await knock(only, headers, publish(1))).status).toBe(200);
  const service = { [ASSERTION]: await team.token({ email: undefined, common_name: 'ci.access' }) };
  expect((await knock(only, service, publish(2))).status).toBe(200);
  const versions = await knock(only, headers, ['GET', '/config/versions?limit=2']);
  const items = [{ by: 'service:ci.access' }, { by: 'ada@example.com' }];
  expect(await versions.json()).toMatchObject({ items });
});

it('Cloudflare Access or the token: one that is right is enough', async () => {
  const good = await team.token();
  const wrong = 'Bearer wrong-token-0123456789';
  for (const [authorization, assertion, status] of [
    [wrong, good, 200],
    [BEARER, 'x.y.z', 200],
    [BEARER, good, 200],
    [wrong, 'x.y.z', 401],
  ] as const) {
    const headers = { authorization, [ASSERTION]: assertion, 'cf-connecting-ip': '192.0.2.9' };
    expect((await knock({ ...only, ...RIGHT }, headers)).status).toBe(status);
  }
});

const roles = 'ada@example.com=operator, @example.com=viewer, group:support=editor';
const of = async (claims: Readonly<Record<string, unknown>>, call: readonly [string, string, string?]) =>
  knock({ ...only, ACCESS_ROLES: roles }, { [ASSERTION]: await team.token(claims) }, call);
const retry = ['POST', '/messages/msg_0000000000000000/retry'] as const;

it('Cloudflare Access with ACCESS_ROLES gives everybody the role that the first entry says', async () => {
  for (const [claims, operates, edits] of [
    [{}, 404, 403],
    [{ email: 'bob@example.com' }, 403, 403],
    [{ email: 'eve@elsewhere.example', groups: ['support'] }, 404, 200],
    [{ email: 'eve@elsewhere.example', custom: { groups: ['support'] } }, 404, 200],
  ] as const) {
    const calls = [['GET', '/providers'], retry, publish(3)] as const;
    const answers = await Promise.all(calls.map((call) => of(claims, call)));
    expect([claims, ...answers.map(({ status }) => status)]).toEqual([claims, 200, operates, edits]);
  }
});

it('Cloudflare Access with ACCESS_ROLES says so to whom it gives none', async () => {
  const refused = await of({ email: 'eve@elsewhere.example' }, ['GET', '/providers']);
  expect(await refused.json<ProblemJson>()).toMatchObject({
    type: 'urn:hookbell:problem:role-required',
    status: 403,
    detail: 'You are signed in as eve@elsewhere.example, who has no role in ACCESS_ROLES.',
  });
});

it('Cloudflare Access with ACCESS_ROLES that cannot be read lets nobody in by Access, whoever it may mean, and says why', async () => {
  const headers = { [ASSERTION]: await team.token() };
  for (const wrong of ['*', 'ada@example.com=editor,,', 'ada@example.com=owner', ' ']) {
    const env = { ...only, ACCESS_ROLES: wrong };
    const refused = await knock(env, headers);
    expect([wrong, refused.status]).toEqual([wrong, 403]);
    expect(await refused.json<ProblemJson>()).toMatchObject({
      type: 'urn:hookbell:problem:admin-closed',
      detail: containing('ACCESS_ROLES must be who=role'),
    });
    expect((await knock({ ...env, ...RIGHT }, { authorization: BEARER })).status).toBe(200);
    expect((await knock({ ...env, ...RIGHT }, headers)).status).toBe(403);
  }
});

it('Cloudflare Access does not let in who shows nothing, another team’s token, or one that is over', async () => {
  const other = await newTeam(Date.now());
  const over = await team.token({ exp: Math.floor(Date.now() / 1_000) - 60 });
  expect((await knock(only, {})).status).toBe(401);
  for (const token of [await other.token(), over, '', 'x']) {
    const answer = await knock(only, { [ASSERTION]: token, 'cf-connecting-ip': '192.0.2.4' });
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain('ada@');
  }
});

it('Cloudflare Access lets no page of another site change things, by its cookie or the header that it adds to what has the cookie', async () => {
  const token = await team.token();
  const cookie = { cookie: `a=b; CF_Authorization=${token}; c=d` };
  const header = { [ASSERTION]: token };
  const rows: readonly (readonly [Headers, Headers, number, number])[] = [
    [cookie, {}, 200, 403],
    [cookie, { origin: 'https://relay.example' }, 200, 200],
    [cookie, { origin: 'https://relay.example.evil.example' }, 403, 403],
    [cookie, { 'sec-fetch-site': 'same-origin' }, 200, 200],
    [cookie, { 'sec-fetch-site': 'cross-site' }, 403, 403],
    [header, {}, 200, 200],
    [header, { 'sec-fetch-site': 'cross-site' }, 403, 403],
    [header, { origin: 'https://evil.example' }, 403, 403],
    [header, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 200, 403],
  ];
  for (const [login, page, reads, changes] of rows) {
    const answers = [
      await knock(only, { ...login, ...page }),
      await knock(only, { ...login, ...page }, publish(4)),
    ];
    expect([page, ...answers.map(({ status }) => status)]).toEqual([page, reads, changes]);
    if (changes === 403)
      expect(await answers[1]?.json()).toMatchObject({ type: 'urn:hookbell:problem:cross-site' });
  }
});

it('Cloudflare Access whose keys cannot be had is 503, and the token works meanwhile', async () => {
  team.answer = () => new Response('', { status: 500 });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const headers = { [ASSERTION]: await team.token() };
  const answer = await knock(only, headers);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect((await knock({ ...only, ...RIGHT }, { ...headers, authorization: BEARER })).status).toBe(200);
});

it('Cloudflare Access that is only half set up lets nobody in and says why', async () => {
  const headers = { [ASSERTION]: await team.token() };
  for (const [half, reason] of [
    [{ ACCESS_AUD: undefined }, 'ACCESS_AUD'],
    [{ ACCESS_TEAM_DOMAIN: undefined }, 'ACCESS_TEAM_DOMAIN'],
    [{ ACCESS_TEAM_DOMAIN: 'https://x.cloudflareaccess.com' }, 'plain host name'],
  ] as const) {
    const both = { ...only, ...half, ...RIGHT };
    for (const bindings of [{ ...only, ...half }, both]) {
      const answer = await knock(bindings, headers);
      expect([reason, answer.status]).toEqual([reason, 403]);
      expect(await answer.json<ProblemJson>()).toMatchObject({
        type: 'urn:hookbell:problem:admin-closed',
        detail: containing(reason),
      });
    }
    expect((await knock(both, { ...headers, authorization: BEARER })).status).toBe(200);
  }
  expect(team.asked).toEqual([]);
});

it('Cloudflare Access that is not set up is not looked at', async () => {
  const none = { ...RIGHT, ACCESS_TEAM_DOMAIN: undefined, ACCESS_AUD: undefined };
  expect((await knock(none, { [ASSERTION]: await team.token() })).status).toBe(401);
  expect(team.asked).toEqual([]);
});
