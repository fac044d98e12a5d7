import { expect, it } from 'vitest';
import * as schemes from '../../src/signature/scheme.ts';
import { problemsOf, schemeOf } from './support.ts';

const hmac = { scheme: 'hmac', header: 'X-Signature' };
const jwt = { scheme: 'jwt', header: 'X-Token' };
const token = { scheme: 'token', in: 'header', name: 'X-T' };
const inBody = { scheme: 'token', in: 'body', name: 'clientState', items: 'value' };
const oidc = { scheme: 'oidc', issuer: 'google', email: 'push@my-project.iam.gserviceaccount.com' };
const sns = { scheme: 'rsa', format: 'sns' };

const any = { scheme: 'any', of: [hmac, hmac] };

it.each<[unknown, string | RegExp]>([
  [undefined, ': is required'],
  [{}, /^scheme: must have a `scheme`, one of hmac, hash, .*none$/],
  ['none', /^: must have a `scheme`/],
  [{ scheme: 'none', name: 'X' }, ': unknown key `name`; known keys: scheme'],
  [{ ...hmac, algoritm: 'sha256' }, /unknown key `algoritm`; did you mean `algorithm`\?/],
  [{ scheme: 'token', in: 'cookie' }, /^in: must say where the token is: `in: header`, /],
  [{ scheme: 'token', in: 'header' }, 'name: is required'],
  [{ ...token, name: 'a b' }, 'name: must be the name of a header'],
  [{ ...token, prefix_optional: true }, 'prefix_optional: needs a `prefix`'],
  [{ ...inBody, name: 'a..b' }, /^name: must be a path of names with dots between them/],
  [{ scheme: 'rsa', format: 'snss' }, /^format: must be `sns`, `paypal`, or left out/],
  [{ ...sns, tolerance: '30d' }, /^tolerance: must be between/],
  [jwt, /^: does not cover the body.*`unsigned_body: true`/],
  [{ ...jwt, body_hash_claim: 'h', unsigned_body: false }, /^unsigned_body: must be true or absent/],
  [{ ...jwt, unsigned_body: true, algorithm: 'none' }, /^algorithm: must be one of HS256/],
  // Anybody can have a token of Google.
  [{ ...oidc, email: undefined }, /^email: /],
  [{ ...oidc, email: 'my-project' }, /^email: must be the e-mail address of the service/],
  [{ ...oidc, issuer: 'https://evil.example' }, /^issuer: must be one of google/],
  [{ ...any, of: [hmac] }, 'of: must have at least 2 schemes'],
  [{ ...any, of: [hmac, hmac, hmac, hmac, hmac] }, 'of: must have at most 4 schemes'],
  [{ ...any, of: [hmac, { scheme: 'none' }] }, /^of\.1\.scheme: must have a `scheme`, .*token$/],
  [{ ...any, of: [hmac, { ...hmac, signed: 'x' }] }, /^of\.1\.signed: does not cover the body/],
  // It would have no end.
  [{ ...any, of: [hmac, any] }, /^of\.1/],
])('refuses %j and says why', (document, problem) => {
  expect(problemsOf(document)).toEqual([
    typeof problem === 'string' ? problem : expect.stringMatching(problem),
  ]);
});

const SEVERAL = [
  hmac,
  { scheme: 'token', in: 'query', name: 'key' },
  { scheme: 'token', in: 'body', name: 'k' },
];
const ITEMS = { scheme: 'hmac', field: 'item.signature', items: 'list', signed: '{item:id}' };
const field = (path: string, items?: string) => [{ items, path }];

it.each<[object, headers: string[], query: string[], fields: object[]]>([
  [{ ...hmac, header: ['X-New', 'X-Old'] }, ['x-new', 'x-old'], [], []],
  [{ scheme: 'hmac', query: 'sig' }, [], ['sig'], []],
  [ITEMS, [], [], field('item.signature', 'list')],
  [{ scheme: 'basic' }, ['authorization'], [], []],
  [token, ['x-t'], [], []],
  [{ scheme: 'token', in: 'query', name: 'token' }, [], ['token'], []],
  [{ scheme: 'token', in: 'path' }, [], [], []],
  [inBody, [], [], field('clientState', 'value')],
  [{ scheme: 'token', in: 'body', name: 'token' }, [], [], field('token')],
  [{ ...jwt, unsigned_body: true }, ['x-token'], [], []],
  [sns, [], [], field('Signature')],
  [{ scheme: 'rsa', format: 'paypal' }, ['paypal-transmission-sig'], [], []],
  [{ scheme: 'any', of: SEVERAL }, ['x-signature'], ['key'], field('k')],
  [{ scheme: 'none' }, [], [], []],
])('the credentials of %j are named: headers in lower case, query parameters, fields', (...row) => {
  const [document, headers, query, fields] = row;
  const scheme = schemeOf(document);
  expect(schemes.credentialHeaders(scheme)).toEqual(headers);
  expect(schemes.credentialQuery(scheme)).toEqual(query);
  expect(schemes.credentialFields(scheme)).toEqual(fields);
});

it('knows which schemes sign the whole body', () => {
  const header = 'X-Signature';
  const whole = { scheme: 'hmac', header, signed: '{header:X-Id}.{raw_body}' };
  const documents: readonly object[] = [
    whole,
    { scheme: 'hash', header, signed: '{secret}{raw_body}' },
    { scheme: 'ed25519', header },
    { scheme: 'ecdsa', header },
    { ...jwt, body_hash_claim: 'sha256' },
    { scheme: 'any', of: [whole, { ...whole, header: 'X-Other' }] },
  ];
  const others: readonly object[] = [
    { scheme: 'any', of: [whole, { scheme: 'basic' }] },
    { scheme: 'hmac', header, signed: '{body:id}' },
    { scheme: 'hmac', header, signed: '{url}{form_sorted}' },
    { ...jwt, unsigned_body: true },
    { scheme: 'rsa', format: 'paypal' },
    { scheme: 'basic' },
    { scheme: 'none' },
  ];
  for (const one of documents) expect(schemes.signsBody(schemeOf(one)), JSON.stringify(one)).toBe(true);
  for (const one of others) expect(schemes.signsBody(schemeOf(one)), JSON.stringify(one)).toBe(false);
});
