import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { verifyEcdsa } from '../../../src/signature/schemes/ecdsa.ts';
import * as support from '../support.ts';

const { by, bytesOf, ecdsaOf, encode, NOW, NOW_SECONDS, outcome, outcomeInFull, requestOf } = support;

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const base64 = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).toString('base64');
const KEY = base64(publicKey);

const BODY = '[{"event":"delivered"}]\r\n';
const der = (content: string, key = privateKey) => Uint8Array.from(sign('sha256', bytesOf(content), key));
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' });
const raw = (content: string) =>
  Uint8Array.from(sign('sha256', bytesOf(content), { key: pkcs8, dsaEncoding: 'ieee-p1363' }));

const BLOCK = { header: 'X-S', signed: '{ts}{raw_body}', timestamp: { header: 'X-T' } };
const SENDGRID = ecdsaOf(BLOCK);
const RAW = ecdsaOf({ ...BLOCK, signature_format: 'raw' });

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

it('takes a signature in DER, and one in 64 bytes where the scheme says so', async () => {
  expect(await verify(GOOD)).toEqual(by(0));
  expect(await verify(encode(raw(CONTENT), 'base64'), { scheme: RAW })).toEqual(by(0));
  // The numbers in DER have several sizes.
  for (let count = 0; count < 30; count += 1) {
    const body = `${BODY}${count}`;
    expect(await verify(encode(der(NOW_SECONDS + body), 'base64'), { body })).toEqual(by(0));
  }
});

it('takes a public key in base64 or PEM, in lines or on one, and says which it was', async () => {
  const keys = [
    KEY,
    KEY.replaceAll(/.{60}/g, '$&\r\n'),
    pem(publicKey),
    pem(publicKey).replaceAll('\n', ' '),
  ];
  for (const key of keys)
    expect(await verify(GOOD, { keys: [base64(other.publicKey), key] }), key).toEqual(by(1));
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
  expect(outcome(await verify(signature, changes))).toBe(reason);
});

it('refuses with any one bit of the signature flipped', async () => {
  const bytes = der(CONTENT);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), async (at, bit) => {
      const flipped = encode(support.withBitFlipped(bytes, at, bit), 'base64');
      expect((await verify(flipped)).ok).toBe(false);
    }),
  );
});

it('says what was expected of a signature, and when a key is none', async () => {
  const signature = 'malformed: header X-S has no base64 signature in ASN.1 DER';
  expect(outcomeInFull(await verify('AAAA'))).toBe(signature);
  for (const [key, problem] of [
    ['SG.key', 'is not a public key in base64 or PEM'],
    [pem(publicKey).replaceAll('PUBLIC', 'EC PUBLIC'), 'is not a public key in base64 or PEM'],
    ['AAAA', 'is not a public key for ECDSA'],
    [base64(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey), 'is not a public key for ECDSA'],
    [base64(generateKeyPairSync('ed25519').publicKey), 'is not a public key for ECDSA'],
  ] as const)
    expect(outcomeInFull(await verify(GOOD, { keys: [KEY, key] }))).toBe(
      `misconfigured: secret 2 of 2 ${problem}`,
    );
});
