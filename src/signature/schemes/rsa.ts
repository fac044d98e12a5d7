import * as z from 'zod/mini';
import { ok } from '../../lib/result.ts';
import { oneOf, strictDocument, withoutConflicts } from '../../schema/parts.ts';
import {
  type Match,
  digestOf,
  freshFor,
  matchToken,
  refuse,
  type SignedRequest,
  type Checked,
} from '../basics/request.ts';
import { importPublicKey, keyConflicts, keyShape, readKeys } from '../basics/keys.ts';
import { pinnedUrl } from '../../lib/url.ts';
import {
  MAX_PUBLIC_KEY_SIGNATURES,
  publicKeyAlgorithm,
  verifySigned,
  type SignatureForm,
  checkFreshness,
} from './signed.ts';
import {
  type Attempt,
  type VerifyContext,
  withKeys,
  certificateAt,
  isSignedWith,
} from '../certificates/fetched.ts';
import { conflicts, signedShape, tolerance } from '../signed/signed-options.ts';
import { crc32 } from 'node:zlib';
import { decodeText } from '../../lib/encoding.ts';
import { ownValue } from '../../lib/json.ts';

const scheme = z.literal('rsa');

/** RSASSA-PKCS1-v1_5 with SHA-256; the "secret" is the public key, if it is not in the document or at an address. */
const ownSchema = strictDocument({
  scheme,
  format: z.optional(z.literal('signed')),
  encoding: z._default(oneOf(['hex', 'base64', 'base64url']), 'base64'),
  ...signedShape,
  ...keyShape,
}).check(withoutConflicts((own) => [...conflicts(own), ...keyConflicts(own, 'RS256')]));

/**
 * `verify: { scheme: rsa, … }`. With a `format`, signatures are made with a certificate that the sender names; it is
 * fetched only from the format's own hosts. The "secret" ties a request to this source. `sns`: the topic's ARN;
 * `paypal`: the webhook's id.
 */
export const rsaSchema = z.discriminatedUnion(
  'format',
  [ownSchema, strictDocument({ scheme, format: oneOf(['sns', 'paypal']), tolerance })],
  { error: 'must be `sns`, `paypal`, or left out for a signature over a `signed` text' },
);

type RsaScheme = z.output<typeof rsaSchema>;

const FORMATS = { sns: verifySns, paypal: verifyPaypal } as const;

/** Returns the secret (a public key, a topic's ARN, a webhook's id) that the request was signed with or for. */
export async function verifyRsa(rsa: RsaScheme, attempt: Attempt): Promise<Checked<Match>> {
  if ('tolerance' in rsa) return FORMATS[rsa.format](rsa, attempt);
  const { key, jwks: url } = rsa;
  if (url !== undefined) return verifyByIssuer(rsa, url, attempt);
  const algorithm = publicKeyAlgorithm(FORM, async (given) =>
    readKeys(given, undefined, async (text) => importPublicKey(text, 'RS256')),
  );
  if (key === undefined) return verifySigned(rsa, algorithm, attempt);
  const verified = await verifySigned(rsa, algorithm, { ...attempt, secrets: [key] });
  return verified.ok ? ok({ ...verified.value, secret: null }) : verified;
}

/** The number of bytes is that of the key, so a signature of another size is not one of it. */
const FORM: SignatureForm = {
  description: 'of at least 256 bytes',
  max: MAX_PUBLIC_KEY_SIGNATURES,
  read: (bytes) => (bytes.byteLength >= 256 ? bytes : null),
};

/** A signature names no key, so each of the issuer's is tried. */
async function verifyByIssuer(
  rsa: Extract<RsaScheme, { encoding: string }>,
  url: string,
  attempt: Attempt,
): Promise<Checked<Match>> {
  let refused: Checked<Match> = refuse('mismatch', 'the issuer has no key for RS256');
  const found = await withKeys({ url, algorithm: 'RS256' }, attempt, async (keys) => {
    const algorithm = publicKeyAlgorithm(FORM, async () => ok(keys.map((key) => ({ secret: null, key }))));
    const verified = await verifySigned(rsa, algorithm, attempt);
    if (verified.ok || verified.error.code !== 'mismatch') return verified;
    refused = verified;
    return null;
  });
  return found.ok ? (found.value ?? refused) : found;
}

