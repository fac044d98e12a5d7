import { describe, expect, it } from 'vitest';
import { type TokenScheme, verifyToken } from '../../../src/signature/schemes/token.ts';
import { problemsOf, requestOf } from '../support.ts';

const problems = (options: object) => problemsOf({ scheme: 'token', ...options });

describe('a token block', () => {
  it.each([
    [{ in: 'header', name: 'Authorization', prefix: 'Bearer ', prefix_optional: true }],
    [{ in: 'query', name: 'key' }],
    [{ in: 'path' }],
    [{ in: 'body', name: 'verification.token' }],
    [{ in: 'body', name: 'clientState', items: 'value' }],
  ])('may be %j', (options) => {
    expect(problems(options)).toEqual([]);
  });

  it.each([
    [
      { in: 'cookie' },
      'in: must say where the token is: `in: header`, `in: query`, `in: path` or `in: body`',
    ],
    [{ in: 'header', name: 'X-T', prefix_optional: true }, 'prefix_optional: needs a `prefix`'],
    [{ in: 'body' }, 'name: is required'],
    [
      { in: 'body', name: 'a..b' },
      'name: must be a path of names with dots between them, such as `signature.timestamp`',
    ],
    [{ in: 'body', name: 'a', prefix: 'x' }, ': unknown key `prefix`; known keys: scheme, in, name, items'],
  ])('may not be %j', (options, problem) => {
    expect(problems(options)).toEqual([problem]);
  });
});

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
      'query parameter key appears more than once',
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

describe('a prefix that is optional', () => {
  const SCHEME: TokenScheme = { ...BEARER, prefix_optional: true };
  const check = (value: string, secrets: readonly string[]) =>
    verifyToken(SCHEME, secrets, withHeader('Authorization', value));

  it.each([
    ['Bearer abc', ['abc']],
    ['bearer abc', ['abc']],
    ['Bearer abc', ['Bearer abc']],
    ['abc', ['abc']],
    ['Bearer abc', ['other', 'Bearer abc']],
  ])('takes %j for one of %j', async (value, secrets) => {
    expect(await check(value, secrets)).toEqual({ ok: true, value: secrets.length - 1 });
  });

  it.each([
    ['abc', ['Bearer abc'], 'mismatch'],
    ['Bearer abc', ['Bearer', 'Bearer '], 'mismatch'],
    ['Bearer', ['abc'], 'mismatch'],
    ['Bearer Bearer abc', ['abc'], 'mismatch'],
    ['Bearer abc, Bearer abc', ['abc'], 'mismatch'],
    ['', ['abc'], 'missing_header'],
  ])('refuses %j for %j', async (value, secrets, reason) => {
    expect(await check(value, secrets)).toMatchObject({ ok: false, error: { reason } });
  });
});

const json = (body: unknown) => requestOf({ body: JSON.stringify(body) });

describe('a token in the body', () => {
  const FIELD: TokenScheme = { scheme: 'token', in: 'body', name: 'verification.token' };
  const LIST: TokenScheme = { scheme: 'token', in: 'body', name: 'clientState', items: 'value' };
  const list = (...states: readonly unknown[]) =>
    json({ value: states.map((clientState, id) => ({ id, clientState })) });
  const ONE_FORM = requestOf({
    body: 'token=second-token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

  it.each([
    ['at a path of JSON', FIELD, json({ verification: { token: 'second-token' } }), 1],
    ['in a field of a form', { ...FIELD, name: 'token' }, ONE_FORM, 1],
    ['in every element', LIST, list('first-token', 'first-token', 'first-token'), 0],
    ['in every element, any secret', LIST, list('second-token', 'first-token'), 1],
    ['in a thousand elements', LIST, list(...Array.from({ length: 1_000 }, () => 'first-token')), 0],
  ])('is taken %s', async (_, scheme, request, index) => {
    expect(await verifyToken(scheme, SECRETS, request)).toEqual({ ok: true, value: index });
  });

  it.each([
    [
      'absent',
      FIELD,
      json({}),
      'missing_field',
      'body field verification.token is missing, or not a text or number',
    ],
    [
      'empty',
      FIELD,
      json({ verification: { token: '' } }),
      'missing_field',
      'body field verification.token is missing',
    ],
    [
      'another',
      FIELD,
      json({ verification: { token: 'x' } }),
      'mismatch',
      'the token in body field verification.token is none of the 2 accepted',
    ],
    [
      'huge',
      FIELD,
      json({ verification: { token: 'x'.repeat(5_000) } }),
      'malformed',
      'body field verification.token is too long',
    ],
    [
      'in no JSON',
      FIELD,
      requestOf({ body: 'token' }),
      'malformed',
      'a part of the signature is in the body. The request has no Content-Type, and its body does not begin like JSON. Send application/json, application/x-www-form-urlencoded, multipart/form-data, application/xml or text/plain.',
    ],
    [
      'absent from one element',
      LIST,
      list('first-token', undefined),
      'missing_field',
      'body field value.1.clientState is missing',
    ],
    [
      'empty in one element',
      LIST,
      list('first-token', ''),
      'missing_field',
      'body field value.1.clientState is missing',
    ],
    [
      'no text in one element',
      LIST,
      list('first-token', { a: 1 }),
      'missing_field',
      'body field value.1.clientState is missing',
    ],
    [
      'another in one element',
      LIST,
      list('first-token', 'x'),
      'mismatch',
      'the token in body field value.*.clientState is none of the 2 accepted',
    ],
    ['in a list without elements', LIST, list(), 'missing_field', 'body field value is an empty list'],
    [
      'in no list',
      LIST,
      json({ value: { clientState: 'first-token' } }),
      'malformed',
      'body field value is not a list',
    ],
    [
      'in an absent list',
      LIST,
      json({ clientState: 'first-token' }),
      'missing_field',
      'body field value is missing',
    ],
    [
      'in elements that are none',
      LIST,
      json({ value: [1, null, 'x'] }),
      'missing_field',
      'body field value.0.clientState is missing',
    ],
    [
      'in too many elements',
      LIST,
      list(...Array.from({ length: 1_001 }, () => 'first-token')),
      'malformed',
      'body field value has more than 1000 elements',
    ],
  ] as const)('is refused when it is %s', async (_, scheme, request, reason, detail) => {
    expect(await verifyToken(scheme, SECRETS, request)).toEqual({ ok: false, error: { reason, detail } });
  });
});
