import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bySecret } from '../../../src/signature/basics/match.ts';
import { verifyHash } from '../../../src/signature/schemes/hash.ts';
import { hashOf, NOW, requestOf } from '../support.ts';

const SECRET = 'client-secret';
const BODY = '[{"eventId":1}]';
const URL_HERE = 'https://hooks.example.com/hooks/crm?a=1';
const hash = (content: string, algorithm = 'sha256') => createHash(algorithm).update(content).digest('hex');

const V1 = hashOf({
  header: 'X-HubSpot-Signature',
  signed: '{secret}{raw_body}',
  require_headers: { 'x-hubspot-signature-version': 'v1' },
});
const V2 = hashOf({
  header: 'X-HubSpot-Signature',
  signed: '{secret}{method}{url}{raw_body}',
  require_headers: { 'X-HubSpot-Signature-Version': 'v2' },
});

interface Sent {
  readonly scheme?: typeof V1;
  readonly secrets?: readonly string[];
  readonly version?: string;
  readonly body?: string | Uint8Array;
}
function verify(
  signature: string,
  { scheme = V1, secrets = [SECRET], version = 'v1', body = BODY }: Sent = {},
) {
  const headers = { 'X-HubSpot-Signature': signature, 'X-HubSpot-Signature-Version': version };
  return verifyHash(scheme, secrets, requestOf({ url: URL_HERE, body, headers }), NOW);
}

describe('verifyHash', () => {
  it('takes the hash of a text that begins with the secret', async () => {
    expect(await verify(hash(SECRET + BODY))).toEqual({ ok: true, value: bySecret(0) });
    const signature = hash(`${SECRET}POST${URL_HERE}${BODY}`);
    expect(await verify(signature, { scheme: V2, version: 'v2' })).toEqual({ ok: true, value: bySecret(0) });
  });

  it('takes any secret, and reports which', async () => {
    expect(await verify(hash(SECRET + BODY), { secrets: ['retired', SECRET] })).toEqual({
      ok: true,
      value: bySecret(1),
    });
  });

  it('may be SHA-512, and have the secret anywhere', async () => {
    const scheme = hashOf({
      header: 'X-HubSpot-Signature',
      algorithm: 'sha512',
      signed: '{raw_body}:{secret}',
    });
    expect(await verify(hash(`${BODY}:${SECRET}`, 'sha512'), { scheme })).toMatchObject({ ok: true });
  });

  it.each([
    ['another body', hash(SECRET + BODY), { body: `${BODY} ` }, 'mismatch'],
    ['another secret', hash(SECRET + BODY), { secrets: ['other'] }, 'mismatch'],
    ['a hash without the secret', hash(BODY), {}, 'mismatch'],
    [
      'the hash of another address',
      hash(`${SECRET}POSThttps://else.example/${BODY}`),
      { scheme: V2, version: 'v2' },
      'mismatch',
    ],
    ['a hash of another length', hash(SECRET + BODY, 'sha512'), {}, 'malformed'],
    ['the header twice', `${hash(SECRET + BODY)}, ${hash(SECRET + BODY)}`, {}, 'malformed'],
    ['no hash', '', {}, 'missing_header'],
  ] as const)('refuses %s', async (_, signature, sent, reason) => {
    expect(await verify(signature, sent)).toMatchObject({ ok: false, error: { reason } });
  });

  it('refuses another version than the scheme’s, by name', async () => {
    expect(await verify(hash(SECRET + BODY), { version: 'v2' })).toEqual({
      ok: false,
      error: { reason: 'malformed', detail: 'header x-hubspot-signature-version is not `v1`' },
    });
    expect(await verify(hash(SECRET + BODY), { version: '' })).toMatchObject({
      ok: false,
      error: { reason: 'missing_header', detail: 'header x-hubspot-signature-version is missing' },
    });
  });

  it('refuses a body that was made longer without the secret', async () => {
    // SHA-256 puts this behind a text before it is hashed on: the byte 0x80, zeros, and the text's length in bits.
    const known = SECRET.length + BODY.length;
    const padding = new Uint8Array(64 - known).with(0, 0x80).with(63 - known, (known * 8) % 256);
    const body = Uint8Array.of(
      ...new TextEncoder().encode(BODY),
      ...padding,
      ...new TextEncoder().encode('more'),
    );
    const lengthened = createHash('sha256').update(SECRET).update(body).digest('hex');
    expect(await verify(lengthened, { body })).toEqual({
      ok: false,
      error: { reason: 'malformed', detail: 'the body is not UTF-8' },
    });
  });
});
