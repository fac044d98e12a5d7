import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { getExpectedBodyHash, getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { describe, expect, it } from 'vitest';
import { bySecret } from '../../../src/signature/basics/match.ts';
import { verifyHmac } from '../../../src/signature/schemes/hmac.ts';
import { encode, hexBytes, hmacOf, NOW, NOW_SECONDS, problemsOf, requestOf } from '../support.ts';

const problems = (options: object) => problemsOf({ scheme: 'hmac', header: 'X-Signature', ...options });

describe('an hmac block', () => {
  it('needs only a header: SHA-256 in hex over the raw body', () => {
    expect(hmacOf({ header: 'X-Signature' })).toEqual({
      scheme: 'hmac',
      header: ['X-Signature'],
      algorithm: 'sha256',
      encoding: 'hex',
      signed: '{raw_body}',
      secret_encoding: 'utf8',
    });
  });

  it('allows a timestamp five minutes unless it says otherwise', () => {
    const { timestamp } = hmacOf({ header: 'X-S', signed: '{ts}.{raw_body}', timestamp: { header: 'X-T' } });
    expect(timestamp).toEqual({ header: ['X-T'], unit: 's', tolerance: 300_000 });
  });

  it('reads the tolerance as a duration', () => {
    const timestamp = { header: 'X-T', tolerance: '5m' };
    expect(hmacOf({ header: 'X-S', signed: '{ts}{raw_body}', timestamp }).timestamp?.tolerance).toBe(300_000);
  });

  it.each([
    ['an unknown algorithm', { algorithm: 'md4' }, /^algorithm: must be one of md5, sha1, sha256, sha512/m],
    ['an unknown key', { algoritm: 'sha256' }, /unknown key `algoritm`; did you mean `algorithm`\?/],
    ['a secret that is signed', { signed: '{secret}{raw_body}' }, /^signed: has `{secret}`/m],
    ['options that do not fit together', { keys: ['v1'] }, /^key_value_separator: is required with `keys`/m],
  ])('refuses %s', (_, options, message) => {
    expect(problems(options).join('\n')).toMatch(message);
  });
});

const SECRET = 'whsec_a-secret';
const BODY = '{"id":"evt_1"}';
const sign = (content: string | Uint8Array, secret = SECRET) =>
  createHmac('sha256', secret).update(content).digest();
const hex = (content: string, secret = SECRET) => sign(content, secret).toString('hex');

const BARE = hmacOf({ header: 'X-Signature' });
const STRIPE = hmacOf({
  header: 'X-Signature',
  list_separator: ',',
  key_value_separator: '=',
  keys: ['v1'],
  signed: '{ts}.{raw_body}',
  timestamp: { signature_param: 't' },
});

const verify = (signature: string, scheme = STRIPE, secrets: readonly string[] = [SECRET], body = BODY) =>
  verifyHmac(
    scheme,
    secrets,
    requestOf({ body, headers: signature === '' ? {} : { 'X-Signature': signature } }),
    NOW,
  );

/** A list as Stripe writes it, signed over the timestamp's text. */
const listed = (timestamp: string) => `t=${timestamp},v1=${hex(`${timestamp}.${BODY}`)}`;

describe('a signature', () => {
  it('is accepted over the timestamp and the body', async () => {
    expect(await verify(listed(NOW_SECONDS))).toEqual({ ok: true, value: bySecret(0) });
  });

  it.each(['md5', 'sha1', 'sha256', 'sha512'] as const)('may be made with %s', async (algorithm) => {
    const signature = createHmac(algorithm, SECRET).update(BODY).digest('hex');
    expect(await verify(signature, hmacOf({ header: 'X-Signature', algorithm }))).toMatchObject({ ok: true });
  });

  it('is never checked by an algorithm that the request chose', async () => {
    const sha1 = `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}`;
    const scheme = hmacOf({ header: 'X-Signature', prefix: 'sha256=', prefix_optional: true });
    expect(await verify(sha1, scheme)).toMatchObject({ ok: false, error: { reason: 'malformed' } });
  });

  it('may stand in the query', async () => {
    const url = `https://hooks.example.com/hooks/shop?sig=${hex(BODY)}`;
    expect(
      await verifyHmac(hmacOf({ query: 'sig' }), [SECRET], requestOf({ url, body: BODY }), NOW),
    ).toMatchObject({ ok: true });
  });

  it('may stand in the body, beside what it signs', async () => {
    const body = { timestamp: NOW / 1_000, token: 'a8ce0edb', signature: hex(`${NOW_SECONDS}a8ce0edb`) };
    const scheme = hmacOf({
      field: 'signature',
      signed: '{ts}{body:token}',
      timestamp: { body: 'timestamp' },
    });
    const check = (fields: object) =>
      verifyHmac(scheme, [SECRET], requestOf({ body: JSON.stringify({ ...body, ...fields }) }), NOW);
    expect(await check({})).toMatchObject({ ok: true });
    expect(await check({ token: 'a8ce0edc' })).toMatchObject({ ok: false, error: { reason: 'mismatch' } });
    expect(await check({ signature: undefined })).toMatchObject({
      ok: false,
      error: { reason: 'missing_field' },
    });
  });

  it('is taken from the first header of several that is there', async () => {
    const scheme = hmacOf({ header: ['X-New', 'X-Old'] });
    const check = (headers: Record<string, string>) =>
      verifyHmac(scheme, [SECRET], requestOf({ body: BODY, headers }), NOW);
    expect(await check({ 'X-Old': hex(BODY) })).toMatchObject({ ok: true });
    expect(await check({ 'X-New': hex('other'), 'X-Old': hex(BODY) })).toMatchObject({ ok: false });
  });

  it('covers method and URL where the template says so', async () => {
    const scheme = hmacOf({
      header: 'X-Signature',
      signed: '{method}{url}{raw_body}',
      url: 'https://given.example.com/in',
    });
    const signature = hex(`POSThttps://given.example.com/in${BODY}`);
    expect(await verify(signature, scheme)).toMatchObject({ ok: true });
    expect(await verify(hex(`PUThttps://given.example.com/in${BODY}`), scheme)).toMatchObject({ ok: false });
  });
});

/** Schemes of single senders, each with a option that no other has. */
describe('a sender', () => {
  it('may send its header several times, joined on the way (Mollie)', async () => {
    const scheme = hmacOf({
      header: 'X-Signature',
      prefix: 'sha256=',
      prefix_optional: true,
      list_separator: ',',
    });
    expect(await verify(`sha256=${hex('x', 'old')}, sha256=${hex(BODY)}`, scheme)).toMatchObject({
      ok: true,
    });
    expect(await verify(`${hex('x', 'old')}, ${hex(BODY)}`, scheme)).toMatchObject({ ok: true });
  });

  it('may have several secrets in one (Supabase)', async () => {
    const scheme = hmacOf({
      header: 'X-Signature',
      encoding: 'base64',
      secret_encoding: 'base64',
      strip_secret_prefixes: ['v1,whsec_'],
      secret_separator: '|',
    });
    const secrets = ['v1,whsec_b2xk', 'v1,whsec_bmV3|v1,whsec_bmV3ZXI='];
    expect(await verify(sign(BODY, 'newer').toString('base64'), scheme, secrets)).toEqual({
      ok: true,
      value: bySecret(1),
    });
    expect(await verify(sign(BODY, 'old').toString('base64'), scheme, secrets)).toEqual({
      ok: true,
      value: bySecret(0),
    });
    expect(await verify(sign(BODY, '').toString('base64'), scheme, ['v1,whsec_b2xk|'])).toEqual({
      ok: false,
      error: { reason: 'misconfigured', detail: 'secret 1 of 1, part 2 of 2, is empty' },
    });
  });

  it('may leave out of the text what its request does not have (Mercado Pago)', async () => {
    const scheme = hmacOf({
      header: 'X-Signature',
      list_separator: ',',
      key_value_separator: '=',
      keys: ['v1'],
      signed: '[id:{query:data.id};][request-id:{header:x-request-id};]ts:{sig.ts};',
      unsigned_body: true,
      timestamp: { signature_param: 'ts', unit: 'auto' },
    });
    const check = (query: string, headers: Record<string, string>, signed: string, ts = String(NOW)) =>
      verifyHmac(
        scheme,
        [SECRET],
        requestOf({
          url: `https://hooks.example.com/hooks/shop${query}`,
          body: BODY,
          headers: { ...headers, 'X-Signature': `ts=${ts},v1=${hex(signed)}` },
        }),
        NOW,
      );
    const id = { 'x-request-id': 'r-1' };
    expect(await check('?data.id=7', id, `id:7;request-id:r-1;ts:${NOW};`)).toMatchObject({ ok: true });
    expect(await check('?data.id=7', {}, `id:7;ts:${NOW};`)).toMatchObject({ ok: true });
    expect(await check('', id, `request-id:r-1;ts:${NOW_SECONDS};`, NOW_SECONDS)).toMatchObject({ ok: true });
    expect(await check('?data.id=8', id, `id:7;request-id:r-1;ts:${NOW};`)).toMatchObject({ ok: false });
    expect(await check('', id, `id:7;request-id:r-1;ts:${NOW};`)).toMatchObject({ ok: false });
    expect(await check('', id, 'request-id:r-1;ts:1;', '1')).toMatchObject({
      ok: false,
      error: { reason: 'stale' },
    });
  });

  it('may sign its address decoded (HubSpot), as the sender has it', async () => {
    const scheme = hmacOf({
      header: 'X-Signature',
      encoding: 'base64',
      signed: '{method}{url}{raw_body}{ts}',
      url_form: 'percent_decoded',
      timestamp: { header: 'X-T', unit: 'ms' },
    });
    const url = 'https://hooks.example.com/hooks/crm?to=a%40b.example&x=%20';
    const signed = `POSThttps://hooks.example.com/hooks/crm?to=a@b.example&x=%20${BODY}${NOW}`;
    const headers = { 'X-Signature': sign(signed).toString('base64'), 'X-T': String(NOW) };
    const check = (parts: object) =>
      verifyHmac(scheme, [SECRET], requestOf({ body: BODY, headers, ...parts }), NOW);
    expect(await check({ url })).toMatchObject({ ok: true });
    expect(await check({ url: 'https://worker.example.dev/x', registeredUrl: url })).toMatchObject({
      ok: true,
    });
    expect(await check({ url: 'https://worker.example.dev/x' })).toMatchObject({ ok: false });
    expect(await check({ url, method: 'PUT' })).toMatchObject({ ok: false });
  });
});

describe('Twilio’s signature, as its own library makes it', () => {
  const scheme = hmacOf({
    header: 'X-Twilio-Signature',
    algorithm: 'sha1',
    encoding: 'base64',
    signed: '{url}{form_sorted}',
    url_form: 'any_port',
    body_hash_query: 'bodySHA256',
  });
  const URL_HERE = 'https://hooks.example.com/hooks/sms?a=1';
  const form = 'application/x-www-form-urlencoded';
  const check = (url: string, body: string, signature: string, type = form, registeredUrl?: string) =>
    verifyHmac(
      scheme,
      [SECRET],
      requestOf({
        url,
        body,
        headers: { 'X-Twilio-Signature': signature, 'Content-Type': type },
        ...(registeredUrl !== undefined && { registeredUrl }),
      }),
      NOW,
    );

  it('is accepted over any form', async () => {
    const values = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 });
    const forms = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), values, { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(forms, async (parameters) => {
        const pairs = Object.entries(parameters).flatMap(([name, some]) =>
          some.map((value) => [name, value]),
        );
        const signature = getExpectedTwilioSignature(SECRET, URL_HERE, parameters);
        const body = new URLSearchParams(pairs).toString();
        expect(await check(URL_HERE, body, signature)).toMatchObject({ ok: true });
        expect(await check(URL_HERE, `${body}&extra=1`, signature)).toMatchObject({ ok: false });
      }),
      { numRuns: 50 },
    );
  });

  it('is accepted over JSON by the hash in its address, which no other body has', async () => {
    const url = `${URL_HERE}&bodySHA256=${getExpectedBodyHash(BODY)}`;
    const signature = getExpectedTwilioSignature(SECRET, url, {});
    const json = 'application/json';
    expect(await check(url, BODY, signature, json)).toMatchObject({ ok: true });
    expect(await check(url, BODY, signature, json, URL_HERE)).toMatchObject({ ok: true });
    expect(await check(url, `${BODY} `, signature, json)).toMatchObject({
      ok: false,
      error: { reason: 'mismatch' },
    });
    const forged = `${URL_HERE}&bodySHA256=${getExpectedBodyHash('{}')}`;
    expect(await check(forged, '{}', signature, json)).toMatchObject({ ok: false });
    expect(await check(forged, '{}', signature, json, URL_HERE)).toMatchObject({ ok: false });
  });

  it('of an empty form is none for JSON', async () => {
    const signature = getExpectedTwilioSignature(SECRET, URL_HERE, {});
    expect(await check(URL_HERE, '', signature)).toMatchObject({ ok: true });
    expect(await check(URL_HERE, BODY, signature, 'application/json')).toMatchObject({
      ok: false,
      error: { reason: 'missing_field', detail: 'query parameter bodySHA256 is missing' },
    });
  });
});

