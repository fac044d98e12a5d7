import { describe, expect, it } from 'vitest';
import { credentialHeaders, credentialQuery, needsSecret } from '../../src/signature/scheme.ts';
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
    [{}, 'scheme: must have a `scheme`: hmac, basic, token or none'],
    [{ scheme: 'hmacs' }, 'scheme: must have a `scheme`: hmac, basic, token or none'],
    ['none', ': must have a `scheme`: hmac, basic, token or none'],
    [{ scheme: 'none', name: 'X' }, ': unknown key `name`; known keys: scheme'],
    [{ scheme: 'basic', user: 'a' }, ': unknown key `user`; known keys: scheme'],
    [{ scheme: 'token' }, 'in: must say where the token stands: `in: header`, `in: query` or `in: path`'],
    [{ scheme: 'token', in: 'header' }, 'name: is required'],
    [{ scheme: 'token', in: 'header', name: 'a b' }, 'name: must be the name of a header'],
    [{ scheme: 'token', in: 'path', name: 'x' }, ': unknown key `name`; known keys: scheme, in'],
  ])('refuses %j and says why', (document, problem) => {
    expect(problemsOf(document)).toEqual([problem]);
  });

  it('takes the blocks of the documentation', () => {
    const signed = '{ts}.{raw_body}';
    const timestamp = { header: 'X-Timestamp', unit: 's', tolerance: '5m' };
    const encoded = { algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' };
    expect(problemsOf({ scheme: 'hmac', header: 'X-Signature', ...encoded, signed, timestamp })).toEqual([]);
    expect(problemsOf({ scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' })).toEqual(
      [],
    );
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
  it('is named in lower case when it is a header', () => {
    expect([hmac, hmacInQuery, basic, inHeader, inQuery, inPath, none].map(credentialHeaders)).toEqual([
      ['webhook-signature', 'svix-signature'],
      [],
      ['authorization'],
      ['x-token'],
      [],
      [],
      [],
    ]);
  });

  it('is named as it is when it is a query parameter', () => {
    expect([hmac, hmacInQuery, basic, inHeader, inQuery, inPath, none].map(credentialQuery)).toEqual([
      [],
      ['sig'],
      [],
      [],
      ['token'],
      [],
      [],
    ]);
  });
});
