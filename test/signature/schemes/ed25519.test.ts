import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bySecret } from '../../../src/signature/basics/match.ts';
import { verifyEd25519 } from '../../../src/signature/schemes/ed25519.ts';
import { bytesOf, ed25519Of, encode, NOW, NOW_SECONDS, requestOf } from '../support.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');

/** The 32 bytes at the end of what wraps them. */
const raw = (key: KeyObject) => Uint8Array.from(key.export({ type: 'spki', format: 'der' }).subarray(-32));
const KEY = encode(raw(publicKey), 'hex');
const OTHER_KEY = encode(raw(other.publicKey), 'hex');
const signed = (content: string, key = privateKey) => Uint8Array.from(sign(null, bytesOf(content), key));

const BODY = '{"type":1}';
const DISCORD = ed25519Of({
  header: 'X-Signature-Ed25519',
  signed: '{ts}{raw_body}',
  timestamp: { header: 'X-Signature-Timestamp' },
});

function discord(signature: string, { keys = [KEY], body = BODY, timestamp = NOW_SECONDS, now = NOW } = {}) {
  const headers = { 'X-Signature-Ed25519': signature, 'X-Signature-Timestamp': timestamp };
  return verifyEd25519(DISCORD, keys, requestOf({ body, headers }), now);
}

const GOOD = encode(signed(NOW_SECONDS + BODY), 'hex');

describe('verifyEd25519', () => {
  it('takes a signature in hex, in either case', async () => {
    expect(await discord(GOOD)).toEqual({ ok: true, value: bySecret(0) });
    expect(await discord(GOOD.toUpperCase(), { keys: [KEY.toUpperCase()] })).toEqual({
      ok: true,
      value: bySecret(0),
    });
  });

  it('reports which public key it was', async () => {
    expect(await discord(GOOD, { keys: [OTHER_KEY, KEY] })).toEqual({ ok: true, value: bySecret(1) });
  });

  it.each([
    ['another body', GOOD, { body: `${BODY} ` }, 'mismatch'],
    ['another key', GOOD, { keys: [OTHER_KEY] }, 'mismatch'],
    ['another time', GOOD, { timestamp: String(NOW / 1_000 + 1) }, 'mismatch'],
    ['a stale time', GOOD, { now: NOW + 301_000 }, 'stale'],
    ['a time to come', GOOD, { now: NOW - 301_000 }, 'stale'],
    ['half a signature', GOOD.slice(64), {}, 'malformed'],
    ['a signature and more', `${GOOD}00`, {}, 'malformed'],
    ['base64', encode(signed(NOW_SECONDS + BODY), 'base64'), {}, 'malformed'],
    ['the header twice', `${GOOD}, ${GOOD}`, {}, 'malformed'],
    ['zeros', '00'.repeat(64), {}, 'mismatch'],
    ['no signature', '', {}, 'missing_header'],
  ] as const)('refuses %s', async (_, signature, changes, reason) => {
    expect(
      await discord(signature, { ...changes, keys: [...('keys' in changes ? changes.keys : [KEY])] }),
    ).toMatchObject({
      ok: false,
      error: { reason },
    });
  });

  it('refuses with any one bit of the signature flipped', async () => {
    const bytes = signed(NOW_SECONDS + BODY);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 63 }), fc.nat({ max: 7 }), async (at, bit) => {
        const flipped = bytes.with(at, (bytes[at] ?? 0) ^ (1 << bit));
        expect(await discord(encode(flipped, 'hex'))).toMatchObject({
          ok: false,
          error: { reason: 'mismatch' },
        });
      }),
    );
  });

  it.each([
    [[KEY, KEY.slice(2)], 'secret 2 of 2 is not a public key of 32 bytes'],
    [[`${KEY}00`], 'secret 1 of 1 is not a public key of 32 bytes'],
    [['the application id'], 'secret 1 of 1 is not hex'],
  ])('says which key is none', async (keys, detail) => {
    expect(await discord(GOOD, { keys })).toEqual({ ok: false, error: { reason: 'misconfigured', detail } });
  });

  it.each(['ff', '02', 'ee'])('refuses, and does not throw, when the key is no point: %s…', async (byte) => {
    expect((await discord(GOOD, { keys: [byte.repeat(32)] })).ok).toBe(false);
  });
});

describe('Standard Webhooks with Ed25519', () => {
  const SCHEME = ed25519Of({
    header: 'webhook-signature',
    encoding: 'base64',
    list_separator: ' ',
    key_value_separator: ',',
    keys: ['v1a'],
    signed: '{header:webhook-id}.{ts}.{raw_body}',
    secret_encoding: 'base64',
    strip_secret_prefixes: ['whpk_'],
    timestamp: { header: 'webhook-timestamp' },
  });
  const key = `whpk_${encode(raw(publicKey), 'base64')}`;
  const good = `v1a,${encode(signed(`msg_1.${NOW_SECONDS}.${BODY}`), 'base64')}`;
  const bad = `v1a,${encode(signed('something else'), 'base64')}`;
  const verify = (signature: string) =>
    verifyEd25519(
      SCHEME,
      [key],
      requestOf({
        body: BODY,
        headers: {
          'webhook-id': 'msg_1',
          'webhook-timestamp': NOW_SECONDS,
          'webhook-signature': signature,
        },
      }),
      NOW,
    );

  it('finds its signature among others', async () => {
    expect(await verify(good)).toMatchObject({ ok: true });
    expect(await verify(`v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= ${bad} ${good}`)).toMatchObject({
      ok: true,
    });
  });

  it('refuses a list without one, and one that is work to read', async () => {
    expect(await verify('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')).toMatchObject({
      ok: false,
      error: { reason: 'unknown_key' },
    });
    expect(await verify([bad, bad, bad, bad, good].join(' '))).toMatchObject({
      ok: false,
      error: { reason: 'malformed', detail: 'header webhook-signature lists more than 4 signatures' },
    });
  });
});
