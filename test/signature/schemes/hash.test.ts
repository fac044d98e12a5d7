import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyHash } from '../../../src/signature/schemes/signed.ts';
import { bytesOf, hashOf, NOW, outcomeInFull, requestOf } from '../support.ts';

const SECRET = 'client-secret';
const BODY = '[{"eventId":1}]';
const SCHEME = hashOf({ header: 'X-Signature', signed: '{secret}{raw_body}' });

it('refuses a body that was made longer without the secret', async () => {
  // SHA-256 puts this behind a text before it is hashed on: the byte 0x80, zeros, and the text's length in bits.
  const known = SECRET.length + BODY.length;
  const padding = new Uint8Array(64 - known).with(0, 0x80).with(63 - known, (known * 8) % 256);
  const body = Uint8Array.of(...bytesOf(BODY), ...padding, ...bytesOf('more'));
  const lengthened = createHash('sha256').update(SECRET).update(body).digest('hex');
  const request = requestOf({ body, headers: { 'X-Signature': lengthened } });
  const refused = await verifyHash(SCHEME, { secrets: [SECRET], request, now: NOW });
  expect(outcomeInFull(refused)).toBe('malformed: the body is not UTF-8');
});
