import { crc32 } from 'node:zlib';
import { type SenderTime, timeText, windowOf, withDefault } from './hmac-sender.ts';
import { editJson, readJson } from './json.ts';
import { ECDSA, ED25519, type KeySet, PAYPAL_WEBHOOKS, RSA_KEY, SNS_TOPICS, WHPK } from './keys.ts';
import { headerOf, type Sender, type Signing, type Webhook, withHeader } from './sender.ts';

const same = (text: string): string => text;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** What stands before 32 bytes of seed in PKCS #8 (RFC 8410). */
const ED25519_HEAD = '302e020100300506032b657004220420';

async function signEd25519(seed: string, text: string): Promise<Uint8Array> {
  const der = Buffer.from(`${ED25519_HEAD}${seed}`, 'hex');
  const key = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('Ed25519', key, Buffer.from(text)));
}

async function signEcdsa(pkcs8: string, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('pkcs8', Buffer.from(pkcs8, 'base64'), algorithm, false, ['sign']);
  return asDer(new Uint8Array(await crypto.subtle.sign(algorithm, key, Buffer.from(text))));
}

/** SEQUENCE of two INTEGERs, each as short as it can be and positive (X.690 §8.3). */
function asDer(raw: Uint8Array): Uint8Array {
  const numbers = [raw.subarray(0, 32), raw.subarray(32)].flatMap((number) => {
    const digits = number.subarray(number.findIndex((byte) => byte !== 0));
    const bytes = (digits[0] ?? 0) > 127 ? [0, ...digits] : [...digits];
    return [2, bytes.length, ...bytes];
  });
  return Uint8Array.from([0x30, numbers.length, ...numbers]);
}

async function signRsa(text: string, hash: 'SHA-1' | 'SHA-256'): Promise<Uint8Array> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash };
  const key = await crypto.subtle.importKey('pkcs8', RSA_KEY, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, Buffer.from(text)));
}

interface PairFacts {
  readonly header: string;
  readonly keys: KeySet;
  readonly encoding: 'hex' | 'base64';
  readonly sign: (key: string, text: string) => Promise<Uint8Array>;
  readonly time: Omit<SenderTime, 'in'>;
  readonly content?: (time: string, draft: Webhook) => string;
  /** A header that is signed, and what it says where a sample has none. */
  readonly beside?: readonly [name: string, value: string];
  readonly write?: (signatures: readonly string[]) => string;
  readonly rest: Pick<Sender, 'otherAlgorithms' | 'reasons' | 'lists'>;
}

/** A sender of a signature with a private key over the time in a header and the body. */
function pairSender(provider: string, facts: PairFacts): Sender {
  const { header, keys, encoding, time, beside, rest } = facts;
  return {
    provider,
    keys,
    send: async (draft, signing) => signPair(facts, draft, signing),
    proof: { in: 'header', name: header },
    encoding,
    time: windowOf({ ...time, in: 'header' }),
    covers: { body: 'raw', ...(beside !== undefined && { headers: [beside[0]] }) },
    ...rest,
  };
}

async function signPair(facts: PairFacts, draft: Webhook, signing: Signing): Promise<Webhook> {
  const { content = (time: string, { body }: Webhook) => `${time}${body}`, write = ([one = '']) => one } = facts;
  const { alter = same, restate = same, keys } = signing;
  const time = signing.time ?? timeText(signing.now, facts.time.unit);
  const known = facts.beside === undefined ? draft : withDefault(draft, facts.beside);
  const text = content(time, known);
  const signatures = await Promise.all(
    keys.map(async (key) => alter(Buffer.from(await facts.sign(key, text)).toString(facts.encoding))),
  );
  const stamped = withHeader(known, facts.time.name, restate(time));
  return withHeader(stamped, facts.header, write(signatures));
}

const discord = (provider: string): Sender =>
  pairSender(provider, {
    header: 'X-Signature-Ed25519',
    keys: ED25519,
    encoding: 'hex',
    sign: signEd25519,
    time: { name: 'X-Signature-Timestamp', unit: 's', late: 300 },
    rest: {
      otherAlgorithms: [
        {
          name: 'an HMAC of 32 bytes',
          change: (sent) => withHeader(sent, 'X-Signature-Ed25519', 'ab'.repeat(32)),
          reason: 'malformed',
        },
      ],
    },
  });

const sendgrid = pairSender('sendgrid', {
  header: 'X-Twilio-Email-Event-Webhook-Signature',
  keys: ECDSA,
  encoding: 'base64',
  sign: signEcdsa,
  time: { name: 'X-Twilio-Email-Event-Webhook-Timestamp', unit: 's', late: 86_400 },
  rest: {
    otherAlgorithms: [
      {
        name: 'two numbers in 64 bytes',
        change: (sent) =>
          withHeader(sent, 'X-Twilio-Email-Event-Webhook-Signature', base64(new Uint8Array(64).fill(7))),
        reason: 'malformed',
      },
    ],
  },
});

const standardEd25519 = pairSender('standard-webhooks-ed25519', {
  header: 'webhook-signature',
  keys: WHPK,
  encoding: 'base64',
  sign: signEd25519,
  time: { name: 'webhook-timestamp', unit: 's', late: 300 },
  content: (time, draft) => `${headerOf(draft, 'webhook-id')}.${time}.${draft.body}`,
  beside: ['webhook-id', 'msg_2Lml7bxRGqPRHTJz4kOHmjQnlTf'],
  write: (signatures) => signatures.map((one) => `v1a,${one}`).join(' '),
  rest: {
    lists: true,
    otherAlgorithms: [
      {
        name: 'v1, for v1a,',
        change: (sent) =>
          withHeader(
            sent,
            'webhook-signature',
            (headerOf(sent, 'webhook-signature') ?? '').replaceAll('v1a,', 'v1,'),
          ),
        reason: 'unknown_key',
      },
    ],
    reasons: { doubled: null },
  },
});

/** Where the tests serve certificates, of {@link RSA_KEY} and of another key. */
export const CERTIFICATES = {
  sns: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
  snsOther: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-fedcba9876543210.pem',
  paypal: 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270',
  paypalOther: 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-0ef9a7c1',
} as const;

const SNS_SIGNED = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];

/** A notification of the topic that is the key, with each key and value on a line of its own. */
async function signSns(
  version: '1' | '2',
  draft: Webhook,
  { keys: [topic = ''], now, time, alter = same, restate = same }: Signing,
): Promise<Webhook> {
  const stamp = time ?? new Date(now).toISOString();
  const facts = {
    Type: 'Notification',
    TopicArn: topic,
    SignatureVersion: version,
    SigningCertURL: CERTIFICATES.sns,
    Timestamp: stamp,
  };
  let body = JSON.stringify({ ...Object(JSON.parse(draft.body)), ...facts });
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
    snsField('a certificate from elsewhere', 'SigningCertURL', 'https://sns.example.com/cert.pem', 'malformed'),
    snsField(
      'a certificate from a host that only begins like theirs',
      'SigningCertURL',
      'https://sns.eu-central-1.amazonaws.com.example.com/SimpleNotificationService-1.pem',
      'malformed',
    ),
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
    paypalHeader(
      'a certificate from elsewhere',
      'PAYPAL-CERT-URL',
      'https://paypal.com.example.com/v1/notifications/certs/CERT-1',
      'malformed',
    ),
  ],
};

/** Senders with a private key of their own. */
export const keyPairSenders: readonly Sender[] = [
  discord('discord-interactions'),
  discord('discord-webhook-events'),
  standardEd25519,
  sendgrid,
  awsSns('2'),
  awsSns('1'),
  paypal,
];