const ID = 'PAYPAL-TRANSMISSION-ID';
const TIME = 'PAYPAL-TRANSMISSION-TIME';
const SIGNATURE = 'PAYPAL-TRANSMISSION-SIG';
const CERTIFICATE = 'PAYPAL-CERT-URL';
const AUTH_ALGORITHM = 'PAYPAL-AUTH-ALGO';

/** RSA with 4,096 bits has 684 characters of base64; PayPal's own limits are lower. */
const MAX_HEADER = 1_024;
const ALGORITHM = 'SHA256withRSA';

/**
 * SNS itself, in each region. AWS's own libraries accept any one label between `sns` and `amazonaws`, which also allows
 * `sns.s3-us-west-2.amazonaws.com`: a bucket that anybody could own. The name of a region has digits only at its end.
 */
export const SNS_HOST = /^sns\.[a-z]{2,}(?:-[a-z]+)+-\d{1,2}\.amazonaws\.com(?:\.cn)?$/;

/** PayPal's API and its other hosts below its domain; live and sandbox have different hosts. */
export const PAYPAL_HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+paypal\.com$/;

/** Of certificates: no other page of a host can count as one. SNS's own API answers with texts of the query. */
const PAYPAL = { host: PAYPAL_HOST, path: /^\/v1\/notifications\/certs\/[A-Za-z0-9_-]+$/, whose: 'a PayPal' };
const SNS = { host: SNS_HOST, path: /^\/[A-Za-z0-9._-]+\.pem$/, whose: 'an SNS' };

/** A text of a request, and the name of its place for refusals. */
type Placed = readonly [place: string, text: string];

/** Finds which of the texts was signed with the certificate that the request names; its index, or -1. */
async function certified(
  texts: readonly string[],
  [signaturePlace, signatureText]: Placed,
  hash: 'SHA-1' | 'SHA-256',
  [place, address]: Placed,
  { host, path, whose }: typeof SNS,
  context: VerifyContext,
): Promise<Checked<number>> {
  const signature = decodeText(signatureText, 'base64');
  if (signature === null) return refuse('malformed', `${signaturePlace} is not base64`);
  const url = pinnedUrl(address, host);
  if (url === null || !path.test(url.pathname) || url.search !== '')
    return refuse('malformed', `${place} is not the address of ${whose} certificate`);
  const certificate = await certificateAt(url, context);
  if (!certificate.ok) return certificate;
  const signed = await Promise.all(
    texts.map((text) => isSignedWith(certificate.value, hash, new TextEncoder().encode(text), signature)),
  );
  return ok(signed.indexOf(true));
}

/**
 * RSA with SHA-256 over `id|time|webhook id|crc32`. A CRC is no secure hash: whoever has seen a signed request can
 * make another body with its checksum. So each signed text makes only one event.
 */
export async function verifyPaypal(
  { tolerance }: { readonly tolerance: number },
  { secrets: webhookIds, request, ...context }: Attempt,
): Promise<Checked<Match>> {
  const names = [ID, TIME, SIGNATURE, CERTIFICATE, AUTH_ALGORITHM];
  const sent = names.map((name) => request.headers.get(name) ?? '');
  const wrong = sent.findIndex((text) => text === '' || text.length > MAX_HEADER);
  if (sent[wrong] === '') return refuse('missing_header', `header ${names[wrong]} is missing`);
  if (wrong >= 0) return refuse('malformed', `header ${names[wrong]} is too long`);
  const [id = '', time = '', signature = '', certificate = '', algorithm] = sent;
  const fresh = checkFreshness(time, { unit: 'iso8601', tolerance }, `header ${TIME}`, context.now);
  if (!fresh.ok) return fresh;
  if (id.includes('|'))
    return refuse('malformed', `header ${ID} contains \`|\`, which separates what is signed`);
  if (algorithm !== ALGORITHM) return refuse('malformed', `header ${AUTH_ALGORITHM} is not ${ALGORITHM}`);
  const checksum = crc32(request.body);
  const texts = webhookIds.map((webhookId) => `${id}|${time}|${webhookId}|${checksum}`);
  const secret = await certified(
    texts,
    [`header ${SIGNATURE}`, signature],
    'SHA-256',
    [`header ${CERTIFICATE}`, certificate],
    PAYPAL,
    context,
  );
  if (!secret.ok) return secret;
  const text = texts[secret.value];
  return text === undefined
    ? refuse(
        'mismatch',
        `header ${SIGNATURE} was not made over this request for any of ${webhookIds.length} webhook id(s)`,
      )
    : ok({ secret: secret.value, once: { digests: [digestOf(text)], freshMs: freshFor(tolerance) } });
}

