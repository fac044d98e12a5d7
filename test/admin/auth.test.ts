import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWith, type ProblemJson } from './support.ts';

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

  it('asks for the token before it says what there is and what not', async () => {
    for (const path of ['/config', '/nothing', '', '/sources/shop', '/openapi.json'])
      expect((await callWith(SET, path, null)).status).toBe(401);
  });

  it('does not take the token from anywhere else', async () => {
    const address =
      'https://relay.example/admin/api/v1/providers?token=admin-token-of-the-tests&access_token=admin-token-of-the-tests';
    const headers = { cookie: 'token=admin-token-of-the-tests', 'x-admin-token': 'admin-token-of-the-tests' };
    expect((await exports.default.fetch(address, { headers })).status).toBe(401);
  });
});
