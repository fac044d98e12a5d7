import { crc32 } from 'node:zlib';
import { encode, utf8 } from './bytes.ts';
import { timeText } from './hmac-sender.ts';
import { asObject, editJson, readJson } from './json.ts';
import { PAYPAL_WEBHOOKS, RSA_KEY, SNS_TOPICS } from './keys.ts';
import { headerOf, type Sender, type Signing, type Webhook, withHeader } from './sender.ts';

const same = (text: string): string => text;
const base64 = (bytes: Uint8Array): string => encode(bytes, 'base64');

async function signRsa(text: string, hash: 'SHA-1' | 'SHA-256'): Promise<Uint8Array> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash };
  const key = await crypto.subtle.importKey('pkcs8', RSA_KEY, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, utf8(text)));
}

/** The addresses at which the tests serve certificates, of {@link RSA_KEY} and of another key. */
export const CERTIFICATES = {
  sns: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
  snsOther: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-fedcba9876543210.pem',
  paypal: 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270',
  paypalOther: 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-0ef9a7c1',
} as const;

/** Hosts that are not theirs, one of which begins like theirs. */
const ELSEWHERE = 'https://sns.example.com/cert.pem';
const LIKE_SNS = 'https://sns.eu-central-1.amazonaws.com.example.com/SimpleNotificationService-1.pem';
const LIKE_PAYPAL = 'https://paypal.com.example.com/v1/notifications/certs/CERT-1';

const SNS_SIGNED = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];

/** A notification of the topic that is the key, with each key and value on a line of its own. */
async function signSns(
  version: '1' | '2',
  draft: Webhook,
  { keys: [topic = ''], now, time, alter = same, restate = same }: Signing,
): Promise<Webhook> {
  const stamp = time ?? new Date(now).toISOString();
  const own = { Type: 'Notification', TopicArn: topic, SignatureVersion: version, Timestamp: stamp };
  const facts = { ...asObject(JSON.parse(draft.body)), ...own, SigningCertURL: CERTIFICATES.sns };
  let body = JSON.stringify(facts);
  const lines = SNS_SIGNED.map((name) => [name, readJson(body, name)] as const)
    .filter(([, value]) => typeof value === 'string')
    .map(([name, value]) => `${name}\n${String(value)}\n`);
  const made = base64(await signRsa(lines.join(''), version === '1' ? 'SHA-1' : 'SHA-256'));
  body = editJson(body, 'Signature', () => alter(made));
  body = editJson(body, 'Timestamp', () => restate(stamp));
  return { ...withHeader(draft, 'x-amz-sns-topic-arn', topic), body };
}

const snsField = (name: string, field: string, value: string, reason: 'mismatch' | 'malformed') => ({
  name,
  change: (sent: Webhook) => ({ ...sent, body: editJson(sent.body, field, () => value) }),
  reason,
});

const awsSns = (version: '1' | '2'): Sender => ({
  provider: 'aws-sns',
  ...(version === '1' && { variant: 'SHA-1' }),
  keys: SNS_TOPICS,
  send: (draft, signing) => signSns(version, draft, signing),
  proof: { in: 'body', path: 'Signature' },
  encoding: 'base64',
  time: { late: 3_900, early: 3_900 },
  covers: { body: 'fields', fields: ['Message', 'MessageId', 'TopicArn'] },
  otherAlgorithms: [
    snsField('the other SignatureVersion', 'SignatureVersion', version === '1' ? '2' : '1', 'mismatch'),
    snsField('a SignatureVersion of the future', 'SignatureVersion', '3', 'malformed'),
    snsField('a certificate of another key', 'SigningCertURL', CERTIFICATES.snsOther, 'mismatch'),
    snsField('a certificate from elsewhere', 'SigningCertURL', ELSEWHERE, 'malformed'),
    snsField('a certificate from a host like theirs', 'SigningCertURL', LIKE_SNS, 'malformed'),
  ],
});

const paypalHeader = (name: string, header: string, value: string, reason: 'mismatch' | 'malformed') => ({
  name,
  change: (sent: Webhook) => withHeader(sent, header, value),
  reason,
});

const paypal: Sender = {
  provider: 'paypal',
  keys: PAYPAL_WEBHOOKS,
  send: async (draft, { keys: [webhookId = ''], now, time, alter = same, restate = same }) => {
    const stamp = time ?? timeText(now, 'iso8601');
    const transmission = headerOf(draft, 'PAYPAL-TRANSMISSION-ID') ?? '69cd13f0-d67a-11e5-baa3-778b53f4ae55';
    const text = `${transmission}|${stamp}|${webhookId}|${crc32(draft.body)}`;
    const headers = {
      'PAYPAL-AUTH-ALGO': 'SHA256withRSA',
      'PAYPAL-CERT-URL': CERTIFICATES.paypal,
      'PAYPAL-TRANSMISSION-ID': transmission,
      'PAYPAL-TRANSMISSION-TIME': restate(stamp),
      'PAYPAL-TRANSMISSION-SIG': alter(base64(await signRsa(text, 'SHA-256'))),
    };
    return Object.entries(headers).reduce((sum, [name, value]) => withHeader(sum, name, value), draft);
  },
  proof: { in: 'header', name: 'PAYPAL-TRANSMISSION-SIG' },
  encoding: 'base64',
  time: { late: 259_200, early: 259_200, header: 'PAYPAL-TRANSMISSION-TIME' },
  covers: { body: 'raw', headers: ['PAYPAL-TRANSMISSION-ID'] },
  otherAlgorithms: [
    paypalHeader('SHA1withRSA', 'PAYPAL-AUTH-ALGO', 'SHA1withRSA', 'malformed'),
    paypalHeader('a certificate of another key', 'PAYPAL-CERT-URL', CERTIFICATES.paypalOther, 'mismatch'),
    paypalHeader('a certificate from elsewhere', 'PAYPAL-CERT-URL', LIKE_PAYPAL, 'malformed'),
  ],
};

/** Senders that name the certificate of their key. */
export const certificateSenders: readonly Sender[] = [awsSns('2'), awsSns('1'), paypal];
