import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyPaypal } from '../../../src/signature/schemes/rsa-paypal.ts';
import { rsaSchema } from '../../../src/signature/schemes/rsa.ts';
import { EC_CERTIFICATE, OTHER_RSA_CERTIFICATE, VALID_TO } from '../certificates.ts';
import { type CertificateServer, freshName, serverOf, signRsa } from '../rsa-support.ts';
import { requestOf } from '../support.ts';

const SCHEME = rsaSchema.parse({ scheme: 'rsa', format: 'paypal', tolerance: '5m' });
const ID = '69cd13f0-d67a-11e5-baa3-778b53f4ae55';
const TIME = '2026-01-05T08:30:00Z';
const WEBHOOK = '8PT597110X687430LKGECATA';
const OTHER_WEBHOOK = '1JE4291016473214C';
/** CRC-32 of these nine digits is 0xCBF43926: the check value of every table of CRCs. */
const BODY = '123456789';
const CHECKSUM = 3_421_780_262;

const certUrl = () => `https://api.sandbox.paypal.com/v1/notifications/certs/CERT-${freshName()}`;

type Sent = Readonly<Record<string, string>>;

/** The headers of a request as PayPal sends it, signed over these parts. */
const signed = ({ time = TIME, webhook = WEBHOOK, checksum = CHECKSUM, id = ID } = {}): Sent => ({
  'PAYPAL-TRANSMISSION-ID': id,
  'PAYPAL-TRANSMISSION-TIME': time,
  'PAYPAL-TRANSMISSION-SIG': signRsa(`${id}|${time}|${webhook}|${checksum}`, 'sha256'),
  'PAYPAL-CERT-URL': certUrl(),
  'PAYPAL-AUTH-ALGO': 'SHA256withRSA',
});

interface Options {
  readonly webhooks?: readonly string[];
  readonly server?: CertificateServer;
  readonly body?: string | Uint8Array;
}

const verify = (headers: Sent, options: Options = {}) => {
  const { webhooks = [WEBHOOK], server = serverOf(), body = BODY } = options;
  return verifyPaypal(SCHEME, webhooks, requestOf({ body, headers }), server);
};

const verifyBy = (server: CertificateServer) => verify(signed(), { server });

const refusal = (reason: string) => ({ ok: false, error: { reason } });

/** Returns the reason of the refusal, and expects that nothing was fetched for it. */
async function refusedUnfetched(headers: Sent): Promise<string> {
  const server = serverOf();
  const result = await verify(headers, { server });
  expect(server.calls).toEqual([]);
  return result.ok ? 'accepted' : result.error.reason;
}

const without = (name: string): Sent =>
  Object.fromEntries(Object.entries(signed()).filter(([key]) => key !== name));

describe('a request of PayPal', () => {
  it('is accepted, signed over id, time, webhook and checksum of the body', async () => {
    expect(await verify(signed())).toMatchObject({ ok: true, value: { secret: 0 } });
  });

  it('makes one event for as long as it is taken: what is signed, not what stands beside it', async () => {
    const verified = await verify(signed());
    const text = `${ID}|${TIME}|${WEBHOOK}|${CHECKSUM}`;
    const digest = createHash('sha256').update(text).digest('hex');
    expect(verified).toMatchObject({ value: { once: { digests: [digest], freshMs: 2 * SCHEME.tolerance } } });
  });

  it('is refused with a border in its id, of which there is one in what is signed', async () => {
    expect(await verify({ ...signed(), 'PAYPAL-TRANSMISSION-ID': 'a|b' })).toMatchObject(
      refusal('malformed'),
    );
  });

  it('names the webhook for which it came', async () => {
    expect(await verify(signed(), { webhooks: [OTHER_WEBHOOK, WEBHOOK] })).toMatchObject({
      ok: true,
      value: { secret: 1 },
    });
  });

  it.each([
    ['', 0],
    ['a', 3_904_355_907],
    [BODY, CHECKSUM],
  ])('has the checksum of %j as an unsigned number', async (body, checksum) => {
    expect(await verify(signed({ checksum }), { body })).toMatchObject({ ok: true });
    expect(slowCrc32(new TextEncoder().encode(body))).toBe(checksum);
  });

  it('takes the certificate from the cache the second time', async () => {
    const server = serverOf();
    const headers = signed();
    expect(await verify(headers, { server })).toMatchObject({ ok: true });
    expect(await verify(headers, { server })).toMatchObject({ ok: true });
    expect(server.calls).toHaveLength(1);
  });

  it('has the checksum of the raw bytes, whether they are text or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (body) => {
        expect(await verify(signed({ checksum: slowCrc32(body) }), { body })).toMatchObject({ ok: true });
      }),
    );
  });
});

