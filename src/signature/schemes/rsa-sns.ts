import * as z from 'zod/mini';
import { ok, type Result } from '../../lib/result.ts';
import { certificateAt, isSignedWith } from '../certificates/certificate.ts';
import { type VerifyContext, pinnedUrl, SNS_HOST } from '../certificates/fetched.ts';
import { decodeText } from '../basics/encoding.ts';
import { digestOf, freshFor, type Match, matchToken } from '../basics/match.ts';
import { ownValue } from '../../lib/json.ts';
import { refuse, type SignatureRefusal, type SignedRequest } from '../basics/request.ts';
import { checkFreshness } from '../signed/claim.ts';

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
/** SNS's own API is on the same host; it answers a query with texts from the query. */
const CERTIFICATE_PATH = /^\/[A-Za-z0-9._-]+\.pem$/;

/**
 * Returns the topic that SNS signed the request for: RSA with SHA-1 or SHA-256 over the fields of the body. The topic
 * has to be one of the source's, since SNS signs messages for every AWS account. Fields that are not signed, such as
 * `MessageAttributes`, and all headers prove nothing.
 */
export async function verifySns(
  { tolerance }: { readonly tolerance: number },
  topics: readonly string[],
  request: SignedRequest,
  context: VerifyContext,
): Promise<Result<Match, SignatureRefusal>> {
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
  const signed = await checkSignature(envelope, text, context);
  if (!signed.ok) return signed;
  return ok({ secret: topic.value, once: { digests: [digestOf(text)], freshMs: freshFor(tolerance) } });
}

async function readEnvelope({ parsed, headers }: SignedRequest): Promise<Result<Envelope, SignatureRefusal>> {
  const body = await parsed();
  // Under another type the same bytes may mean something else, and the type is not signed. Text holds no envelope.
  if (body.ok && body.value.format !== 'json' && body.value.format !== 'text') {
    return refuse(
      'malformed',
      `the body is ${body.value.format}, and SNS sends JSON, as text/plain or application/json`,
    );
  }
  // As it was sent: the payload may have `Message` decoded, but its text is signed.
  const isRaw = headers.get('x-amz-sns-rawdelivery') === 'true' || !body.ok;
  const json = isRaw ? undefined : body.value.sent;
  if (ownValue(json, 'Type') === undefined) {
    return refuse(
      'malformed',
      'the body is not an SNS message: switch off raw message delivery, which has no signature',
    );
  }
  const envelope = envelopeSchema.safeParse(json);
  if (envelope.success) return ok(envelope.data);
  const field = String(envelope.error.issues[0]?.path[0]);
  return ownValue(json, field) === undefined
    ? refuse('missing_field', `body field ${field} is missing`)
    : refuse('malformed', `body field ${field} does not have SNS's form`);
}

async function checkSignature(
  envelope: Envelope,
  text: string,
  context: VerifyContext,
): Promise<Result<void, SignatureRefusal>> {
  const signature = decodeText(envelope.Signature, 'base64');
  if (signature === null) return refuse('malformed', 'body field Signature is not base64');
  const url = pinnedUrl(envelope.SigningCertURL, SNS_HOST);
  if (url === null || !CERTIFICATE_PATH.test(url.pathname) || url.search !== '')
    return refuse('malformed', 'body field SigningCertURL is not the address of an SNS certificate');

  const certificate = await certificateAt(url, context);
  if (!certificate.ok) return certificate;
  const hash = HASHES[envelope.SignatureVersion];
  return (await isSignedWith(certificate.value, hash, new TextEncoder().encode(text), signature))
    ? ok(undefined)
    : refuse('mismatch', 'body field Signature was not made over this message by SNS');
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