/**
 * Only one line each, so that the signed text can be split into fields in only one way: a message text with a line
 * `MessageId` must not pass for another message with another id.
 */
const line = z.string().check(z.regex(/^[^\r\n]{1,4096}$/));
const common = {
  Message: z.string(),
  MessageId: line,
  TopicArn: line,
  Timestamp: line,
  Signature: line,
  SignatureVersion: z.enum(['1', '2']),
  SigningCertURL: line,
};
const envelopeSchema = z.discriminatedUnion('Type', [
  z.object({ Type: z.literal('Notification'), ...common, Subject: z.nullish(line) }),
  z.object({
    Type: z.enum(['SubscriptionConfirmation', 'UnsubscribeConfirmation']),
    ...common,
    SubscribeURL: line,
    Token: line,
  }),
]);

type Envelope = z.output<typeof envelopeSchema>;

const HASHES = { '1': 'SHA-1', '2': 'SHA-256' } as const;

/** `arn:partition:sns:region:account:name`; the ARN of a subscription has one more part. */
const TOPIC_ARN = /^arn:[a-z0-9-]+:sns:[a-z0-9-]+:[0-9]+:[^:\s]+$/;

/**
 * RSA over fields of the body. The topic has to be one of the source's, since SNS signs for every AWS account. Fields
 * that are not signed, such as `MessageAttributes`, and all headers prove nothing.
 */
export async function verifySns(
  { tolerance }: { readonly tolerance: number },
  { secrets: topics, request, ...context }: Attempt,
): Promise<Checked<Match>> {
  const wrong = topics.findIndex((topic) => !TOPIC_ARN.test(topic));
  if (wrong >= 0)
    return refuse('misconfigured', `secret ${wrong + 1} of ${topics.length} is not the ARN of a topic`);
  const read = await readEnvelope(request);
  if (!read.ok) return read;
  const envelope = read.value;

  const topic = await matchToken(envelope.TopicArn, topics, 'body field TopicArn');
  if (!topic.ok) return topic;
  const unit = { unit: 'iso8601', tolerance } as const;
  const fresh = checkFreshness(envelope.Timestamp, unit, 'body field Timestamp', context.now);
  if (!fresh.ok) return fresh;
  const text = signedText(envelope);
  const signature = ['body field Signature', envelope.Signature] as const;
  const certificate = ['body field SigningCertURL', envelope.SigningCertURL] as const;
  const hash = HASHES[envelope.SignatureVersion];
  const signed = await certified([text], signature, hash, certificate, SNS, context);
  if (!signed.ok) return signed;
  return signed.value === 0
    ? ok({ secret: topic.value, once: { digests: [digestOf(text)], freshMs: freshFor(tolerance) } })
    : refuse('mismatch', `${signature[0]} was not made over this message by SNS`);
}

async function readEnvelope({ parsed, headers }: SignedRequest): Promise<Checked<Envelope>> {
  const body = await parsed();
  // Under another type the same bytes may mean something else, and the type is not signed. Text holds no envelope.
  const format = body.ok ? body.value.format : 'json';
  if (format !== 'json' && format !== 'text')
    return refuse(
      'malformed',
      `the body is ${format}, and SNS sends JSON, as text/plain or application/json`,
    );
  // As it was sent: the payload may have `Message` decoded, but its text is signed.
  const isRaw = headers.get('x-amz-sns-rawdelivery') === 'true' || !body.ok;
  const json = isRaw ? undefined : body.value.sent;
  const no = 'the body is not an SNS message: switch off raw message delivery, which has no signature';
  if (ownValue(json, 'Type') === undefined) return refuse('malformed', no);
  const envelope = envelopeSchema.safeParse(json);
  if (envelope.success) return ok(envelope.data);
  const field = String(envelope.error.issues[0]?.path[0]);
  return ownValue(json, field) === undefined
    ? refuse('missing_field', `body field ${field} is missing`)
    : refuse('malformed', `body field ${field} does not have SNS's form`);
}

/** The fields that SNS signs, in its order. Each kind of message has some of them. */
const SIGNED = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** Returns each field as a line with its name and a line with its value. */
function signedText(envelope: Envelope): string {
  const fields: Readonly<Record<string, string | null | undefined>> = envelope;
  return SIGNED.map((name) => {
    const value = fields[name] ?? null;
    return value === null ? '' : `${name}\n${value}\n`;
  }).join('');
}
