import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { knock } from '../knock.ts';
import { type ProblemJson, callWith, raw } from '../support.ts';
import { TOKENS, tokensOf } from '../../../src/admin/auth/tokens.ts';
import { secretValues } from '../../../src/lib/secret.ts';
import { secretName } from '../../../src/schema/parts.ts';
import { containing } from '../../config/support.ts';
import { envWith } from '../../platform/env.ts';

const SET = { ADMIN_TOKEN: 'right-token-0123456789' };

const answered = async (bindings: object, authorization: string | null): Promise<number> =>
  (await callWith({ ...bindings }, '/providers', authorization)).status;

it('the admin API takes the token as a bearer’s, and none that is like it', async () => {
  for (const [authorization, status] of [
    ['Bearer right-token-0123456789', 200],
    ['bearer right-token-0123456789', 200],
    ['Bearer   right-token-0123456789', 200],
    ['Bearer right-token-012345678', 401],
    ['Bearer right-token-01234567890', 401],
    ['Bearer RIGHT-TOKEN-0123456789', 401],
    ['Bearer right-token-0123456789 x', 401],
    ['Bearer wrong', 401],
    ['Bearer ', 401],
    ['right-token-0123456789', 401],
    ['Basic right-token-0123456789', 401],
    [null, 401],
  ] as const)
    expect([authorization, await answered(SET, authorization)]).toEqual([authorization, status]);
});

it('the admin API says how to get in, and repeats nothing of what was tried', async () => {
  const response = await callWith(SET, '/providers', 'Bearer guessed-token');
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="hookbell admin"');
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const text = await response.text();
  expect(text).toContain('Authorization: Bearer');
  expect(text).not.toContain('guessed');
});

it('the admin API is shut while ADMIN_TOKEN is none, whatever is sent', async () => {
  for (const token of [undefined, '', '1234567', 5, {}])
    for (const authorization of ['Bearer undefined', 'Bearer 1234567', 'Bearer 5', 'Bearer ', null]) {
      const response = await callWith({ ADMIN_TOKEN: token }, '/providers', authorization);
      expect([token, response.status]).toEqual([token, 403]);
      expect((await response.json<ProblemJson>()).detail).toContain('wrangler secret put ADMIN_TOKEN');
    }
});

it('the admin API takes the next token beside the old one or alone while it is replaced, and none that is short', async () => {
  const next = 'next-token-0123456789';
  const both = { ...SET, ADMIN_TOKEN_NEXT: next };
  for (const [bindings, token, status] of [
    [both, 'right-token-0123456789', 200],
    [both, next, 200],
    [both, 'other-token-0123456789', 401],
    [{ ADMIN_TOKEN: 'short', ADMIN_TOKEN_NEXT: next }, next, 200],
    [{ ADMIN_TOKEN: 'short', ADMIN_TOKEN_NEXT: next }, 'short', 401],
    [{ ...SET, ADMIN_TOKEN_NEXT: 'short' }, 'short', 401],
  ] as const)
    expect([token, await answered(bindings, `Bearer ${token}`)]).toEqual([token, status]);
});

it('the admin API asks for the token before it says what there is and what not', async () => {
  for (const path of ['/config', '/nothing', '', '/sources/shop', '/tail'])
    expect((await callWith(SET, path, null)).status).toBe(401);
});

it('the admin API does not take the token from anywhere else', async () => {
  const token = 'admin-token-of-the-tests';
  const headers = { authorization: '', cookie: `token=${token}`, 'x-admin-token': token };
  const path = `/providers?token=${token}&access_token=${token}`;
  expect((await raw('GET', path, { headers })).status).toBe(401);
});

const lines = (logged: { mock: { calls: readonly (readonly unknown[])[] } }): readonly string[] =>
  logged.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('admin.'));

describe('failed logins', () => {
  // A slow machine would be forgiven a failure meanwhile.
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('are asked to wait after ten a minute; the right token works all the same, from the same address', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const from = { 'cf-connecting-ip': '192.0.2.1' };
    const wrong = { ...from, authorization: 'Bearer guessed-token' };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await knock(SET, wrong)).status);
    expect(statuses.join(' ')).toBe(`${'401 '.repeat(10)}429 429`);

    const limited = await knock(SET, wrong);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.json<ProblemJson>()).type).toBe('urn:hookbell:problem:too-many-failures');
    expect((await knock(SET, { ...from, authorization: 'Bearer right-token-0123456789' })).status).toBe(200);
    expect((await knock(SET, { ...wrong, 'cf-connecting-ip': '192.0.2.2' })).status).toBe(401);

    // Ten, the first beyond the limit, and the other client's.
    expect(lines(logged)).toHaveLength(12);
    expect(lines(logged)[0]).toContain('"tried":"token","address":"192.0.2.1","limited":false');
    expect(lines(logged)[10]).toContain('"limited":true');
    expect(lines(logged).join('')).not.toContain('guessed');
  });

  it('are none when nothing was tried', async () => {
    const from = { 'cf-connecting-ip': '192.0.2.3' };
    for (let n = 0; n < 30; n += 1) expect((await knock(SET, from)).status).toBe(401);
    expect((await knock(SET, { ...from, authorization: 'Bearer x' })).status).toBe(401);
  });
});

