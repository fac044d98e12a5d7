import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { providers } from '../platform/providers.ts';
import type { BodyQuirks } from '../../src/provider/provider.ts';
import { ownValue } from '../../src/lib/json.ts';
import { type VerifyScheme, verifySignature } from '../../src/signature/scheme.ts';
import { freshName, serverOf, signRsa } from './rsa-support.ts';
import { hexBytes, NOW, NOW_SECONDS, requestOf, schemeOf } from './support.ts';

/** Verifying and parsing read the same: whatever a body is made to look like, the two never disagree. */

interface Genuine {
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: string;
  readonly query?: string;
}

interface Reader {
  readonly scheme: VerifyScheme;
  readonly secret: string;
  readonly quirks?: BodyQuirks;
  /** The paths of the payload that the proof speaks for. */
  readonly proves: readonly string[];
  readonly genuine: Genuine;
}

const SECRET = 'test-secret-of-this-file';
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const hmac = (text: string, key: string | Uint8Array = SECRET, hash = 'sha256') =>
  createHmac(hash, key).update(text);
const NONE: VerifyScheme = { scheme: 'none' };

const TOPIC = 'arn:aws:sns:us-east-1:123456789012:orders';

function sns(): string {
  const fields = {
    Message: 'You have chosen to subscribe.',
    MessageId: '165545c9',
    SubscribeURL: 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336',
    Timestamp: new Date(NOW).toISOString(),
    Token: '2336',
    TopicArn: TOPIC,
    Type: 'SubscriptionConfirmation',
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}\n${value}\n`);
  return JSON.stringify({
    ...fields,
    SignatureVersion: '2',
    Signature: signRsa(text.join(''), 'sha256'),
    SigningCertURL: `https://sns.us-east-1.amazonaws.com/${freshName()}.pem`,
  });
}

const HEX_KEY = '44'.repeat(32);
const OF_SHOP = { originalReference: '', merchantAccountCode: 'Shop', merchantReference: 'R1' };
const AMOUNT = { value: 1000, currency: 'EUR' };
const ITEM = { pspReference: 'P1', ...OF_SHOP, amount: AMOUNT, eventCode: 'AUTHORISATION', success: 'true' };
const hmacSignature = hmac('P1::Shop:R1:1000:EUR:AUTHORISATION:true', hexBytes(HEX_KEY)).digest('base64');
const AT = 'notificationItems.0.NotificationRequestItem';

const mailgun = { timestamp: NOW_SECONDS, token: 'abc', signature: hmac(`${NOW_SECONDS}abc`).digest('hex') };
const linear = { webhookTimestamp: NOW, action: 'create' };
const twilioForm = 'MessageSid=SM1&MessageStatus=sent';
const twilioCall = { CallSid: 'CA1' };
const twilioHash = createHash('sha256').update(JSON.stringify(twilioCall)).digest('hex');
const twilioQuery = `?bodySHA256=${twilioHash}`;
const ADDRESS = 'https://hooks.example.com/hooks/shop';
const twilioSigned = (text: string) => ({
  'X-Twilio-Signature': hmac(text, SECRET, 'sha1').digest('base64'),
});

const inJson = (value: unknown, headers = {}): Genuine => ({
  headers,
  type: JSON_TYPE,
  body: JSON.stringify(value),
});
const inForm = (body: string, headers = {}): Genuine => ({ headers, type: FORM, body });
const ofProvider = (id: string, secret = SECRET) => ({
  scheme: providers.get(id)?.verify ?? NONE,
  quirks: providers.get(id)?.body ?? {},
  secret,
});
const adyenItem = { NotificationRequestItem: { ...ITEM, additionalData: { hmacSignature } } };

