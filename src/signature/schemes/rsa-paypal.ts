import { crc32 } from 'node:zlib';
import { ok, type Result } from '../../lib/result.ts';
import { certificateAt, isSignedWith } from '../certificates/certificate.ts';
import { type VerifyContext, PAYPAL_HOST, pinnedUrl } from '../certificates/fetched.ts';
import { decodeText } from '../basics/encoding.ts';
import { digestOf, freshFor, type Match } from '../basics/match.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';
import { checkFreshness } from '../signed/timestamp.ts';

const HEADERS = {
  id: 'PAYPAL-TRANSMISSION-ID',
  time: 'PAYPAL-TRANSMISSION-TIME',
  signature: 'PAYPAL-TRANSMISSION-SIG',
  certificate: 'PAYPAL-CERT-URL',
  algorithm: 'PAYPAL-AUTH-ALGO',
} as const;

const FIELDS = ['id', 'time', 'signature', 'certificate', 'algorithm'] as const;

type Transmission = Readonly<Record<(typeof FIELDS)[number], string>>;

/** RSA with 4,096 bits has 684 characters of base64; PayPal's own limits are lower. */
const MAX_HEADER = 1_024;
const ALGORITHM = 'SHA256withRSA';
/** The path of certificates at PayPal's API, so that no other page of its domain can count as one. */
const CERTIFICATE_PATH = /^\/v1\/notifications\/certs\/[A-Za-z0-9_-]+$/;

/**
 * Returns the webhook id that PayPal signed the request for: RSA with SHA-256 over `id|time|webhook id|crc32`. A CRC is
 * not a secure hash: anyone who has seen a signed request can make another body with its checksum. PayPal offers
 * nothing better, so each signed text makes only one event.
 */
export async function verifyPaypal(
  { tolerance }: { readonly tolerance: number },
  webhookIds: readonly string[],
  request: SignedRequest,
  context: VerifyContext,
): Promise<Result<Match, SignatureRefusal>> {
  const sent = readTransmission(request.headers);
  if (!sent.ok) return sent;
  const { id, time, algorithm } = sent.value;
  const fresh = checkFreshness(time, { unit: 'iso8601', tolerance }, `header ${HEADERS.time}`, context.now);
  if (!fresh.ok) return fresh;
  if (id.includes('|'))
    return refuse('malformed', `header ${HEADERS.id} contains \`|\`, which separates what is signed`);
  if (algorithm !== ALGORITHM) return refuse('malformed', `header ${HEADERS.algorithm} is not ${ALGORITHM}`);
  const signature = decodeText(sent.value.signature, 'base64');
  if (signature === null) return refuse('malformed', `header ${HEADERS.signature} is not base64`);
  const url = pinnedUrl(sent.value.certificate, PAYPAL_HOST);
  if (url === null || !CERTIFICATE_PATH.test(url.pathname) || url.search !== '') {
    return refuse('malformed', `header ${HEADERS.certificate} is not the address of a PayPal certificate`);
  }

  const certificate = await certificateAt(url, context);
  if (!certificate.ok) return certificate;
  const checksum = crc32(request.body);
  const texts = webhookIds.map((webhookId) => `${id}|${time}|${webhookId}|${checksum}`);
  const signed = await Promise.all(
    texts.map((text) =>
      isSignedWith(certificate.value, 'SHA-256', new TextEncoder().encode(text), signature),
    ),
  );
  const secret = signed.indexOf(true);
  const text = texts[secret];
  return text !== undefined
    ? ok({ secret, once: { digests: [digestOf(text)], freshMs: freshFor(tolerance) } })
    : refuse(
        'mismatch',
        `header ${HEADERS.signature} was not made over this request for any of ${webhookIds.length} webhook id(s)`,
      );
}

function readTransmission(headers: Headers): Result<Transmission, SignatureRefusal> {
  const sent = { id: '', time: '', signature: '', certificate: '', algorithm: '' };
  for (const field of FIELDS) {
    const text = headers.get(HEADERS[field]) ?? '';
    if (text === '') return refuse('missing_header', `header ${HEADERS[field]} is missing`);
    if (text.length > MAX_HEADER) return refuse('malformed', `header ${HEADERS[field]} is too long`);
    sent[field] = text;
  }
  return ok(sent);
}
