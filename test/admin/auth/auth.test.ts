import { exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { knock } from '../knock.ts';
import { callWith, type ProblemJson } from '../support.ts';

const SET = { ADMIN_TOKEN: 'right-token-0123456789' };

describe('the admin API', () => {
  it.each([
    ['right-token-0123456789', 200],
    ['right-token-012345678', 401],
    ['right-token-01234567890', 401],
    ['RIGHT-TOKEN-0123456789', 401],
    ['wrong', 401],
    ['', 401],
  ])('answers the token %j with %i', async (token, status) => {
    expect((await callWith(SET, '/providers', `Bearer ${token}`)).status).toBe(status);
  });

  it.each([
    [null, 401],
    ['right-token-0123456789', 401],
    ['Basic right-token-0123456789', 401],
    ['Bearer right-token-0123456789 x', 401],
    ['bearer right-token-0123456789', 200],
    ['Bearer   right-token-0123456789', 200],
  ])('answers the header %j with %i', async (authorization, status) => {
    expect((await callWith(SET, '/providers', authorization)).status).toBe(status);
  });

  it('says how to get in, and repeats nothing of what was tried', async () => {
    const response = await callWith(SET, '/providers', 'Bearer guessed-token');
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="hookbell admin"');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const text = await response.text();
    expect(text).toContain('Authorization: Bearer');
    expect(text).not.toContain('guessed');
  });

  it.each([undefined, '', '1234567', 5, {}])(
    'is shut while ADMIN_TOKEN is %j, whatever is sent',
    async (token) => {
      for (const authorization of ['Bearer undefined', 'Bearer 1234567', 'Bearer 5', 'Bearer ', null]) {
        const response = await callWith({ ADMIN_TOKEN: token }, '/providers', authorization);
        expect(response.status).toBe(403);
        expect((await response.json<ProblemJson>()).detail).toContain('wrangler secret put ADMIN_TOKEN');
      }
    },
  );

  it.each([
    ['right-token-0123456789', 200],
    ['next-token-0123456789', 200],
    ['other-token-0123456789', 401],
  ])('takes the next token beside the old one while it is replaced: %s', async (token, status) => {
    const both = { ...SET, ADMIN_TOKEN_NEXT: 'next-token-0123456789' };
    expect((await callWith(both, '/providers', `Bearer ${token}`)).status).toBe(status);
  });

  it('takes the next token alone, and none that is short', async () => {
    const next = { ADMIN_TOKEN: 'short', ADMIN_TOKEN_NEXT: 'next-token-0123456789' };
    expect((await callWith(next, '/providers', 'Bearer next-token-0123456789')).status).toBe(200);
    expect((await callWith(next, '/providers', 'Bearer short')).status).toBe(401);
    expect((await callWith({ ...SET, ADMIN_TOKEN_NEXT: 'short' }, '/providers', 'Bearer short')).status).toBe(
      401,
    );
  });

  it('asks for the token before it says what there is and what not', async () => {
    for (const path of ['/config', '/nothing', '', '/sources/shop', '/tail'])
      expect((await callWith(SET, path, null)).status).toBe(401);
  });

  it('does not take the token from anywhere else', async () => {
    const address =
      'https://relay.example/admin/api/v1/providers?token=admin-token-of-the-tests&access_token=admin-token-of-the-tests';
    const headers = { cookie: 'token=admin-token-of-the-tests', 'x-admin-token': 'admin-token-of-the-tests' };
    expect((await exports.default.fetch(address, { headers })).status).toBe(401);
  });
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
    expect(await limited.json<ProblemJson>()).toMatchObject({
      type: 'urn:hookbell:problem:too-many-failures',
      status: 429,
    });
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
