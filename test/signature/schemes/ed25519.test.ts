import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { verifyEd25519 } from '../../../src/signature/schemes/ed25519.ts';
import * as support from '../support.ts';

const { by, bytesOf, ed25519Of, encode, NOW, NOW_SECONDS, outcome, outcomeInFull, requestOf } = support;

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

interface Changes {
  readonly keys?: readonly string[];
  readonly body?: string;
  readonly timestamp?: string;
  readonly now?: number;
}
function discord(signature: string, changes: Changes = {}) {
  const { keys = [KEY], body = BODY, timestamp = NOW_SECONDS, now = NOW } = changes;
  const headers = { 'X-Signature-Ed25519': signature, 'X-Signature-Timestamp': timestamp };
  return verifyEd25519(DISCORD, keys, requestOf({ body, headers }), now);
}

const GOOD = encode(signed(NOW_SECONDS + BODY), 'hex');

it('takes a signature in hex, in either case, and reports which public key it was', async () => {
  expect(await discord(GOOD)).toEqual(by(0));
  expect(await discord(GOOD.toUpperCase(), { keys: [OTHER_KEY, KEY.toUpperCase()] })).toEqual(by(1));
});

it.each<[string, string, Changes, string]>([
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
])('refuses %s', async (_, signature, changes, reason) => {
  expect(outcome(await discord(signature, changes))).toBe(reason);
});

it('refuses with any one bit of the signature flipped', async () => {
  const bytes = signed(NOW_SECONDS + BODY);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 63 }), fc.nat({ max: 7 }), async (at, bit) => {
      const flipped = encode(support.withBitFlipped(bytes, at, bit), 'hex');
      expect(outcome(await discord(flipped))).toBe('mismatch');
    }),
  );
});

const said = async (...keys: string[]) => outcomeInFull(await discord(GOOD, { keys }));

it('says which key is none, and refuses, and does not throw, when a key is no point', async () => {
  const length = 'is not a public key of 32 bytes';
  expect(await said(KEY, KEY.slice(2))).toBe(`misconfigured: secret 2 of 2 ${length}`);
  expect(await said(`${KEY}00`)).toBe(`misconfigured: secret 1 of 1 ${length}`);
  expect(await said('the application id')).toBe('misconfigured: secret 1 of 1 is not hex');
  for (const byte of ['ff', '02', 'ee']) expect(await said(byte.repeat(32))).not.toBe('accepted');
});

it('finds its signature among others (Standard Webhooks), and refuses a list without one or that is long', async () => {
  const scheme = ed25519Of({
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
  const hmac = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  const said = async (signature: string) => {
    const times = { 'webhook-id': 'msg_1', 'webhook-timestamp': NOW_SECONDS };
    const request = requestOf({ body: BODY, headers: { ...times, 'webhook-signature': signature } });
    return outcomeInFull(await verifyEd25519(scheme, [key], request, NOW));
  };
  expect(await said(good)).toBe('accepted');
  expect(await said(`${hmac} ${bad} ${good}`)).toBe('accepted');
  expect(await said(hmac)).toMatch(/^unknown_key/);
  const long = 'malformed: header webhook-signature lists more than 4 signatures';
  expect(await said([bad, bad, bad, bad, good].join(' '))).toBe(long);
});
