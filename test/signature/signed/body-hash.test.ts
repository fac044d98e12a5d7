import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { noFields } from '../../../src/signature/signed/body-fields.ts';
import { checkBodyHash } from '../../../src/signature/signed/body-hash.ts';
import { requestOf } from '../support.ts';

const BODY = '{"property": "value"}';
const HASH = createHash('sha256').update(BODY).digest('hex');

function check(query: string, body: string | Uint8Array = BODY) {
  const request = requestOf({ url: `https://hooks.example.com/?${query}`, body });
  return checkBodyHash('bodySHA256', { request, fields: noFields, parsed: null, params: new Map() });
}

describe('checkBodyHash', () => {
  it('takes the SHA-256 of the body as it came, in either case', async () => {
    expect(await check(`bodySHA256=${HASH}`)).toMatchObject({ ok: true });
    expect(await check(`bodySHA256=${HASH.toUpperCase()}`)).toMatchObject({ ok: true });
  });

  it.each([
    ['', BODY, 'missing_field', 'query parameter bodySHA256 is missing'],
    [`bodysha256=${HASH}`, BODY, 'missing_field', 'query parameter bodySHA256 is missing'],
    [
      `bodySHA256=${HASH}&bodySHA256=${HASH}`,
      BODY,
      'malformed',
      'query parameter bodySHA256 appears more than once',
    ],
    ['bodySHA256=', BODY, 'malformed', 'query parameter bodySHA256 is not a SHA-256 in hex'],
    [`bodySHA256=${HASH}00`, BODY, 'malformed', 'query parameter bodySHA256 is not a SHA-256 in hex'],
    [
      `bodySHA256=${HASH}`,
      `${BODY} `,
      'mismatch',
      'query parameter bodySHA256 is not the SHA-256 of the body',
    ],
    [`bodySHA256=${HASH}`, '', 'mismatch', 'query parameter bodySHA256 is not the SHA-256 of the body'],
  ])('refuses %j over %j', async (query, body, reason, detail) => {
    expect(await check(query, body)).toEqual({ ok: false, error: { reason, detail } });
  });
});
