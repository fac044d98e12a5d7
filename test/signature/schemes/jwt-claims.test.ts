import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkClaims } from '../../../src/signature/schemes/jwt-claims.ts';
import { jwtSchema } from '../../../src/signature/schemes/jwt.ts';
import { NOW, requestOf } from '../support.ts';

const HEADER = { scheme: 'jwt', header: 'X-Token' };
const BY_HASH = jwtSchema.parse({ ...HEADER, body_hash_claim: 'sha256' });
const BY_URL = jwtSchema.parse({ ...HEADER, audience: 'url', unsigned_body: true });
const BY_NOTHING = jwtSchema.parse({ ...HEADER, unsigned_body: true });

const ADDRESS = 'https://hooks.example.com/hooks/shop?tenant=7';

const checkHash = (claims: Record<string, unknown>, body: string | Uint8Array) =>
  checkClaims(claims, BY_HASH, requestOf({ body }), NOW);
const hash = (body: string | Uint8Array) => createHash('sha256').update(body).digest('hex');
const checkMade = (iat: unknown) => checkClaims({ iat }, BY_NOTHING, requestOf(), NOW);

const refusal = (reason: string) => ({ ok: false, error: { reason } });

describe('the hash of the body', () => {
  it('is of the raw bytes, in hex of either case', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (body) => {
        expect(await checkHash({ sha256: hash(body) }, body)).toMatchObject({ ok: true });
        expect(await checkHash({ sha256: hash(body).toUpperCase() }, body)).toMatchObject({ ok: true });
      }),
    );
  });

  it('is not that of another body', async () => {
    expect(await checkHash({ sha256: hash('a') }, 'b')).toMatchObject(refusal('mismatch'));
    expect(await checkHash({ sha256: hash('a') }, 'a ')).toMatchObject(refusal('mismatch'));
  });

  it('has to be there', async () => {
    expect(await checkHash({}, 'a')).toMatchObject(refusal('missing_field'));
    // A property that every object has is not a claim.
    const inherited = { ...BY_HASH, body_hash_claim: 'constructor' };
    expect(await checkClaims({}, inherited, requestOf(), NOW)).toMatchObject(refusal('missing_field'));
  });

  it.each([null, 5, '', 'a', [hash('a')], hash('a').slice(2), `${hash('a')}00`, `0x${hash('a').slice(2)}`])(
    'is nothing but 64 digits: %j',
    async (sha256) => {
      expect(await checkHash({ sha256 }, 'a')).toMatchObject(refusal('malformed'));
    },
  );
});

describe('the audience', () => {
  const check = (aud: unknown, registeredUrl: string | null = ADDRESS, scheme = BY_URL, url = ADDRESS) =>
    checkClaims(aud === undefined ? {} : { aud }, scheme, { ...requestOf({ url }), registeredUrl }, NOW);

  it('is the address of the source, alone or in a list', async () => {
    for (const aud of [
      ADDRESS,
      `${ADDRESS}#part`,
      ADDRESS.replace('hooks.example.com', 'HOOKS.example.com:443'),
    ])
      expect(await check(aud)).toMatchObject({ ok: true });
    expect(await check(['https://other.example', ADDRESS])).toMatchObject({ ok: true });
  });

  it('is never compared with the address of the request, whose host its sender chose', async () => {
    const own = 'https://relay.example/shop';
    expect(await check(own, own)).toMatchObject({ ok: true });
    expect(await check(ADDRESS, own)).toMatchObject(refusal('mismatch'));
    for (const aud of [ADDRESS, undefined])
      expect(await check(aud, null)).toMatchObject(refusal('misconfigured'));
  });

  it('may be left out', async () => {
    expect(await check(undefined)).toMatchObject({ ok: true });
  });

  it.each([
    ['http', 'http://hooks.example.com/hooks/shop?tenant=7'],
    ['another host', 'https://hooks.example.org/hooks/shop?tenant=7'],
    ['another port', 'https://hooks.example.com:8443/hooks/shop?tenant=7'],
    ['another path', 'https://hooks.example.com/hooks/shop/?tenant=7'],
    ['another query', 'https://hooks.example.com/hooks/shop?tenant=8'],
    ['no query', 'https://hooks.example.com/hooks/shop'],
    ['no address', 'hooks.example.com'],
    ['nothing', ''],
    ['null', null],
    ['a number', 5],
    ['an empty list', []],
    ['a list in a list', [[ADDRESS]]],
    ['an object', { url: ADDRESS }],
  ])('is refused with %s', async (_, aud) => {
    expect(await check(aud)).toMatchObject(refusal('mismatch'));
  });

  it('is nobody’s business where the source does not say so', async () => {
    expect(await check('https://other.example', null, BY_NOTHING)).toMatchObject({ ok: true });
  });
});

describe('the time of making', () => {
  it('may be as long ago as it likes, but not ahead', async () => {
    expect(await checkMade(0)).toMatchObject({ ok: true });
    expect(await checkMade(NOW / 1_000 + 300)).toMatchObject({ ok: true });
    expect(await checkMade(NOW / 1_000 + 300.001)).toMatchObject(refusal('stale'));
    expect(await checkMade(Number.POSITIVE_INFINITY)).toMatchObject(refusal('stale'));
  });
});
