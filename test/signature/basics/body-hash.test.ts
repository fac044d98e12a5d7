import { describe, expect, it } from 'vitest';
import { isHashOf } from '../../../src/signature/basics/body-hash.ts';

const BODY = new TextEncoder().encode('abc');
/** FIPS 180-4, the example of one block. */
const HASH = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('the hash of a body', () => {
  it('is right', async () => {
    expect(await isHashOf(BODY, HASH, 'it')).toEqual({ ok: true, value: undefined });
  });

  it.each([
    [HASH.replace('ba', 'ab'), 'mismatch', 'it is not the SHA-256 of the body'],
    [`${HASH}00`, 'malformed', 'it is not a SHA-256 in hex'],
    ['what?', 'malformed', 'it is not a SHA-256 in hex'],
    [7, 'malformed', 'it is not a SHA-256 in hex'],
  ])('is not %j', async (value, reason, detail) => {
    expect(await isHashOf(BODY, value, 'it')).toEqual({ ok: false, error: { reason, detail } });
  });
});
