import * as fc from 'fast-check';
import * as rsa from '../rsa-support.ts';
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyPaypal } from '../../../src/signature/schemes/rsa.ts';
import { VALID_TO } from '../certificates.ts';
import { bytesOf, outcome, requestOf } from '../support.ts';

const { freshName, serverOf, signRsa } = rsa;

const SCHEME = { tolerance: 300_000 };
const ID = '69cd13f0-d67a-11e5-baa3-778b53f4ae55';
const TIME = '2026-01-05T08:30:00Z';
const WEBHOOK = '8PT597110X687430LKGECATA';
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
  readonly server?: rsa.CertificateServer;
  readonly body?: string | Uint8Array;
}

const send = (headers: Sent, options: Options = {}) => {
  const { webhooks = [WEBHOOK], server = serverOf(), body = BODY } = options;
  return verifyPaypal(SCHEME, { ...server, secrets: webhooks, request: requestOf({ body, headers }) });
};
const verify = async (headers: Sent, options: Options = {}) => outcome(await send(headers, options));

/** Returns the reason of the refusal, and expects that nothing was fetched for it. */
async function refusedUnfetched(headers: Sent): Promise<string> {
  const server = serverOf();
  const result = await verify(headers, { server });
  expect(server.calls).toEqual([]);
  return result;
}

it('a request of PayPal makes one event for as long as it is taken: what is signed, not what stands beside it', async () => {
  const digest = createHash('sha256').update(`${ID}|${TIME}|${WEBHOOK}|${CHECKSUM}`).digest('hex');
  const once = { digests: [digest], freshMs: 2 * SCHEME.tolerance };
  expect(await send(signed())).toMatchObject({ ok: true, value: { secret: 0, once } });
});

it('a request of PayPal has the checksum of the raw bytes as an unsigned number, whether they are text or not', async () => {
  for (const [body, checksum] of [
    ['', 0],
    ['a', 3_904_355_907],
    [BODY, CHECKSUM],
  ] as const)
    expect(slowCrc32(bytesOf(body))).toBe(checksum);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (body) => {
      expect(await verify(signed({ checksum: slowCrc32(body) }), { body })).toBe('accepted');
    }),
  );
});

it('a request that was tampered with, or whose parts are cut in another way, is refused', async () => {
  expect(await verify({ ...signed(), 'PAYPAL-TRANSMISSION-ID': `${ID}0` })).toBe('mismatch');
  expect(await verify({ ...signed(), 'PAYPAL-TRANSMISSION-TIME': '2026-01-05T08:30:01Z' })).toBe('mismatch');
  for (const body of ['', '12345678', '1234567890', '123456788'])
    expect(await verify(signed(), { body })).toBe('mismatch');
  const headers = signed();
  for (const signature of rsa.flippedSignatures(headers['PAYPAL-TRANSMISSION-SIG'] ?? ''))
    expect(await verify({ ...headers, 'PAYPAL-TRANSMISSION-SIG': signature })).toBe('mismatch');
  expect(await verify({ ...signed({ id: 'a|b' }), 'PAYPAL-TRANSMISSION-ID': 'a' })).toBe('mismatch');
  expect(await verify({ ...signed(), 'PAYPAL-TRANSMISSION-ID': 'a|b' })).toBe('malformed');
});

it('before anything is fetched, a stale request is refused even when its signature is right', async () => {
  for (const time of ['08:25:00Z', '08:35:00Z'])
    expect(await verify(signed({ time: `2026-01-05T${time}` }))).toBe('accepted');
  for (const time of ['08:24:59Z', '08:35:01Z'])
    expect(await refusedUnfetched(signed({ time: `2026-01-05T${time}` }))).toBe('stale');
  expect(await refusedUnfetched(signed({ time: 'now' }))).toBe('malformed');
});

it.each(Object.keys(signed()))(
  'before anything is fetched, a request without %s is refused, or with too much there',
  async (name) => {
    const { [name]: _, ...without } = signed();
    expect(await refusedUnfetched(without)).toBe('missing_header');
    expect(await refusedUnfetched({ ...signed(), [name]: '' })).toBe('missing_header');
    expect(await refusedUnfetched({ ...signed(), [name]: 'A'.repeat(1_025) })).toBe('malformed');
  },
);

it('before anything is fetched, another algorithm, a signature that is not base64, and a certificate of another host or path are refused', async () => {
  for (const name of ['SHA1withRSA', 'sha256withrsa', 'none', 'SHA256withRSA, SHA256withRSA'])
    expect(await refusedUnfetched({ ...signed(), 'PAYPAL-AUTH-ALGO': name }), name).toBe('malformed');
  expect(await refusedUnfetched({ ...signed(), 'PAYPAL-TRANSMISSION-SIG': '@@@@' })).toBe('malformed');
  const api = 'https://api.paypal.com/v1/notifications/certs';
  const urls = ['/CERT-1?x=1', '/', '/../webhooks'].map((path) => `${api}${path}`);
  const others = [
    'https://evilpaypal.com/v1/notifications/certs/CERT-1',
    'https://www.paypal.com/somebodys-page',
  ];
  for (const url of [...urls, ...others])
    expect(await refusedUnfetched({ ...signed(), 'PAYPAL-CERT-URL': url }), url).toBe('malformed');
});

it('a certificate that cannot be fetched is no fault of the sender, but one of another key or time is', async () => {
  for (const server of rsa.BROKEN_SERVERS)
    expect(await verify(signed(), { server: server() })).toBe('unavailable');
  for (const server of rsa.WRONG_SERVERS)
    expect(await verify(signed(), { server: server() })).toBe('mismatch');
  const late = VALID_TO + 1_000;
  const time = new Date(late).toISOString();
  expect(await verify(signed({ time }), { server: serverOf(undefined, late) })).toBe('mismatch');
});

it('whatever is sent is answered by a result, and none but the signed request is accepted', async () => {
  const original = signed();
  const name = fc.constantFrom(...Object.keys(original));
  const text = fc.oneof(
    fc.stringMatching(/^[\x20-\x7e]{0,40}$/),
    fc.constantFrom(...Object.values(original)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 3 }), async (changes) => {
      const headers = { ...original, ...Object.fromEntries(changes) };
      const same = Object.entries(original).every(([key, value]) => headers[key]?.trim() === value);
      expect((await verify(headers)) === 'accepted').toBe(same);
    }),
  );
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
