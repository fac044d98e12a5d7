import * as fc from 'fast-check';
import * as support from '../support.ts';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { ecdsaAlgorithm, ed25519Algorithm, verifySigned } from '../../../src/signature/schemes/signed.ts';

const { by, bytesOf, ecdsaOf, ed25519Of, encode, NOW, NOW_SECONDS, outcome, outcomeInFull } = support;

const BLOCK = { header: 'X-S', signed: '{ts}{raw_body}', timestamp: { header: 'X-T' } };
const BODY = '[{"event":"delivered"}]\r\n';
const CONTENT = NOW_SECONDS + BODY;

interface Changes {
  readonly keys?: readonly string[];
  readonly body?: string;
  readonly timestamp?: string;
  readonly now?: number;
  readonly raw?: boolean;
}
const requestOf = (signature: string, { body = BODY, timestamp = NOW_SECONDS }: Changes) =>
  support.requestOf({ body, headers: { 'X-S': signature, 'X-T': timestamp } });

const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherElliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const base64 = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).toString('base64');
const ELLIPTIC_KEY = base64(elliptic.publicKey);

const der = (content: string) => Uint8Array.from(sign('sha256', bytesOf(content), elliptic.privateKey));
const pkcs8 = elliptic.privateKey.export({ type: 'pkcs8', format: 'pem' });
const RAW = sign('sha256', bytesOf(CONTENT), { key: pkcs8, dsaEncoding: 'ieee-p1363' }).toString('base64');
const DER = encode(der(CONTENT), 'base64');

const ecdsa = (signature: string, changes: Changes = {}) => {
  const { keys = [ELLIPTIC_KEY], now = NOW, raw = false } = changes;
  const scheme = ecdsaOf({ ...BLOCK, ...(raw && { signature_format: 'raw' }) });
  return verifySigned(scheme, ecdsaAlgorithm(scheme), {
    secrets: keys,
    request: requestOf(signature, changes),
    now,
  });
};

const edwards = generateKeyPairSync('ed25519');
/** The 32 bytes at the end of what wraps them. */
const rawKey = (key: KeyObject) => Uint8Array.from(key.export({ type: 'spki', format: 'der' }).subarray(-32));
const KEY = encode(rawKey(edwards.publicKey), 'hex');
const signed = (content: string) => Uint8Array.from(sign(null, bytesOf(content), edwards.privateKey));
const HEX = encode(signed(CONTENT), 'hex');

const ED25519 = ed25519Of(BLOCK);
const ed25519 = (signature: string, changes: Changes = {}) =>
  verifySigned(ED25519, ed25519Algorithm(ED25519), {
    secrets: changes.keys ?? [KEY],
    request: requestOf(signature, changes),
    now: changes.now ?? NOW,
  });

it('a signature in DER is taken, and one in 64 bytes where the scheme says so', async () => {
  expect(await ecdsa(DER)).toEqual(by(0));
  expect(await ecdsa(RAW, { raw: true })).toEqual(by(0));
  // The numbers in DER have several sizes.
  for (let count = 0; count < 30; count += 1) {
    const body = `${BODY}${count}`;
    expect(await ecdsa(encode(der(NOW_SECONDS + body), 'base64'), { body })).toEqual(by(0));
  }
});

it('a public key for ECDSA is taken in base64 or PEM, in lines or on one, and which it was is said', async () => {
  const text = pem(elliptic.publicKey);
  const keys = [ELLIPTIC_KEY, ELLIPTIC_KEY.replaceAll(/.{60}/g, '$&\r\n'), text, text.replaceAll('\n', ' ')];
  for (const key of keys)
    expect(await ecdsa(DER, { keys: [base64(otherElliptic.publicKey), key] }), key).toEqual(by(1));
});

const ZEROS_IN_DER = encode(Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0), 'base64');
const ZEROS = encode(new Uint8Array(64), 'base64');

it.each([
  ['ECDSA', ecdsa, der(CONTENT), 'base64'],
  ['Ed25519', ed25519, signed(CONTENT), 'hex'],
] as const)('a signature of %s is refused with any one bit flipped', async (_, verify, bytes, written) => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 63 }), fc.nat({ max: 7 }), async (at, bit) => {
      const flipped = encode(support.withBitFlipped(bytes, at, bit), written);
      expect((await verify(flipped)).ok).toBe(false);
    }),
  );
});

it('a signature is refused in another form than that of the scheme, and for being zeros', async () => {
  expect(outcomeInFull(await ecdsa('AAAA'))).toBe(
    'malformed: header X-S has no base64 signature in ASN.1 DER',
  );
  for (const text of [RAW, encode(der(CONTENT), 'hex')]) expect(outcome(await ecdsa(text))).toBe('malformed');
  expect(outcome(await ecdsa(DER, { raw: true }))).toBe('malformed');
  for (const text of [HEX.slice(64), `${HEX}00`, encode(signed(CONTENT), 'base64')])
    expect(outcome(await ed25519(text))).toBe('malformed');
  expect(outcome(await ecdsa(ZEROS, { raw: true }))).toBe('mismatch');
  expect(outcome(await ecdsa(ZEROS_IN_DER))).toBe('mismatch');
  expect(outcome(await ed25519('00'.repeat(64)))).toBe('mismatch');
});

const OF_ANOTHER_KIND = 'a public key for ES256, which needs ECDSA with P-256';

it('a key that is none is named by its number, and one that is no point refuses and does not throw', async () => {
  const none = 'misconfigured: secret 2 of 2 is not';
  for (const [key, problem] of [
    ['SG.key', 'a public key in base64, PEM or JWK'],
    [pem(elliptic.publicKey).replaceAll('PUBLIC', 'EC PUBLIC'), 'a public key in base64, PEM or JWK'],
    ['AAAA', 'a public key in base64, PEM or JWK'],
    [base64(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey), OF_ANOTHER_KIND],
    [base64(edwards.publicKey), OF_ANOTHER_KIND],
  ] as const)
    expect(outcomeInFull(await ecdsa(DER, { keys: [ELLIPTIC_KEY, key] }))).toBe(`${none} ${problem}`);
  for (const [key, problem] of [
    [KEY.slice(2), 'a public key of 32 bytes'],
    [`${KEY}00`, 'a public key of 32 bytes'],
    ['the application id', 'hex'],
  ] as const)
    expect(outcomeInFull(await ed25519(HEX, { keys: [KEY, key] }))).toBe(`${none} ${problem}`);
  for (const byte of ['ff', '02', 'ee'])
    expect(outcome(await ed25519(HEX, { keys: [byte.repeat(32)] }))).not.toBe('accepted');
});

it('of Ed25519 at most four listed signatures are looked at, which is work', async () => {
  const list = ed25519Of({ header: 'X-S', list_separator: ' ', key_value_separator: ',', keys: ['v1a'] });
  const [good, bad] = [signed(BODY), signed('else')].map((bytes) => `v1a,${encode(bytes, 'hex')}`);
  const said = async (...signatures: readonly (string | undefined)[]) =>
    outcomeInFull(
      await verifySigned(list, ed25519Algorithm(list), {
        secrets: [KEY],
        request: requestOf(signatures.join(' '), {}),
        now: NOW,
      }),
    );
  expect(await said('v1,AAAA', bad, good)).toBe('accepted');
  expect(await said(bad, bad, bad, bad, good)).toBe('malformed: header X-S lists more than 4 signatures');
});