const NONE = Object.fromEntries(TOKENS.map(({ name }) => [name, undefined]));
const tokens = {
  ADMIN_TOKEN: 'editor-token-0123456789',
  OPERATOR_TOKEN: 'operator-token-0123456789',
  VIEWER_TOKEN: 'viewer-token-0123456789',
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}`, 'cf-connecting-ip': '192.0.2.60' });

it('the tokens are those that are set and not too short to be guessed', () => {
  expect(tokensOf(envWith({ ...NONE, ...tokens, VIEWER_TOKEN: 'short' }))).toEqual([
    { role: 'editor', actor: 'token', token: tokens.ADMIN_TOKEN },
    { role: 'operator', actor: 'operator', token: tokens.OPERATOR_TOKEN },
  ]);
  expect(tokensOf(envWith(NONE))).toEqual([]);
  // The token of a deployment may have 8 characters, but not the one that is to follow it.
  expect(tokensOf(envWith({ ...NONE, ADMIN_TOKEN: '12345678' }))).toHaveLength(1);
  expect(tokensOf(envWith({ ...NONE, ADMIN_TOKEN_NEXT: '1234567890123456789' }))).toEqual([]);
  expect(tokensOf(envWith({ ...NONE, ADMIN_TOKEN_NEXT: '12345678901234567890' }))).toEqual([
    { role: 'editor', actor: 'token', token: '12345678901234567890' },
  ]);
});

it('the tokens let in by role: to read, to operate, to edit', async () => {
  const retry = ['POST', '/messages/msg_0000000000000000/retry'] as const;
  const change = ['PUT', '/templates/preview', '{"kind":"status","text":"x"}'] as const;
  for (const [name, ...statuses] of [
    ['ADMIN_TOKEN', 200, 404, 200],
    ['OPERATOR_TOKEN', 200, 404, 403],
    ['VIEWER_TOKEN', 200, 403, 403],
  ] as const) {
    const calls = [undefined, retry, change].map((call) => knock(tokens, bearer(tokens[name]), call));
    expect([name, ...(await Promise.all(calls)).map(({ status }) => status)]).toEqual([name, ...statuses]);
  }
});

it('the tokens say which role is needed, and which one it is', async () => {
  const refused = await knock(tokens, bearer(tokens.OPERATOR_TOKEN), ['POST', '/config', '{}']);
  expect(await refused.json<ProblemJson>()).toMatchObject({
    type: 'urn:hookbell:problem:role-required',
    status: 403,
    detail: 'This needs the role editor; yours is operator.',
  });
  const viewer = bearer(tokens.VIEWER_TOKEN);
  for (const query of ['/messages?phone=4915112345678', '/events?text=x', '/messages?limit=1&phone=']) {
    const detail = containing(
      'needs the role operator; yours is viewer. Viewers can only read, and cannot search',
    );
    expect(await (await knock(tokens, viewer, ['GET', query])).json()).toMatchObject({ status: 403, detail });
  }
});

it('the tokens with the value of another have the lesser role of both', async () => {
  const same = { ...tokens, VIEWER_TOKEN: tokens.ADMIN_TOKEN };
  expect((await knock(same, bearer(tokens.ADMIN_TOKEN), ['POST', '/config', '{}'])).status).toBe(403);
});

it('the tokens open nothing of another’s when they are wrong, short or unset, and alone open the API to their role', async () => {
  for (const token of ['viewer-token-012345678', 'short', 'undefined', ''])
    expect((await knock({ ...tokens, VIEWER_TOKEN: 'short' }, bearer(token))).status).toBe(401);
  const only = { ...NONE, VIEWER_TOKEN: tokens.VIEWER_TOKEN };
  expect((await knock(only, bearer(tokens.VIEWER_TOKEN))).status).toBe(200);
  expect((await knock(only, bearer(tokens.ADMIN_TOKEN))).status).toBe(401);
});

it('the tokens are secrets to whatever redacts, and no secret of a source', () => {
  for (const { name } of TOKENS) {
    expect(secretValues({ [name]: 'a-value-of-it' })).toEqual(['a-value-of-it']);
    expect(secretName.safeParse(name).success).toBe(false);
  }
});