describe('no forgery passes', () => {
  it('with any one bit of the body flipped', async () => {
    const bodies = fc.uint8Array({ minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), fc.nat({ max: 7 }), async (body, position, bit) => {
        const headers = { 'X-Signature': sign(body).toString('hex') };
        expect(await verifyHmac(BARE, [SECRET], requestOf({ body, headers }), NOW)).toMatchObject({
          ok: true,
        });
        const flipped = body.with(position % body.length, (body[position % body.length] ?? 0) ^ (1 << bit));
        expect(await verifyHmac(BARE, [SECRET], requestOf({ body: flipped, headers }), NOW)).toMatchObject({
          ok: false,
        });
      }),
    );
  });

  it.each(['hex', 'base64', 'base64url'] as const)(
    'with any one bit of the %s signature flipped',
    async (encoding) => {
      const scheme = hmacOf({ header: 'X-Signature', encoding });
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: 31 }), fc.nat({ max: 7 }), async (position, bit) => {
          const signature = Uint8Array.from(sign(BODY));
          signature[position] = (signature[position] ?? 0) ^ (1 << bit);
          expect(await verify(encode(signature, encoding), scheme)).toMatchObject({
            ok: false,
          });
        }),
      );
    },
  );

  it('with any one character of the written signature replaced', async () => {
    const scheme = hmacOf({ header: 'X-Signature', encoding: 'base64' });
    const written = sign(BODY).toString('base64');
    const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: written.length - 1 }), printable, async (position, character) => {
        fc.pre(written[position] !== character);
        const changed = written.slice(0, position) + character + written.slice(position + 1);
        expect(await verify(changed, scheme)).toMatchObject({ ok: false });
      }),
    );
  });

  it('with text that merely looks like a signature', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[ -~]{0,200}$/), async (text) => {
        expect(await verify(text)).toMatchObject({ ok: false });
      }),
    );
  });

  it('by moving the border between timestamp and body', async () => {
    const moved = requestOf({ body: `0.${BODY}`, headers: { 'X-Signature': listed(`${NOW_SECONDS}.0`) } });
    expect(await verifyHmac(STRIPE, [SECRET], moved, NOW)).toMatchObject({ ok: false });
  });
});

