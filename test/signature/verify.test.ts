import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/signature/verify.ts';
import { contextAt, NOW, requestOf, schemeOf } from './support.ts';

const CONTEXT = contextAt(NOW);

const SCHEMES = [
  { scheme: 'hmac', header: 'X-Signature' },
  { scheme: 'basic' },
  { scheme: 'token', in: 'header', name: 'X-Token' },
  { scheme: 'token', in: 'query', name: 'token' },
  { scheme: 'token', in: 'path' },
].map((document) => [JSON.stringify(document), schemeOf(document)] as const);

describe('verifySignature', () => {
  it.each(SCHEMES)('fails closed for %s: a bare request is refused', async (_, scheme) => {
    const refused = await verifySignature(scheme, ['user:password'], requestOf(), CONTEXT);
    expect(refused.ok ? 'accepted' : refused.error.reason).toMatch(/^missing_/);
  });

  it.each(SCHEMES)('fails closed for %s: no secret is no permission', async (_, scheme) => {
    const error = { reason: 'misconfigured', detail: 'no secret is set' };
    expect(await verifySignature(scheme, [], requestOf(), CONTEXT)).toEqual({ ok: false, error });
  });

  it.each(SCHEMES)('fails closed for %s: an empty secret refuses all', async (_, scheme) => {
    const error = { reason: 'misconfigured', detail: 'secret 2 of 2 is empty' };
    expect(await verifySignature(scheme, ['user:password', ''], requestOf(), CONTEXT)).toEqual({
      ok: false,
      error,
    });
  });

  it('tells which secret was used', async () => {
    const scheme = schemeOf({ scheme: 'token', in: 'path' });
    const request = requestOf({ pathToken: 'b' });
    expect(await verifySignature(scheme, ['a', 'b'], request, CONTEXT)).toEqual({
      ok: true,
      value: { secretIndex: 1 },
    });
  });

  it('believes everybody only when the scheme says so', async () => {
    const none = schemeOf({ scheme: 'none' });
    expect(await verifySignature(none, [], requestOf(), CONTEXT)).toEqual({
      ok: true,
      value: { secretIndex: null },
    });
  });
});
