import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bodyFields, noFields } from '../../../src/signature/signed/body-fields.ts';
import { readClaim, checkBodyHash } from '../../../src/signature/signed/claim.ts';
import type { SignedRequest } from '../../../src/signature/basics/request.ts';
import { ofLength } from '../../../src/signature/signed/signature-list.ts';
import { parseSigned } from '../../../src/signature/signed/signed-template.ts';
import { hmacOf, NOW, NOW_SECONDS, requestOf } from '../support.ts';

const ONE = '01'.repeat(32);
const FORM = { 'X-S': ONE, 'Content-Type': 'application/x-www-form-urlencoded' };

async function read(options: object, request: SignedRequest, item?: unknown) {
  const scheme = hmacOf(options);
  const parts = parseSigned(scheme.signed);
  if (!parts.ok) throw new Error(parts.error);
  const reader = { scheme, parts: parts.value, form: ofLength(32, 16), now: NOW };
  const parsed = await request.parsed();
  const fields = parsed.ok ? bodyFields(parsed.value.payload) : noFields;
  const claim = await readClaim(reader, { request, fields, parsed: parsed.ok ? parsed.value : null, item });
  if (!claim.ok) return `${claim.error.reason}: ${claim.error.detail}`;
  return claim.value.contents.map((content) => new TextDecoder().decode(content(new Uint8Array())));
}

describe('readClaim', () => {
  it('says where the signatures stand', async () => {
    const request = requestOf({ body: '{}', headers: { 'X-S': ONE } });
    const scheme = hmacOf({ header: ['X-New', 'X-S'] });
    const reader = { scheme, parts: [{ kind: 'raw_body' }] as const, form: ofLength(32, 16), now: NOW };
    expect(await readClaim(reader, { request, fields: noFields, parsed: null })).toMatchObject({
      ok: true,
      value: { signatures: [new Uint8Array(32).fill(1)], place: 'header X-New or X-S' },
    });
  });

  it('is checked in this order: signature, required headers, time, what is signed', async () => {
    const options = {
      header: 'X-S',
      require_headers: { 'X-Version': '2' },
      signed: '{ts}{header:X-Id}{raw_body}',
      timestamp: { header: 'X-T' },
    };
    const headers: Record<string, string> = {};
    const reported = async () => read(options, requestOf({ body: 'b', headers }));
    expect(await reported()).toBe('missing_header: header X-S is missing');
    headers['X-S'] = 'x';
    expect(await reported()).toBe('malformed: header X-S has no hex signature of 32 bytes');
    headers['X-S'] = ONE;
    expect(await reported()).toBe('missing_header: header X-Version is missing');
    headers['X-Version'] = '1';
    expect(await reported()).toBe('malformed: header X-Version is not `2`');
    headers['X-Version'] = '2, 2';
    expect(await reported()).toBe('malformed: header X-Version is not `2`');
    headers['x-version'] = '2';
    delete headers['X-Version'];
    expect(await reported()).toBe('missing_header: header X-T is missing');
    headers['X-T'] = '1';
    expect(await reported()).toMatch(/^stale: header X-T is \d+ s old/);
    headers['X-T'] = NOW_SECONDS;
    expect(await reported()).toBe('missing_header: header X-Id is missing');
    headers['X-Id'] = 'id';
    expect(await reported()).toEqual([`${NOW_SECONDS}idb`]);
  });

  it('reads signature and values of the element', async () => {
    const options = { field: 'add.sig', items: 'list', signed: '{item:id}' };
    const item = { id: 7, add: { sig: ONE } };
    expect(await read(options, requestOf({ body: '{}' }), item)).toEqual(['7']);
    expect(await read(options, requestOf({ body: '{}' }), { id: 7 })).toBe(
      'missing_field: body field add.sig is missing',
    );
    expect(await read(options, requestOf({ body: '{}' }), { add: { sig: [ONE] } })).toBe(
      'malformed: body field add.sig is not a text, number or boolean',
    );
  });

  it('has a content for each way to write the address', async () => {
    const options = { header: 'X-S', signed: '{url}{raw_body}', url_form: 'any_port' };
    const request = requestOf({ url: 'https://a.example/x', body: 'b', headers: { 'X-S': ONE } });
    expect(await read(options, request)).toEqual(['https://a.example/xb', 'https://a.example:443/xb']);
  });
});

