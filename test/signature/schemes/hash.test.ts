import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyHash } from '../../../src/signature/schemes/hash.ts';
import { by, bytesOf, hashOf, NOW, outcome, outcomeInFull, requestOf } from '../support.ts';

const SECRET = 'client-secret';
const BODY = '[{"eventId":1}]';
const URL_HERE = 'https://hooks.example.com/hooks/crm?a=1';
const hash = (content: string, algorithm = 'sha256') => createHash(algorithm).update(content).digest('hex');

const header = 'X-HubSpot-Signature';
const version = (value: string) => ({ require_headers: { 'x-hubspot-signature-version': value } });
const V1 = hashOf({ header, signed: '{secret}{raw_body}', ...version('v1') });
const V2 = hashOf({ header, signed: '{secret}{method}{url}{raw_body}', ...version('v2') });

interface Sent {
  readonly scheme?: typeof V1;
  readonly secrets?: readonly string[];
  readonly version?: string;
  readonly body?: string | Uint8Array;
}
function verify(signature: string, sent: Sent = {}) {
  const { scheme = V1, secrets = [SECRET], version = 'v1', body = BODY } = sent;
  const headers = { 'X-HubSpot-Signature': signature, 'X-HubSpot-Signature-Version': version };
  return verifyHash(scheme, secrets, requestOf({ url: URL_HERE, body, headers }), NOW);
}

const GOOD = hash(SECRET + BODY);
const ELSEWHERE = hash(`${SECRET}POSThttps://else.example/${BODY}`);

it('takes the hash of a text that begins with the secret, and reports which secret it was', async () => {
  expect(await verify(GOOD, { secrets: ['retired', SECRET] })).toEqual(by(1));
  const signature = hash(`${SECRET}POST${URL_HERE}${BODY}`);
  expect(await verify(signature, { scheme: V2, version: 'v2' })).toEqual(by(0));
});

it.each<[string, string, Sent, string]>([
  ['a hash without the secret', hash(BODY), {}, 'mismatch'],
  ['the hash of another address', ELSEWHERE, { scheme: V2, version: 'v2' }, 'mismatch'],
  ['the header twice', `${GOOD}, ${GOOD}`, {}, 'malformed'],
  ['another version than the scheme’s', GOOD, { version: 'v2' }, 'malformed'],
])('refuses %s', async (_, signature, sent, reason) => {
  expect(outcome(await verify(signature, sent))).toBe(reason);
});

it('refuses a body that was made longer without the secret', async () => {
  // SHA-256 puts this behind a text before it is hashed on: the byte 0x80, zeros, and the text's length in bits.
  const known = SECRET.length + BODY.length;
  const padding = new Uint8Array(64 - known).with(0, 0x80).with(63 - known, (known * 8) % 256);
  const body = Uint8Array.of(...bytesOf(BODY), ...padding, ...bytesOf('more'));
  const lengthened = createHash('sha256').update(SECRET).update(body).digest('hex');
  expect(outcomeInFull(await verify(lengthened, { body }))).toBe('malformed: the body is not UTF-8');
});
