import { describe, expect, it } from 'vitest';
import { type TokenScheme, verifyToken } from '../../src/signature/token.ts';
import { requestOf } from './support.ts';

const SECRETS = ['first-token', 'second-token'];
const BEARER: TokenScheme = { scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' };
const BARE: TokenScheme = { scheme: 'token', in: 'header', name: 'X-Gitlab-Token' };
const QUERY: TokenScheme = { scheme: 'token', in: 'query', name: 'key' };
const PATH: TokenScheme = { scheme: 'token', in: 'path' };

const withHeader = (name: string, value: string) => requestOf({ headers: { [name]: value } });
const withQuery = (query: string) => requestOf({ url: `https://hooks.example.com/hooks/shop?${query}` });

describe('verifyToken', () => {
  it.each([
    ['after its prefix', BEARER, withHeader('authorization', 'Bearer second-token')],
    ['after its prefix in another case', BEARER, withHeader('Authorization', 'bearer second-token')],
    ['alone in a header', BARE, withHeader('X-Gitlab-Token', 'second-token')],
    ['in the query', QUERY, withQuery('a=1&key=second%2Dtoken')],
    ['in the path', PATH, requestOf({ pathToken: 'second-token' })],
  ])('takes a token %s, and says which it was', async (_, scheme, request) => {
    expect(await verifyToken(scheme, SECRETS, request)).toEqual({ ok: true, value: 1 });
  });

  it.each([
    ['an absent header', BARE, requestOf(), 'missing_header', 'header X-Gitlab-Token is missing'],
    [
      'an empty header',
      BARE,
      withHeader('X-Gitlab-Token', ''),
      'missing_header',
      'header X-Gitlab-Token is missing',
    ],
    ['an absent parameter', QUERY, withQuery('a=1'), 'missing_field', 'query parameter key is missing'],
    ['an empty parameter', QUERY, withQuery('key='), 'missing_field', 'query parameter key is missing'],
    [
      'two parameters',
      QUERY,
      withQuery('key=first-token&key=x'),
      'malformed',
      'query parameter key is given more than once',
    ],
    ['an absent path token', PATH, requestOf(), 'missing_field', 'the path has no token after the source'],
    [
      'a missing prefix',
      BEARER,
      withHeader('Authorization', 'first-token'),
      'malformed',
      'header Authorization does not start with `Bearer `',
    ],
    [
      'a prefix alone',
      { ...BARE, prefix: 'k=' },
      withHeader('X-Gitlab-Token', 'k='),
      'malformed',
      'header X-Gitlab-Token has no token after `k=`',
    ],
    [
      'a huge token',
      BARE,
      withHeader('X-Gitlab-Token', 'x'.repeat(5_000)),
      'malformed',
      'header X-Gitlab-Token is too long',
    ],
    [
      'another token',
      BARE,
      withHeader('X-Gitlab-Token', 'third-token'),
      'mismatch',
      'the token in header X-Gitlab-Token is none of the 2 accepted',
    ],
    [
      'a token in another case',
      BARE,
      withHeader('X-Gitlab-Token', 'First-token'),
      'mismatch',
      'the token in header X-Gitlab-Token is none of the 2 accepted',
    ],
    [
      'two joined headers',
      BARE,
      withHeader('X-Gitlab-Token', 'first-token, first-token'),
      'mismatch',
      'the token in header X-Gitlab-Token is none of the 2 accepted',
    ],
    [
      'a beginning of the token',
      PATH,
      requestOf({ pathToken: 'first-toke' }),
      'mismatch',
      'the token in the path is none of the 2 accepted',
    ],
  ] as const)('refuses %s', async (_, scheme, request, reason, detail) => {
    expect(await verifyToken(scheme, SECRETS, request)).toEqual({ ok: false, error: { reason, detail } });
  });
});