const READERS: Readonly<Record<string, Reader>> = {
  SNS: {
    ...ofProvider('aws-sns', TOPIC),
    proves: ['Type', 'MessageId', 'Message', 'SubscribeURL', 'TopicArn'],
    genuine: { headers: {}, type: 'text/plain; charset=UTF-8', body: sns() },
  },
  'Adyen’s items': {
    ...ofProvider('adyen-payments', HEX_KEY),
    proves: ['pspReference', 'amount.value', 'eventCode', 'success'].map((path) => `${AT}.${path}`),
    genuine: inJson({ notificationItems: [adyenItem] }),
  },
  'Mailgun’s fields in JSON': {
    ...ofProvider('mailgun'),
    proves: ['signature.token', 'signature.timestamp'],
    genuine: inJson({ signature: mailgun }),
  },
  'Mailgun’s fields in a form': {
    ...ofProvider('mailgun'),
    proves: ['token', 'timestamp'],
    genuine: inForm(new URLSearchParams(mailgun).toString()),
  },
  'Twilio’s form': {
    ...ofProvider('twilio'),
    proves: ['MessageSid', 'MessageStatus'],
    genuine: inForm(twilioForm, twilioSigned(`${ADDRESS}MessageSidSM1MessageStatussent`)),
  },
  'Twilio’s JSON': {
    ...ofProvider('twilio'),
    proves: [],
    genuine: { ...inJson(twilioCall, twilioSigned(ADDRESS + twilioQuery)), query: twilioQuery },
  },
  'Linear’s time in the body': {
    ...ofProvider('linear'),
    proves: ['webhookTimestamp'],
    genuine: inJson(linear, { 'Linear-Signature': hmac(JSON.stringify(linear)).digest('hex') }),
  },
  'Microsoft Graph’s word in elements': {
    ...ofProvider('microsoft-graph'),
    proves: ['value.0.clientState'],
    genuine: inJson({ value: [{ id: 'n1', clientState: SECRET }] }),
  },
  'a token in the body': {
    scheme: schemeOf({ scheme: 'token', in: 'body', name: 'token' }),
    secret: SECRET,
    proves: ['token'],
    genuine: inForm(`token=${SECRET}&a=1`),
  },
};

const MULTIPART = 'multipart/form-data; boundary=x';
const part = (name: string, text: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${text}`;

/** Types under which the same bytes say other things. */
const JSON_TYPES = [JSON_TYPE, `${JSON_TYPE}; charset=utf-16`, 'application/vnd.x+json', 'text/json'];
const FORMS = [
  FORM,
  `${FORM}; charset=iso-8859-1`,
  `\t${FORM} ;`,
  `${FORM}-2`,
  `${FORM},${JSON_TYPE}`,
  `x; ${FORM}`,
];
const OTHERS = [
  '',
  'text/plain',
  'text/plain; charset=utf-16le',
  'application/xml',
  'text/xml',
  'application/octet-stream',
];
const TYPES = [...JSON_TYPES, ...FORMS, MULTIPART, ...OTHERS];

/** The fields that a forger would put in the place of the signed ones. */
const forgedFields = ({ proves }: Reader) =>
  new URLSearchParams(proves.map((path) => [path, 'forged'])).toString();

/** The body in other clothes: each reads differently by one parser or another. */
function disguises(reader: Reader): readonly (readonly [type: string, body: string])[] {
  const { body, type } = reader.genuine;
  const forged = forgedFields(reader);
  const asJson = JSON.stringify(Object.fromEntries(new URLSearchParams(forged)));
  const changed = [
    body,
    `\ufeff${body}`,
    `?${body}`,
    `${body}&${forged}`,
    `${forged}&${body}`,
    `%EF%BB%BF${body}`,
    body.replace(/^\{/, `${asJson.slice(0, -1)},`),
    body.replace(/\}$/, `,${asJson.slice(1)}`),
    body.replace(/\}$/, `,"note":"&${forged}&end="}`),
    body.replace(/\}$/, `,"note":"\\r\\n--x\\r\\n${part('Type', 'forged')}\\r\\n--x--"}`),
    new URLSearchParams([['payload', body]]).toString(),
    `${new URLSearchParams([['payload', body]]).toString()}&${forged}`,
    `--x\r\n${part('payload', body)}\r\n--x--\r\n`,
    `<a>${body}</a>`,
  ];
  return [...TYPES, type].flatMap((one) => changed.map((text) => [one, text] as const));
}

async function taken({ scheme, secret, quirks = {}, genuine }: Reader, type: string, body: string) {
  const headers = { ...genuine.headers, ...(type !== '' && { 'Content-Type': type }) };
  const request = requestOf({ url: `${ADDRESS}${genuine.query ?? ''}`, headers, body, quirks });
  const verified = await verifySignature(scheme, [secret], request, serverOf());
  const parsed = await request.parsed();
  return verified.ok && parsed.ok ? parsed.value.payload : null;
}

describe.each(Object.entries(READERS))('%s', (_, reader) => {
  const { type, body } = reader.genuine;
  const proven = (payload: unknown) => reader.proves.map((path) => ownValue(payload, path));

  it('takes the genuine request, and never proves one thing and lets templates see another', async () => {
    const genuine = await taken(reader, type, body);
    expect(genuine).not.toBeNull();
    expect(proven(genuine)).not.toContain(undefined);
    for (const [other, text] of disguises(reader)) {
      const payload = await taken(reader, other, text);
      if (payload === null) continue;
      expect(proven(payload).map(String), `${other}: ${text}`).toEqual(proven(genuine).map(String));
    }
  });
});
