import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { readClaim, ofLength } from '../../../src/signature/schemes/signed.ts';
import { parseSigned } from '../../../src/signature/signed/signed-options.ts';
import type { SignedRequest } from '../../../src/signature/basics/request.ts';
import { hmacOf, NOW, NOW_SECONDS, requestOf } from '../support.ts';

const ONE = '01'.repeat(32);
const FORM = { 'X-S': ONE, 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'X-S': ONE, 'Content-Type': 'application/json' };
const URL_HERE = 'https://a.example/x';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function claimOf(options: object, request: SignedRequest, item?: unknown) {
  const scheme = hmacOf(options);
  const pieces = parseSigned(scheme.signed);
  if (!pieces.ok) throw new Error(pieces.error);
  const reader = { scheme, pieces: pieces.value, form: ofLength(32, 16), now: NOW };
  const parsed = await request.parsed();
  return readClaim(reader, { request, parsed: parsed.ok ? parsed.value : null, item });
}

/** The texts that were signed, or why not. */
async function read(options: object, request: SignedRequest, item?: unknown) {
  const claim = await claimOf(options, request, item);
  if (!claim.ok) return `${claim.error.code}: ${claim.error.detail}`;
  return claim.value.contents.map((content) => new TextDecoder().decode(content(new Uint8Array())));
}

it('a claim is checked in this order: signature, required headers, time, what is signed', async () => {
  const options = {
    header: 'X-S',
    require_headers: { 'X-Version': '2' },
    signed: '{ts}{header:X-Id}{raw_body}',
    timestamp: { header: 'X-T' },
  };
  const headers: Record<string, string> = {};
  const reported = (name: string, value: string) => {
    headers[name] = value;
    return read(options, requestOf({ body: 'b', headers }));
  };
  expect(await reported('X-S', '')).toBe('missing_header: header X-S is missing');
  expect(await reported('X-S', 'x')).toBe('malformed: header X-S has no hex signature of 32 bytes');
  expect(await reported('X-S', ONE)).toBe('missing_header: header X-Version is missing');
  for (const other of ['1', '2, 2'])
    expect(await reported('x-version', other)).toBe('malformed: header X-Version is not `2`');
  expect(await reported('x-version', '2')).toBe('missing_header: header X-T is missing');
  expect(await reported('X-T', '1')).toMatch(/^stale: header X-T is \d+ s old/);
  expect(await reported('X-T', NOW_SECONDS)).toBe('missing_header: header X-Id is missing');
  expect(await reported('X-Id', 'id')).toEqual([`${NOW_SECONDS}idb`]);
});

const TWILIO = { header: 'X-S', signed: '{url}{form_sorted}', body_hash_query: 'h' };
const EMPTY_HASH = sha256('');
const WORKER = `https://worker.example.dev/hooks/sms?h=${EMPTY_HASH}`;

it('a form that is signed by its parameters needs no hash for them, and what is no form is proved by its hash', async () => {
  const request = requestOf({ url: URL_HERE, body: 'b=2&a=1', headers: FORM });
  expect(await read(TWILIO, request)).toEqual(['https://a.example/xa1b2']);
  const noHash = 'missing_field: query parameter h is missing';
  expect(await read({ ...TWILIO, signed: '{url}' }, request)).toBe(noHash);
  const given = (options: object, query: string, body: string) =>
    read(options, requestOf({ url: `${URL_HERE}${query}`, body, headers: JSON_TYPE }));
  const hash = `?h=${EMPTY_HASH}`;
  const notOf = 'mismatch: query parameter h is not the SHA-256 of the body';
  const noForm = 'malformed: the body is not a form, so none of it is signed';
  expect(await given(TWILIO, '', '{}')).toBe('missing_field: query parameter h is missing');
  expect(await given(TWILIO, hash, '{}')).toBe(notOf);
  expect(await given(TWILIO, hash, '')).toEqual([`${URL_HERE}${hash}`]);
  expect(await given({ ...TWILIO, body_hash_query: undefined }, '', '{}')).toBe(noForm);
});

it('a form that is signed by its parameters has its hash in the address that is signed, but not when it is a form, which its parameters prove', async () => {
  const given = { url: WORKER, registeredUrl: URL_HERE };
  const hashed = requestOf({ ...given, headers: { 'X-S': ONE } });
  expect(await read(TWILIO, hashed)).toEqual([`${URL_HERE}?h=${EMPTY_HASH}`]);
  const form = requestOf({ ...given, body: 'a=1', headers: FORM });
  expect(await read(TWILIO, form)).toEqual([`${URL_HERE}a1`]);
});

it('a form that is signed by its parameters is proved by the SHA-256 of the body as it came, in either case, and by nothing else', async () => {
  const options = { header: 'X-S', signed: '{url}', body_hash_query: 'h' };
  const body = '{"property": "value"}';
  const hash = sha256(body);
  const given = async (query: string, sent = body) => {
    const url = `${URL_HERE}?${query}`;
    const said = await read(options, requestOf({ url, body: sent, headers: JSON_TYPE }));
    return typeof said === 'string' ? said : 'taken';
  };
  for (const good of [hash, hash.toUpperCase()]) expect(await given(`h=${good}`)).toBe('taken');
  expect(await given(`H=${hash}`)).toBe('missing_field: query parameter h is missing');
  expect(await given(`h=${hash}&h=${hash}`)).toBe('malformed: query parameter h appears more than once');
  for (const bad of ['', `${hash}00`])
    expect(await given(`h=${bad}`)).toBe('malformed: query parameter h is not a SHA-256 in hex');
  for (const other of [`${body} `, ''])
    expect(await given(`h=${hash}`, other)).toBe(
      'mismatch: query parameter h is not the SHA-256 of the body',
    );
});

const onceOf = async (options: object, url: string, body: string, headers: Record<string, string>) => {
  const claim = await claimOf(options, requestOf({ url, body, headers }));
  if (!claim.ok) throw new Error(claim.error.detail);
  return claim.value.once;
};

const ONCE = { header: 'X-S', signed: '{url}{form_sorted}', body_hash_query: 'h', signed_once: true };

it('what is signed only once has a digest, whatever its form looks like; none where the whole body is proved, or the same may be signed again', async () => {
  const digest = sha256('https://a.example/xa1b2');
  for (const body of ['a=1&b=2', 'b=2&a=1', 'a=1&b=2&a=1', 'a1b=2'])
    expect(await onceOf(ONCE, URL_HERE, body, FORM), body).toBe(digest);
  expect(await onceOf(ONCE, URL_HERE, 'a=1&b=3', FORM)).not.toBe(digest);
  // By the first way to write the address.
  expect(await onceOf({ ...ONCE, url_form: 'any_port' }, URL_HERE, 'a1b=2', FORM)).toBe(digest);
  expect(await onceOf({ ...ONCE, signed_once: undefined }, URL_HERE, 'a=1', FORM)).toBeNull();
  expect(await onceOf(ONCE, `${URL_HERE}?h=${sha256('{}')}`, '{}', JSON_TYPE)).toBeNull();
});
