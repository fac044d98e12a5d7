import { describe, expect, it } from 'vitest';
import { TOKENS, tokensOf } from '../../../src/admin/auth/tokens.ts';
import { secretValues } from '../../../src/lib/secret.ts';
import { secretName } from '../../../src/schema/parts.ts';
import { envWith } from '../../platform/env.ts';
import { knock } from '../knock.ts';
import type { ProblemJson } from '../support.ts';

const NONE = Object.fromEntries(TOKENS.map(({ name }) => [name, undefined]));
const tokens = {
  ADMIN_TOKEN: 'editor-token-0123456789',
  OPERATOR_TOKEN: 'operator-token-0123456789',
  VIEWER_TOKEN: 'viewer-token-0123456789',
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the tokens', () => {
  it('are those that are set and not too short to be guessed', () => {
    expect(tokensOf(envWith({ ...NONE, ...tokens, VIEWER_TOKEN: 'short' }))).toEqual([
      { role: 'editor', actor: 'token', token: tokens.ADMIN_TOKEN },
      { role: 'operator', actor: 'operator', token: tokens.OPERATOR_TOKEN },
    ]);
    expect(tokensOf(envWith(NONE))).toEqual([]);
  });

  it('of a deployment may be short, of 8 characters, but not the one that is to follow it', () => {
    expect(tokensOf(envWith({ ...NONE, ADMIN_TOKEN: '12345678' }))).toHaveLength(1);
    expect(tokensOf(envWith({ ...NONE, ADMIN_TOKEN_NEXT: '1234567890123456789' }))).toEqual([]);
    expect(tokensOf(envWith({ ...NONE, ADMIN_TOKEN_NEXT: '12345678901234567890' }))).toEqual([
      { role: 'editor', actor: 'token', token: '12345678901234567890' },
    ]);
  });

  it.each([
    ['ADMIN_TOKEN', 404, 200],
    ['OPERATOR_TOKEN', 404, 403],
    ['VIEWER_TOKEN', 403, 403],
  ] as const)('let in by role: %s', async (name, operates, edits) => {
    const headers = bearer(tokens[name]);
    expect((await knock(tokens, headers)).status).toBe(200);
    const retried = await knock(tokens, headers, ['POST', '/messages/msg_0000000000000000/retry']);
    expect(retried.status).toBe(operates);
    const change = ['PUT', '/templates/preview', '{"kind":"status","text":"x"}'] as const;
    expect((await knock(tokens, headers, change)).status).toBe(edits);
  });

  it('say which role is needed, and which one it is', async () => {
    const refused = await knock(tokens, bearer(tokens.OPERATOR_TOKEN), ['POST', '/config', '{}']);
    expect(await refused.json<ProblemJson>()).toMatchObject({
      type: 'urn:hookbell:problem:role-required',
      status: 403,
      detail: 'This needs the role editor; yours is operator.',
    });
    const viewer = bearer(tokens.VIEWER_TOKEN);
    for (const query of ['/messages?phone=4915112345678', '/events?text=x', '/messages?limit=1&phone=']) {
      const { status, detail } = await (await knock(tokens, viewer, ['GET', query])).json<ProblemJson>();
      expect([query, status, detail]).toEqual([
        query,
        403,
        'This needs the role operator; yours is viewer. Viewers can only read, and cannot search for numbers or texts.',
      ]);
    }
  });

  it('with the value of another have the lesser role of both', async () => {
    const same = { ...tokens, VIEWER_TOKEN: tokens.ADMIN_TOKEN };
    expect((await knock(same, bearer(tokens.ADMIN_TOKEN), ['POST', '/config', '{}'])).status).toBe(403);
  });

  it('open nothing of another’s when they are wrong, short or unset', async () => {
    for (const token of ['viewer-token-012345678', 'short', 'undefined', ''])
      expect((await knock({ ...tokens, VIEWER_TOKEN: 'short' }, bearer(token))).status).toBe(401);
  });

  it('alone open the API to their role', async () => {
    const only = { ...NONE, VIEWER_TOKEN: tokens.VIEWER_TOKEN };
    expect((await knock(only, bearer(tokens.VIEWER_TOKEN))).status).toBe(200);
    expect((await knock(only, bearer(tokens.ADMIN_TOKEN))).status).toBe(401);
  });

  it('are secrets to whatever redacts, and no secret of a source', () => {
    for (const { name } of TOKENS) {
      expect(secretValues({ [name]: 'a-value-of-it' })).toEqual(['a-value-of-it']);
      expect(secretName.safeParse(name).success).toBe(false);
    }
  });
});