describe('rotation', () => {
  it('accepts any secret of the list, and says which', async () => {
    const lists = fc.uniqueArray(fc.stringMatching(/^[a-z]{4,12}$/), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(), async (secrets, pick) => {
        const index = pick % secrets.length;
        expect(await verify(hex(BODY, secrets[index]), BARE, secrets)).toEqual({
          ok: true,
          value: bySecret(index ?? -1),
        });
      }),
    );
  });

  it('accepts any listed signature with any secret', async () => {
    const content = `${NOW_SECONDS}.${BODY}`;
    const header = `t=${NOW_SECONDS},v1=${hex(content, 'retired')},v1=${hex(content)},v1=${hex('else')}`;
    expect(await verify(header, STRIPE, ['new', SECRET])).toEqual({ ok: true, value: bySecret(1) });
  });

  it('refuses everything while one secret cannot be decoded', async () => {
    const scheme = hmacOf({ header: 'X-Signature', secret_encoding: 'hex' });
    const detail = 'secret 2 of 2 is not hex';
    expect(await verify(hex(BODY), scheme, ['00', 'zz'])).toEqual({
      ok: false,
      error: { reason: 'misconfigured', detail },
    });
  });
});

describe('a timestamp', () => {
  it('that is stale is refused even when the signature is right', async () => {
    const old = String(NOW / 1_000 - 301);
    expect(await verify(listed(old))).toEqual({
      ok: false,
      error: { reason: 'stale', detail: 'signature parameter t is 301 s old; 300 s are allowed' },
    });
  });

  it('of the future is refused even when the signature is right', async () => {
    expect(await verify(listed(String(NOW / 1_000 + 301)))).toMatchObject({
      ok: false,
      error: { reason: 'stale' },
    });
  });

  it('counts as the text that was sent', async () => {
    expect(await verify(listed(`0${NOW_SECONDS}`))).toMatchObject({ ok: true });
    const normalised = `t=0${NOW_SECONDS},v1=${hex(`${NOW_SECONDS}.${BODY}`)}`;
    expect(await verify(normalised)).toMatchObject({ ok: false, error: { reason: 'mismatch' } });
  });

  it.each(['NaN', '', '1e9', `+${NOW_SECONDS}`, `${NOW_SECONDS}.0`])(
    'is refused when it is %j',
    async (text) => {
      expect(await verify(listed(text))).toMatchObject({ ok: false, error: { reason: 'malformed' } });
    },
  );

  it('that is given twice is refused', async () => {
    const twice = `t=${NOW_SECONDS},${listed(NOW_SECONDS)}`;
    expect(await verify(twice)).toMatchObject({ ok: false, error: { reason: 'malformed' } });
  });

  it('that is missing is refused', async () => {
    const without = `v1=${hex(`.${BODY}`)}`;
    expect(await verify(without)).toMatchObject({ ok: false, error: { reason: 'missing_field' } });
  });
});