describe('a form that is signed by its parameters', () => {
  const TWILIO = { header: 'X-S', signed: '{url}{form_sorted}', body_hash_query: 'h' };
  const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const URL_HERE = 'https://a.example/x';

  it('needs no hash', async () => {
    const request = requestOf({ url: URL_HERE, body: 'b=2&a=1', headers: FORM });
    expect(await read(TWILIO, request)).toEqual(['https://a.example/xa1b2']);
  });

  it('must be one, or be proved by its hash', async () => {
    const json = { 'X-S': ONE, 'Content-Type': 'application/json' };
    const without = { header: 'X-S', signed: '{url}{form_sorted}' };
    expect(await read(TWILIO, requestOf({ url: URL_HERE, body: '{}', headers: json }))).toBe(
      'missing_field: query parameter h is missing',
    );
    expect(
      await read(TWILIO, requestOf({ url: `${URL_HERE}?h=${EMPTY_HASH}`, body: '{}', headers: json })),
    ).toBe('mismatch: query parameter h is not the SHA-256 of the body');
    expect(await read(TWILIO, requestOf({ url: `${URL_HERE}?h=${EMPTY_HASH}`, headers: json }))).toEqual([
      `${URL_HERE}?h=${EMPTY_HASH}`,
    ]);
    expect(await read(without, requestOf({ url: URL_HERE, body: '{}', headers: json }))).toBe(
      'malformed: the body is not a form, so none of it is signed',
    );
  });

  it('has its hash in the address that is signed, when that is the one the sender was given', async () => {
    const request = requestOf({
      url: `https://worker.example.dev/hooks/sms?h=${EMPTY_HASH}`,
      registeredUrl: URL_HERE,
      headers: { 'X-S': ONE },
    });
    expect(await read(TWILIO, request)).toEqual([`${URL_HERE}?h=${EMPTY_HASH}`]);
  });

  it('has no hash there when it is a form: nothing but the parameters proves it', async () => {
    const request = requestOf({
      url: `https://worker.example.dev/hooks/sms?h=${EMPTY_HASH}`,
      registeredUrl: URL_HERE,
      body: 'a=1',
      headers: FORM,
    });
    expect(await read(TWILIO, request)).toEqual([`${URL_HERE}a1`]);
  });

  it('is proved by its hash where parameters are not signed', async () => {
    const options = { header: 'X-S', signed: '{url}', body_hash_query: 'h' };
    expect(await read(options, requestOf({ url: URL_HERE, body: 'a=1', headers: FORM }))).toBe(
      'missing_field: query parameter h is missing',
    );
  });
});

const SIGNED_ONCE = { header: 'X-S', signed: '{url}{form_sorted}', body_hash_query: 'h', signed_once: true };
const onceOf = async (options: object, request: SignedRequest, item?: unknown) => {
  const scheme = hmacOf(options);
  const parts = parseSigned(scheme.signed);
  const parsed = await request.parsed();
  if (!parts.ok || !parsed.ok) throw new Error('not read');
  const reader = { scheme, parts: parts.value, form: ofLength(32, 16), now: NOW };
  const fields = bodyFields(parsed.value.payload);
  const claim = await readClaim(reader, { request, fields, parsed: parsed.value, item });
  if (!claim.ok) throw new Error(claim.error.detail);
  return claim.value.once;
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const digestOfForm = (body: string) =>
  onceOf(SIGNED_ONCE, requestOf({ url: 'https://a.example/x', body, headers: FORM }));

describe('what is signed only once', () => {
  it('has a digest, whatever the form that it was made of looks like', async () => {
    const digest = sha256('https://a.example/xa1b2');
    for (const body of ['a=1&b=2', 'b=2&a=1', 'a=1&b=2&a=1', 'a1b=2'])
      expect(await digestOfForm(body), body).toBe(digest);
    expect(await digestOfForm('a=1&b=3')).not.toBe(digest);
  });

  it('has one by the first way to write the address', async () => {
    const any = { ...SIGNED_ONCE, url_form: 'any_port' };
    const request = requestOf({ url: 'https://a.example/x', body: 'a=1', headers: FORM });
    expect(await onceOf(any, request)).toBe(sha256('https://a.example/xa1'));
  });

  it('has none where the whole body is proved, or where the sender may sign the same again', async () => {
    const { signed_once: _, ...again } = SIGNED_ONCE;
    expect(await onceOf(again, requestOf({ body: 'a=1', headers: FORM }))).toBeNull();
    const url = `https://a.example/x?h=${sha256('{}')}`;
    const headers = { 'X-S': ONE, 'Content-Type': 'application/json' };
    expect(await onceOf(SIGNED_ONCE, requestOf({ url, body: '{}', headers }))).toBeNull();
  });
});

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
