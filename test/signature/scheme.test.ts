import { describe, expect, it } from 'vitest';
import {
  credentialFields,
  credentialHeaders,
  credentialQuery,
  needsSecret,
  signsBody,
} from '../../src/signature/scheme.ts';
import { problemsOf, schemeOf } from './support.ts';

const hmac = schemeOf({ scheme: 'hmac', header: ['Webhook-Signature', 'Svix-Signature'] });
const hmacInQuery = schemeOf({ scheme: 'hmac', query: 'sig' });
const basic = schemeOf({ scheme: 'basic' });
const inHeader = schemeOf({ scheme: 'token', in: 'header', name: 'X-Token' });
const inQuery = schemeOf({ scheme: 'token', in: 'query', name: 'token' });
const inPath = schemeOf({ scheme: 'token', in: 'path' });
const none = schemeOf({ scheme: 'none' });

describe('verifySchema', () => {
  it.each([
    [undefined, ': is required'],
    [
      {},
      'scheme: must have a `scheme`, one of hmac, hash, ed25519, ecdsa, rsa, jwt, basic, token, oidc, any, none',
    ],
    [
      { scheme: 'hmacs' },
      'scheme: must have a `scheme`, one of hmac, hash, ed25519, ecdsa, rsa, jwt, basic, token, oidc, any, none',
    ],
    [
      'none',
      ': must have a `scheme`, one of hmac, hash, ed25519, ecdsa, rsa, jwt, basic, token, oidc, any, none',
    ],
    [{ scheme: 'none', name: 'X' }, ': unknown key `name`; known keys: scheme'],
    [{ scheme: 'basic', user: 'a' }, ': unknown key `user`; known keys: scheme'],
    [
      { scheme: 'token' },
      'in: must say where the token is: `in: header`, `in: query`, `in: path` or `in: body`',
    ],
    [{ scheme: 'token', in: 'header' }, 'name: is required'],
    [{ scheme: 'token', in: 'header', name: 'a b' }, 'name: must be the name of a header'],
    [{ scheme: 'token', in: 'path', name: 'x' }, ': unknown key `name`; known keys: scheme, in'],
  ])('refuses %j and says why', (document, problem) => {
    expect(problemsOf(document)).toEqual([problem]);
  });

  const signed = { header: 'X-Signature', signed: '{ts}.{raw_body}', timestamp: { header: 'X-Timestamp' } };
  it.each([
    { scheme: 'hmac', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=', ...signed },
    { scheme: 'hash', header: 'X-Signature', signed: '{secret}{raw_body}' },
    { scheme: 'ed25519', ...signed },
    { scheme: 'ecdsa', ...signed },
    { scheme: 'rsa', format: 'sns' },
    { scheme: 'rsa', format: 'paypal' },
    { scheme: 'jwt', header: 'Authorization', unsigned_body: true },
    { scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    { scheme: 'token', in: 'query', name: 'key' },
    { scheme: 'token', in: 'path' },
    { scheme: 'token', in: 'body', name: 'clientState', items: 'value' },
    { scheme: 'basic' },
    { scheme: 'any', of: [{ scheme: 'basic' }, { scheme: 'token', in: 'path' }] },
    { scheme: 'none' },
  ])('takes %j', (document) => {
    expect(problemsOf(document)).toEqual([]);
  });
});

describe('needsSecret', () => {
  it('is true of every scheme but none', () => {
    expect([hmac, basic, inHeader, inQuery, inPath, none].map(needsSecret)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('what carries credentials', () => {
  const inFields = schemeOf({
    scheme: 'hmac',
    field: 'item.signature',
    items: 'list',
    signed: '{item:id}',
  });
  const inBody = schemeOf({ scheme: 'token', in: 'body', name: 'clientState', items: 'value' });
  const inField = schemeOf({ scheme: 'token', in: 'body', name: 'token' });
  const jwt = schemeOf({ scheme: 'jwt', header: 'X-Webhook-Signature', unsigned_body: true });
  const sns = schemeOf({ scheme: 'rsa', format: 'sns' });
  const paypal = schemeOf({ scheme: 'rsa', format: 'paypal' });
  const any = schemeOf({
    scheme: 'any',
    of: [
      { scheme: 'hmac', header: 'X-Signature' },
      { scheme: 'token', in: 'query', name: 'key' },
      { scheme: 'token', in: 'body', name: 'key' },
    ],
  });

  it.each([
    [hmac, ['webhook-signature', 'svix-signature'], [], []],
    [hmacInQuery, [], ['sig'], []],
    [inFields, [], [], [{ items: 'list', path: 'item.signature' }]],
    [basic, ['authorization'], [], []],
    [inHeader, ['x-token'], [], []],
    [inQuery, [], ['token'], []],
    [inPath, [], [], []],
    [inBody, [], [], [{ items: 'value', path: 'clientState' }]],
    [inField, [], [], [{ items: undefined, path: 'token' }]],
    [jwt, ['x-webhook-signature'], [], []],
    [sns, [], [], [{ items: undefined, path: 'Signature' }]],
    [paypal, ['paypal-transmission-sig'], [], []],
    [any, ['x-signature'], ['key'], [{ items: undefined, path: 'key' }]],
    [none, [], [], []],
  ])('is named: headers in lower case, query parameters, fields (%#)', (scheme, headers, query, fields) => {
    expect(credentialHeaders(scheme)).toEqual(headers);
    expect(credentialQuery(scheme)).toEqual(query);
    expect(credentialFields(scheme)).toEqual(fields);
  });
});

describe('an `any` block', () => {
  const hmacBlock = { scheme: 'hmac', header: 'X-Signature' };
  it.each([
    [[hmacBlock], 'of: must have at least 2 schemes'],
    [Array.from({ length: 5 }, () => hmacBlock), 'of: must have at most 4 schemes'],
    [
      [hmacBlock, { scheme: 'none' }],
      'of.1.scheme: must have a `scheme`, one of hmac, hash, ed25519, ecdsa, rsa, jwt, basic, token',
    ],
    [[hmacBlock, { ...hmacBlock, signed: 'x' }], /^of\.1\.signed: does not cover the body/],
  ])('refuses %j and says why', (of, problem) => {
    const problems = problemsOf({ scheme: 'any', of });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it('may have no `any` in it, which would have no end', () => {
    const any = { scheme: 'any', of: [hmacBlock, hmacBlock] };
    expect(problemsOf({ scheme: 'any', of: [hmacBlock, any] })).toHaveLength(1);
  });
});

describe('whether the whole body is signed', () => {
  const header = 'X-Signature';
  const whole = { scheme: 'hmac', header, signed: '{header:X-Id}.{raw_body}' };
  const fields = { scheme: 'hmac', header, signed: '{body:id}' };
  it.each<[object, boolean]>([
    [whole, true],
    [{ scheme: 'hash', header, signed: '{secret}{raw_body}' }, true],
    [{ scheme: 'ed25519', header }, true],
    [{ scheme: 'ecdsa', header }, true],
    [{ scheme: 'jwt', header, body_hash_claim: 'sha256' }, true],
    [{ scheme: 'any', of: [whole, { ...whole, header: 'X-Other' }] }, true],
    [{ scheme: 'any', of: [whole, { scheme: 'basic' }] }, false],
    [fields, false],
    [{ scheme: 'hmac', header, signed: '{url}{form_sorted}' }, false],
    [{ scheme: 'jwt', header, unsigned_body: true }, false],
    [{ scheme: 'rsa', format: 'paypal' }, false],
    [{ scheme: 'basic' }, false],
    [{ scheme: 'none' }, false],
  ])('of %j: %j', (document, isSigned) => {
    expect(signsBody(schemeOf(document))).toBe(isSigned);
  });
});
