import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bySecret } from '../../../src/signature/basics/match.ts';
import { verifyEcdsa } from '../../../src/signature/schemes/ecdsa.ts';
import { bytesOf, ecdsaOf, encode, NOW, NOW_SECONDS, requestOf } from '../support.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const base64 = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).toString('base64');
const KEY = base64(publicKey);

const BODY = '[{"event":"delivered"}]\r\n';
const der = (content: string, key = privateKey) => Uint8Array.from(sign('sha256', bytesOf(content), key));
const raw = (content: string) =>
  Uint8Array.from(
    sign('sha256', bytesOf(content), {
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      dsaEncoding: 'ieee-p1363',
    }),
  );

const SENDGRID = ecdsaOf({ header: 'X-S', signed: '{ts}{raw_body}', timestamp: { header: 'X-T' } });
const RAW = ecdsaOf({
  header: 'X-S',
  signed: '{ts}{raw_body}',
  timestamp: { header: 'X-T' },
  signature_format: 'raw',
});

interface Changes {
  readonly keys?: readonly string[];
  readonly body?: string;
  readonly timestamp?: string;
  readonly now?: number;
  readonly scheme?: typeof SENDGRID;
}
function verify(signature: string, changes: Changes = {}) {
  const { keys = [KEY], body = BODY, timestamp = NOW_SECONDS, now = NOW, scheme = SENDGRID } = changes;
  return verifyEcdsa(scheme, keys, requestOf({ body, headers: { 'X-S': signature, 'X-T': timestamp } }), now);
}

const CONTENT = NOW_SECONDS + BODY;
const GOOD = encode(der(CONTENT), 'base64');

describe('verifyEcdsa', () => {
  it('takes a signature in DER, and one in 64 bytes where the scheme says so', async () => {
    expect(await verify(GOOD)).toEqual({ ok: true, value: bySecret(0) });
    expect(await verify(encode(raw(CONTENT), 'base64'), { scheme: RAW })).toEqual({
      ok: true,
      value: bySecret(0),
    });
  });

  it('takes DER whatever the size of its numbers', async () => {
    for (let count = 0; count < 30; count += 1) {
      const body = `${BODY}${count}`;
      expect(await verify(encode(der(NOW_SECONDS + body), 'base64'), { body })).toMatchObject({ ok: true });
    }
  });

  it.each([
    ['base64', KEY],
    ['base64 in lines', KEY.replaceAll(/.{60}/g, '$&\r\n')],
    ['PEM', pem(publicKey)],
    ['PEM on one line', pem(publicKey).replaceAll('\n', ' ')],
  ])('takes a public key in %s', async (_, key) => {
    expect(await verify(GOOD, { keys: [base64(other.publicKey), key] })).toEqual({
      ok: true,
      value: bySecret(1),
    });
  });

  it.each([
    ['another body', GOOD, { body: `${BODY} ` }, 'mismatch'],
    ['another key', GOOD, { keys: [base64(other.publicKey)] }, 'mismatch'],
    ['another time', GOOD, { timestamp: String(NOW / 1_000 + 1) }, 'mismatch'],
    ['a stale time', GOOD, { now: NOW + 301_000 }, 'stale'],
    ['64 bytes where DER belongs', encode(raw(CONTENT), 'base64'), {}, 'malformed'],
    ['DER where 64 bytes belong', GOOD, { scheme: RAW }, 'malformed'],
    ['hex', encode(der(CONTENT), 'hex'), {}, 'malformed'],
    ['the header twice', `${GOOD}, ${GOOD}`, {}, 'malformed'],
    ['zeros', encode(new Uint8Array(64), 'base64'), { scheme: RAW }, 'mismatch'],
    ['zeros in DER', encode(Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0), 'base64'), {}, 'mismatch'],
    ['no signature', '', {}, 'missing_header'],
  ] as const)('refuses %s', async (_, signature, changes, reason) => {
    expect(await verify(signature, changes)).toMatchObject({ ok: false, error: { reason } });
  });

  it('refuses with any one bit of the signature flipped', async () => {
    const bytes = der(CONTENT);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), async (at, bit) => {
        const flipped = bytes.with(at, (bytes[at] ?? 0) ^ (1 << bit));
        expect((await verify(encode(flipped, 'base64'))).ok).toBe(false);
      }),
    );
  });

  it('says what was expected of a signature', async () => {
    expect(await verify('AAAA')).toEqual({
      ok: false,
      error: { reason: 'malformed', detail: 'header X-S has no base64 signature in ASN.1 DER' },
    });
  });

  it.each([
    ['text', 'SG.key', 'is not a public key in base64 or PEM'],
    [
      'a PEM of something else',
      pem(publicKey).replaceAll('PUBLIC', 'EC PUBLIC'),
      'is not a public key in base64 or PEM',
    ],
    ['bytes of no key', 'AAAA', 'is not a public key for ECDSA'],
    [
      'a key of another curve',
      base64(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey),
      'is not a public key for ECDSA',
    ],
    [
      'a key of another kind',
      base64(generateKeyPairSync('ed25519').publicKey),
      'is not a public key for ECDSA',
    ],
  ])('says when a key is %s', async (_, key, problem) => {
    expect(await verify(GOOD, { keys: [KEY, key] })).toEqual({
      ok: false,
      error: { reason: 'misconfigured', detail: `secret 2 of 2 ${problem}` },
    });
  });
});