describe('a refusal', () => {
  it('names the header that is missing', async () => {
    const error = { reason: 'missing_header', detail: 'header X-Signature is missing' };
    expect(await verify('')).toEqual({ ok: false, error });
  });

  it('shows neither secret, signature nor body', async () => {
    const signature = hex('something else');
    const refused = await verify(signature, BARE, ['top-secret'], 'private body');
    expect(refused).toMatchObject({ ok: false, error: { reason: 'mismatch' } });
    expect(JSON.stringify(refused)).not.toMatch(/top-secret|private/);
    expect(JSON.stringify(refused)).not.toContain(signature);
    expect(JSON.stringify(refused)).not.toContain(hex('private body', 'top-secret'));
  });
});

const ofBytes = (byte: string, count: number) => hexBytes(byte.repeat(count));

describe('HMAC-MD5', () => {
  // RFC 2202 §2, each of its test cases.
  it.each<[string, string, string | Uint8Array, string]>([
    ['a key of 16 bytes', '0b'.repeat(16), 'Hi There', '9294727a3638bb1c13f48ef8158bfc9d'],
    ['a short key', '4a656665', 'what do ya want for nothing?', '750c783e6ab0b503eaa86e310a5db738'],
    ['binary data', 'aa'.repeat(16), ofBytes('dd', 50), '56be34521d144c88dbb8c733f0e8b3f6'],
    [
      'a key of 25 bytes',
      '0102030405060708090a0b0c0d0e0f10111213141516171819',
      ofBytes('cd', 50),
      '697eaf0aca3a3aea3a75164746ffaa79',
    ],
    ['no truncation', '0c'.repeat(16), 'Test With Truncation', '56461ef2342edc00f9bab995690efd4c'],
    [
      'a key that is longer than a block',
      'aa'.repeat(80),
      'Test Using Larger Than Block-Size Key - Hash Key First',
      '6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd',
    ],
    [
      'a key and data that are longer than a block',
      'aa'.repeat(80),
      'Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data',
      '6f630fad67cda0ee1fb1f562db3aa53e',
    ],
  ])('is that of RFC 2202 with %s', async (_, key, data, digest) => {
    const scheme = hmacOf({ header: 'X-Signature', algorithm: 'md5', secret_encoding: 'hex' });
    const given = (signature: string) =>
      verifyHmac(scheme, [key], requestOf({ body: data, headers: { 'X-Signature': signature } }), NOW);
    expect(await given(digest)).toEqual({ ok: true, value: bySecret(0) });
    expect(await given(digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toMatchObject({
      ok: false,
      error: { reason: 'mismatch' },
    });
    // RFC 2104 allows truncated ones; no sender is known that sends them, and each bit less makes guessing easier.
    expect(await given(digest.slice(0, 24))).toMatchObject({ ok: false, error: { reason: 'malformed' } });
  });
});