describe('a request that was tampered with is refused', () => {
  it.each([
    ['the id', { 'PAYPAL-TRANSMISSION-ID': `${ID}0` }],
    ['the time', { 'PAYPAL-TRANSMISSION-TIME': '2026-01-05T08:30:01Z' }],
  ])('in %s', async (_, change) => {
    expect(await verify({ ...signed(), ...change })).toMatchObject(refusal('mismatch'));
  });

  it('in the body', async () => {
    for (const body of ['', '12345678', '1234567890', '123456788'])
      expect(await verify(signed(), { body })).toMatchObject(refusal('mismatch'));
  });

  it('in one bit of the signature', async () => {
    const headers = signed();
    const binary = atob(headers['PAYPAL-TRANSMISSION-SIG'] ?? '');
    for (const at of [0, 100, binary.length - 1]) {
      const flipped = String.fromCharCode(binary.charCodeAt(at) ^ 1);
      const signature = btoa(binary.slice(0, at) + flipped + binary.slice(at + 1));
      const changed = { ...headers, 'PAYPAL-TRANSMISSION-SIG': signature };
      expect(await verify(changed)).toMatchObject(refusal('mismatch'));
    }
  });

  it('when it is signed for the webhook of somebody else', async () => {
    expect(await verify(signed({ webhook: OTHER_WEBHOOK }))).toMatchObject(refusal('mismatch'));
    expect(await verify(signed(), { webhooks: [OTHER_WEBHOOK] })).toMatchObject(refusal('mismatch'));
  });

  it('when its parts are cut in another way', async () => {
    const headers = { ...signed({ id: 'a|b' }), 'PAYPAL-TRANSMISSION-ID': 'a' };
    expect(await verify(headers)).toMatchObject(refusal('mismatch'));
  });
});

