import { expect, it } from 'vitest';
import { type TokenScheme, verifyToken } from '../../../src/signature/schemes/token.ts';
import type { SignedRequest } from '../../../src/signature/basics/request.ts';
import { outcome, outcomeInFull, requestOf } from '../support.ts';

const SECRETS = ['first-token', 'second-token'];
const BEARER: TokenScheme = { scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' };
const BARE: TokenScheme = { scheme: 'token', in: 'header', name: 'X-T' };
const QUERY: TokenScheme = { scheme: 'token', in: 'query', name: 'key' };
const PATH: TokenScheme = { scheme: 'token', in: 'path' };
const FIELD: TokenScheme = { scheme: 'token', in: 'body', name: 'auth.token' };
const LIST: TokenScheme = { scheme: 'token', in: 'body', name: 'state', items: 'value' };

const header = (value: string) => requestOf({ headers: { 'X-T': value } });
const bearer = (value: string) => requestOf({ headers: { authorization: value } });
const query = (text: string) => requestOf({ url: `https://hooks.example.com/hooks/shop?${text}` });
const path = (pathToken: string) => requestOf({ pathToken });
const json = (body: unknown) => requestOf({ body: JSON.stringify(body) });
const field = (token: unknown) => json({ auth: { token } });
const list = (...states: readonly unknown[]) => json({ value: states.map((state, id) => ({ id, state })) });
const many = (count: number) => list(...Array.from({ length: count }, () => 'first-token'));
const form = requestOf({
  body: 'token=second-token',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
});

const check = (value: string, secrets: readonly string[]) =>
  verifyToken({ ...BEARER, prefix_optional: true }, { secrets, request: bearer(value) });

it.each<[string, TokenScheme, SignedRequest, number]>([
  ['after its prefix', BEARER, bearer('Bearer second-token'), 1],
  [
    'after a prefix whose blank YAML has left out',
    { ...BEARER, prefix: 'Bearer' },
    bearer('Bearer second-token'),
    1,
  ],
  ['after its prefix in another case', BEARER, bearer('bearer second-token'), 1],
  ['alone in a header', BARE, header('second-token'), 1],
  ['in the query', QUERY, query('a=1&key=second%2Dtoken'), 1],
  ['in the path', PATH, path('second-token'), 1],
  ['at a path of JSON', FIELD, field('second-token'), 1],
  ['in a field of a form', { ...FIELD, name: 'token' }, form, 1],
  ['in every element, any secret', LIST, list('second-token', 'first-token'), 1],
  ['in a thousand elements', LIST, many(1_000), 0],
])('a token is taken %s, and it is said which it was', async (_, scheme, request, value) => {
  expect(await verifyToken(scheme, { secrets: SECRETS, request })).toEqual({ ok: true, value });
});

it.each<[TokenScheme, SignedRequest, string]>([
  [BARE, requestOf(), 'missing_header: header X-T is missing'],
  [QUERY, query('a=1'), 'missing_field: query parameter key is missing'],
  [QUERY, query('key=first-token&key=x'), 'malformed: query parameter key appears more than once'],
  [PATH, requestOf(), 'missing_field: the path has no token after the source'],
  [BEARER, bearer('first-token'), 'malformed: header Authorization does not start with `Bearer `'],
  [{ ...BARE, prefix: 'k=' }, header('k='), 'malformed: header X-T has no token after `k=`'],
  [BARE, header('x'.repeat(5_000)), 'malformed: header X-T is too long'],
  [BARE, header('First-token'), 'mismatch: the token in header X-T is none of the 2 accepted'],
  [BARE, header('first-token, first-token'), 'mismatch: the token in header X-T is none of the 2 accepted'],
  [FIELD, json({}), 'missing_field: body field auth.token is missing, or not a text or number'],
  [FIELD, field('x'.repeat(5_000)), 'malformed: body field auth.token is too long'],
  [
    FIELD,
    requestOf({ body: 'token' }),
    'malformed: a part of the signature is in the body. The request has no',
  ],
  [LIST, list('first-token', undefined), 'missing_field: body field value.1.state is missing'],
  [LIST, list('first-token', { a: 1 }), 'missing_field: body field value.1.state is missing'],
  [
    LIST,
    list('first-token', 'x'),
    'mismatch: the token in body field value.*.state is none of the 2 accepted',
  ],
  [LIST, list(), 'missing_field: body field value is an empty list'],
  [LIST, json({ value: { state: 'first-token' } }), 'malformed: body field value is not a list'],
  [LIST, json({ value: [1, null, 'x'] }), 'missing_field: body field value.0.state is missing'],
  [LIST, many(1_001), 'malformed: body field value has more than 1000 elements'],
])('a token is refused, and it is said why (%#)', async (scheme, request, said) => {
  expect(outcomeInFull(await verifyToken(scheme, { secrets: SECRETS, request })).startsWith(said), said).toBe(
    true,
  );
});

it('a token may come without its prefix where that is optional, or have it in the secret', async () => {
  for (const [value, secrets] of [
    ['Bearer abc', ['abc']],
    ['bearer abc', ['abc']],
    ['Bearer abc', ['Bearer abc']],
    ['abc', ['abc']],
    ['Bearer abc', ['other', 'Bearer abc']],
  ] as const)
    expect(await check(value, secrets), value).toEqual({ ok: true, value: secrets.length - 1 });
  for (const [value, secrets, reason] of [
    ['abc', ['Bearer abc'], 'mismatch'],
    ['Bearer abc', ['Bearer', 'Bearer '], 'mismatch'],
    ['Bearer', ['abc'], 'mismatch'],
    ['Bearer Bearer abc', ['abc'], 'mismatch'],
    ['Bearer abc, Bearer abc', ['abc'], 'mismatch'],
    ['', ['abc'], 'missing_header'],
  ] as const)
    expect(outcome(await check(value, secrets)), value).toBe(reason);
});