describe('before anything is fetched', () => {
  it('a stale request is refused even when its signature is right', async () => {
    expect(await verify(signed({ time: '2026-01-05T08:25:00Z' }))).toMatchObject({ ok: true });
    expect(await verify(signed({ time: '2026-01-05T08:35:00Z' }))).toMatchObject({ ok: true });
    expect(await refusedUnfetched(signed({ time: '2026-01-05T08:24:59Z' }))).toBe('stale');
    expect(await refusedUnfetched(signed({ time: '2026-01-05T08:35:01Z' }))).toBe('stale');
    expect(await refusedUnfetched(signed({ time: 'now' }))).toBe('malformed');
  });

  it.each(Object.keys(signed()))('a request without %s is refused, or with too much there', async (name) => {
    expect(await refusedUnfetched(without(name))).toBe('missing_header');
    expect(await refusedUnfetched({ ...signed(), [name]: '' })).toBe('missing_header');
    expect(await refusedUnfetched({ ...signed(), [name]: 'A'.repeat(1_025) })).toBe('malformed');
  });

  it.each(['SHA1withRSA', 'sha256withrsa', 'none', 'SHA256withRSA, SHA256withRSA'])(
    'the algorithm %s is refused',
    async (name) => {
      expect(await refusedUnfetched({ ...signed(), 'PAYPAL-AUTH-ALGO': name })).toBe('malformed');
    },
  );

  it('a signature that is not base64 is refused', async () => {
    expect(await refusedUnfetched({ ...signed(), 'PAYPAL-TRANSMISSION-SIG': '@@@@' })).toBe('malformed');
  });

  it.each([
    'http://api.paypal.com/v1/notifications/certs/CERT-1',
    'https://evil.example/v1/notifications/certs/CERT-1',
    'https://evilpaypal.com/v1/notifications/certs/CERT-1',
    'https://paypal.com.evil.example/v1/notifications/certs/CERT-1',
    'https://api.paypal.com@evil.example/v1/notifications/certs/CERT-1',
    'https://user:word@api.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com:8443/v1/notifications/certs/CERT-1',
    'https://api.paypal.com/v1/notifications/certs/CERT-1#x',
    'https://api.paypal.com/v1/notifications/certs/CERT-1?x=1',
    'https://api.paypal.com/v1/notifications/certs/',
    'https://api.paypal.com/v1/notifications/certs/../webhooks',
    'https://www.paypal.com/somebodys-page',
    'CERT-1',
  ])('a certificate at %s is refused', async (url) => {
    expect(await refusedUnfetched({ ...signed(), 'PAYPAL-CERT-URL': url })).toBe('malformed');
  });

  it.each(['api.paypal.com', 'api.sandbox.paypal.com', 'api-m.paypal.com'])(
    'a certificate at %s is taken',
    async (host) => {
      const url = `https://${host}/v1/notifications/certs/CERT-${freshName()}`;
      const server = serverOf();
      expect(await verify({ ...signed(), 'PAYPAL-CERT-URL': url }, { server })).toMatchObject({ ok: true });
      expect(server.calls).toMatchObject([{ url }]);
    },
  );
});

describe('the certificate of a request', () => {
  it('that cannot be fetched is no fault of the sender', async () => {
    const down = serverOf(() => Promise.reject(new Error('Network connection lost.')));
    const redirecting = serverOf(() => Response.redirect('https://evil.example/a.pem', 302));
    const garbage = serverOf(() => new Response('garbage'));
    for (const server of [down, redirecting, garbage])
      expect(await verifyBy(server)).toMatchObject(refusal('unavailable'));
  });

  it('of another key, or with an EC key, is refused', async () => {
    for (const certificate of [OTHER_RSA_CERTIFICATE, EC_CERTIFICATE])
      expect(await verifyBy(serverOf(() => new Response(certificate)))).toMatchObject(refusal('mismatch'));
  });

  it('that is expired is refused, though the request is fresh', async () => {
    const server = serverOf(undefined, VALID_TO + 1_000);
    const time = new Date(VALID_TO + 1_000).toISOString();
    expect(await verify(signed({ time }), { server })).toMatchObject(refusal('mismatch'));
  });
});

describe('whatever is sent', () => {
  it('is answered by a result, and none but the signed request is accepted', async () => {
    const original = signed();
    const name = fc.constantFrom(...Object.keys(original));
    const text = fc.oneof(
      fc.string({ maxLength: 40 }).filter((value) => /^[\x20-\x7e]*$/.test(value)),
      fc.constantFrom(...Object.values(original)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 3 }), async (changes) => {
        const headers = { ...original, ...Object.fromEntries(changes) };
        const same = Object.entries(original).every(([key, value]) => headers[key]?.trim() === value);
        expect((await verify(headers)).ok).toBe(same);
      }),
    );
  });

  it('a refusal shows no webhook id and no signature', async () => {
    const headers = signed({ webhook: OTHER_WEBHOOK });
    const said = JSON.stringify(await verify(headers));
    expect(said).not.toContain(WEBHOOK);
    expect(said).not.toContain(headers['PAYPAL-TRANSMISSION-SIG'] ?? '');
  });
});

/** CRC-32 bit by bit, as its definition has it. */
function slowCrc32(bytes: Uint8Array): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1;
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}
