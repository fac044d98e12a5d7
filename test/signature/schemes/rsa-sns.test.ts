import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rsaSchema } from '../../../src/signature/schemes/rsa.ts';
import { verifySns } from '../../../src/signature/schemes/rsa-sns.ts';
import { EC_CERTIFICATE, OTHER_RSA_CERTIFICATE, VALID_TO } from '../certificates.ts';
import { type CertificateServer, freshName, serverOf, signRsa } from '../rsa-support.ts';
import { providers } from '../../../src/provider/catalog/catalog.ts';
import { requestOf } from '../support.ts';

/** JSON under text/plain, with JSON in `Message`. */
const QUIRKS = providers.get('aws-sns')?.body ?? {};

const TOPIC = 'arn:aws:sns:us-east-1:123456789012:orders';
const OTHER_TOPIC = 'arn:aws:sns:us-east-1:999999999999:orders';
const SCHEME = rsaSchema.parse({ scheme: 'rsa', format: 'sns', tolerance: '5m' });
const TIME = '2026-01-05T08:30:00.000Z';
const SUBSCRIBE = 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37';

type Message = Readonly<Record<string, unknown>>;

const certUrl = () => `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${freshName()}.pem`;

/** The fields of a notification, with and without a subject, and the text that SNS signs for it. */
const NOTIFICATION = {
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC,
  Message: 'Zahlung über 5 €\n{"id":1}',
  Timestamp: TIME,
};
const NOTIFICATION_TEXT = `Message
Zahlung über 5 €
{"id":1}
MessageId
22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324
Timestamp
2026-01-05T08:30:00.000Z
TopicArn
arn:aws:sns:us-east-1:123456789012:orders
Type
Notification
`;
const WITH_SUBJECT = { ...NOTIFICATION, Subject: 'My First Message' };
const WITH_SUBJECT_TEXT = NOTIFICATION_TEXT.replace('Timestamp\n', 'Subject\nMy First Message\nTimestamp\n');

const confirmation = (type: string) => ({
  Type: type,
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37',
  TopicArn: TOPIC,
  Message: 'You have chosen to subscribe to the topic.',
  SubscribeURL: SUBSCRIBE,
  Timestamp: TIME,
});
const confirmationText = (type: string) => `Message
You have chosen to subscribe to the topic.
MessageId
165545c9-2a5c-472c-8df2-7ff2be2b3b1b
SubscribeURL
${SUBSCRIBE}
Timestamp
2026-01-05T08:30:00.000Z
Token
2336412f37
TopicArn
arn:aws:sns:us-east-1:123456789012:orders
Type
${type}
`;

/** Each type of message and the text that is signed of it. */
const MESSAGES: readonly (readonly [string, Message, string])[] = [
  ['a notification', NOTIFICATION, NOTIFICATION_TEXT],
  ['a notification with a subject', WITH_SUBJECT, WITH_SUBJECT_TEXT],
  [
    'a confirmation of a subscription',
    confirmation('SubscriptionConfirmation'),
    confirmationText('SubscriptionConfirmation'),
  ],
  [
    'a confirmation of its end',
    confirmation('UnsubscribeConfirmation'),
    confirmationText('UnsubscribeConfirmation'),
  ],
];

/** A message as SNS sends it. */
const signed = (message: Message, text: string, version = '2'): Message => ({
  ...message,
  SignatureVersion: version,
  Signature: signRsa(text, version === '1' ? 'sha1' : 'sha256'),
  SigningCertURL: certUrl(),
});
const plain = () => signed(NOTIFICATION, NOTIFICATION_TEXT);

interface Options {
  readonly topics?: readonly string[];
  readonly server?: CertificateServer;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = (body: string | Uint8Array, options: Options = {}) => {
  const { topics = [TOPIC], server = serverOf(), headers = {} } = options;
  const type = { 'Content-Type': 'text/plain; charset=UTF-8' };
  return verifySns(
    SCHEME,
    topics,
    requestOf({ body, headers: { ...type, ...headers }, quirks: QUIRKS }),
    server,
  );
};
const verify = (message: Message, options: Options = {}) => send(JSON.stringify(message), options);

const verifyBy = (server: CertificateServer) => verify(plain(), { server });
/** Of a message that was made at this time. */
const verifyOf = async (Timestamp: string) =>
  verify(signed({ ...NOTIFICATION, Timestamp }, NOTIFICATION_TEXT.replace(TIME, Timestamp)));

const refusal = (reason: string) => ({ ok: false, error: { reason } });

/** Returns the reason of the refusal, and expects that nothing was fetched for it. */
async function refusedUnfetched(message: Message, topics?: readonly string[]): Promise<string> {
  const server = serverOf();
  const result = await verify(message, { server, ...(topics && { topics }) });
  expect(server.calls).toEqual([]);
  return result.ok ? 'accepted' : result.error.reason;
}

describe('a message of SNS', () => {
  it.each(MESSAGES)('is accepted: %s', async (_, message, text) => {
    expect(await verify(signed(message, text, '1'))).toMatchObject({ ok: true, value: { secret: 0 } });
    expect(await verify(signed(message, text, '2'))).toMatchObject({ ok: true, value: { secret: 0 } });
  });

  it('names the topic by which it came', async () => {
    expect(await verify(plain(), { topics: [OTHER_TOPIC, TOPIC] })).toMatchObject({
      ok: true,
      value: { secret: 1 },
    });
  });

  it('may have a subject of null, which is none', async () => {
    expect(await verify({ ...plain(), Subject: null })).toMatchObject({ ok: true });
  });

  it('may have fields that are not signed', async () => {
    const more = { UnsubscribeURL: 'https://x.example', MessageAttributes: { a: { Type: 'String' } } };
    expect(await verify({ ...plain(), ...more })).toMatchObject({ ok: true });
  });

  it('takes the certificate from the cache the second time', async () => {
    const server = serverOf();
    const message = plain();
    expect(await verify(message, { server })).toMatchObject({ ok: true });
    expect(await verify(message, { server })).toMatchObject({ ok: true });
    expect(server.calls).toHaveLength(1);
  });
});

describe('a message that was tampered with is refused', () => {
  it.each(MESSAGES)('in any signed field: %s', async (_, message, text) => {
    const original = signed(message, text);
    const fields = Object.keys(message).filter((field) => field !== 'Type' && field !== 'TopicArn');
    for (const field of fields) {
      const changed = field === 'Timestamp' ? '2026-01-05T08:30:00.001Z' : `${String(original[field])}x`;
      expect(await verify({ ...original, [field]: changed }), field).toMatchObject(refusal('mismatch'));
    }
  });

  it('when it is made a message of another accepted topic', async () => {
    const changed = { ...plain(), TopicArn: OTHER_TOPIC };
    expect(await verify(changed, { topics: [TOPIC, OTHER_TOPIC] })).toMatchObject(refusal('mismatch'));
  });

  it('when its type is changed', async () => {
    const type = 'SubscriptionConfirmation';
    const original = signed(confirmation(type), confirmationText(type));
    for (const Type of ['UnsubscribeConfirmation', 'Notification'])
      expect(await verify({ ...original, Type })).toMatchObject(refusal('mismatch'));
  });

  it('when a subject is added or taken away', async () => {
    expect(await verify({ ...plain(), Subject: 'Subject' })).toMatchObject(refusal('mismatch'));
    const original = signed(WITH_SUBJECT, WITH_SUBJECT_TEXT);
    expect(await verify({ ...original, Subject: undefined })).toMatchObject(refusal('mismatch'));
  });

  it('in one bit of the signature', async () => {
    const original = plain();
    const binary = atob(String(original['Signature']));
    for (const at of [0, 100, binary.length - 1]) {
      const flipped = String.fromCharCode(binary.charCodeAt(at) ^ 1);
      const Signature = btoa(binary.slice(0, at) + flipped + binary.slice(at + 1));
      expect(await verify({ ...original, Signature })).toMatchObject(refusal('mismatch'));
    }
  });

  it('when the other version is claimed for its signature', async () => {
    for (const [made, claimed] of [
      ['1', '2'],
      ['2', '1'],
    ]) {
      const original = signed(NOTIFICATION, NOTIFICATION_TEXT, made);
      expect(await verify({ ...original, SignatureVersion: claimed })).toMatchObject(refusal('mismatch'));
    }
  });

  it('when lines of its message are passed off as other fields', async () => {
    const message = { ...NOTIFICATION, Message: 'paid\nMessageId\nanother' };
    const text = NOTIFICATION_TEXT.replace(NOTIFICATION.Message, message.Message);
    const original = signed(message, text);
    expect(await verify(original)).toMatchObject({ ok: true });
    const MessageId = `another\nMessageId\n${NOTIFICATION.MessageId}`;
    expect(await verify({ ...original, Message: 'paid', MessageId })).toMatchObject(refusal('malformed'));
  });

  it('when half a character stands for the mark of one', async () => {
    const text = NOTIFICATION_TEXT.replace(NOTIFICATION.Message, '\ufffd');
    const original = signed({ ...NOTIFICATION, Message: '\ufffd' }, text);
    expect(await verify(original)).toMatchObject({ ok: true });
    expect(await verify({ ...original, Message: '\ud800' })).toMatchObject(refusal('malformed'));
  });
});

describe('before anything is fetched', () => {
  it('another topic is refused, however well it is signed', async () => {
    expect(await refusedUnfetched(plain(), [OTHER_TOPIC])).toBe('mismatch');
    for (const topic of [TOPIC.slice(0, -1), `${TOPIC}s`, TOPIC.toUpperCase()])
      expect(await refusedUnfetched({ ...plain(), TopicArn: topic })).toBe('mismatch');
  });

  it('a stale message is refused even when its signature is right', async () => {
    expect(await verifyOf('2026-01-05T08:25:00Z')).toMatchObject({ ok: true });
    expect(await verifyOf('2026-01-05T08:35:00Z')).toMatchObject({ ok: true });
    expect(await verifyOf('2026-01-05T08:24:59Z')).toMatchObject(refusal('stale'));
    expect(await verifyOf('2026-01-05T08:35:01Z')).toMatchObject(refusal('stale'));
    expect(await refusedUnfetched({ ...plain(), Timestamp: '2026-01-05T08:24:59Z' })).toBe('stale');
    expect(await refusedUnfetched({ ...plain(), Timestamp: 'yesterday' })).toBe('malformed');
  });

  it.each([
    'http://sns.us-east-1.amazonaws.com/a.pem',
    'https://evil.example/a.pem',
    'https://sns.us-east-1.amazonaws.com.evil.example/a.pem',
    'https://sns.s3-us-west-2.amazonaws.com/a.pem',
    'https://sns.us-east-1.amazonaws.com@evil.example/a.pem',
    'https://user:word@sns.us-east-1.amazonaws.com/a.pem',
    'https://sns.us-east-1.amazonaws.com:8443/a.pem',
    'https://sns.us-east-1.amazonaws.com/a.pem#',
    'https://sns.us-east-1.amazonaws.com/a.pem?Action=GetTopicAttributes',
    'https://sns.us-east-1.amazonaws.com/?Action=GetTopicAttributes&x=.pem',
    'https://sns.us-east-1.amazonaws.com/a.pem.txt',
    'https://sns.us-east-1.amazonaws.com/apem',
    'a.pem',
  ])('a certificate at %s is refused', async (url) => {
    expect(await refusedUnfetched({ ...plain(), SigningCertURL: url })).toBe('malformed');
  });

  it.each([
    'MessageId',
    'Message',
    'TopicArn',
    'Timestamp',
    'Signature',
    'SignatureVersion',
    'SigningCertURL',
  ])('a message without %s is refused, or with another thing than text there', async (field) => {
    const message = plain();
    expect(await refusedUnfetched({ ...message, [field]: undefined })).toBe('missing_field');
    for (const wrong of [null, 5, true, {}, [message[field]]])
      expect(await refusedUnfetched({ ...message, [field]: wrong })).toBe('malformed');
    if (field !== 'Message') {
      for (const wrong of ['', 'x'.repeat(4_097), `${String(message[field])}\n`])
        expect(await refusedUnfetched({ ...message, [field]: wrong })).toBe('malformed');
    }
  });

  it.each(['SubscribeURL', 'Token'])('a confirmation without %s is refused', async (field) => {
    const type = 'SubscriptionConfirmation';
    const message = signed(confirmation(type), confirmationText(type));
    expect(await refusedUnfetched({ ...message, [field]: undefined })).toBe('missing_field');
  });

  it.each(['0', '3', '01', '2 ', 'constructor'])('version %j is refused', async (version) => {
    expect(await refusedUnfetched({ ...plain(), SignatureVersion: version })).toBe('malformed');
  });

  it.each(['Other', 'notification', '__proto__', '', 5, null, ['Notification']])(
    'type %j is refused',
    async (type) => {
      expect(await refusedUnfetched({ ...plain(), Type: type })).toBe('malformed');
    },
  );

  it('a signature that is not base64 is refused', async () => {
    expect(await refusedUnfetched({ ...plain(), Signature: '@@@@' })).toBe('malformed');
  });

  it.each(['', 'paid', '[]', '[{"Type":"Notification"}]', 'null', '5', '{}', '{"Type"'])(
    'a body without an envelope (%j) is refused: raw delivery has no signature',
    async (body) => {
      const server = serverOf();
      const result = await send(body, { server });
      expect(result).toMatchObject(refusal('malformed'));
      expect(result.ok || result.error.detail).toMatch(/switch off raw message delivery/);
      expect(server.calls).toEqual([]);
    },
  );

  it('what comes by raw delivery is refused, even when it looks like a message', async () => {
    const headers = { 'x-amz-sns-rawdelivery': 'true' };
    const result = await send(JSON.stringify(plain()), { headers });
    expect(result.ok || result.error.detail).toMatch(/switch off raw/);
  });

  it.each(['hook-secret', `${TOPIC}:5f2c0a3e`, 'arn:aws:sqs:us-east-1:123456789012:orders', ` ${TOPIC}`])(
    'a secret that is no ARN of a topic (%j) is our fault, not the sender’s',
    async (secret) => {
      const server = serverOf();
      const result = await verify(plain(), { server, topics: [TOPIC, secret] });
      expect(result).toMatchObject(refusal('misconfigured'));
      expect(JSON.stringify(result)).not.toContain(secret);
      expect(server.calls).toEqual([]);
    },
  );
});

describe('the certificate of a message', () => {
  it('that cannot be fetched is no fault of the sender', async () => {
    const down = serverOf(() => Promise.reject(new Error('Network connection lost.')));
    const redirecting = serverOf(() => Response.redirect('https://evil.example/a.pem', 302));
    const garbage = serverOf(() => new Response('garbage'));
    for (const server of [down, redirecting, garbage])
      expect(await verifyBy(server)).toMatchObject(refusal('unavailable'));
  });

  it('of another key is refused', async () => {
    expect(await verifyBy(serverOf(() => new Response(OTHER_RSA_CERTIFICATE)))).toMatchObject(
      refusal('mismatch'),
    );
  });

  it('with an EC key is refused', async () => {
    expect(await verifyBy(serverOf(() => new Response(EC_CERTIFICATE)))).toMatchObject(refusal('mismatch'));
  });

  it('that is expired is refused, though the message is fresh', async () => {
    const Timestamp = new Date(VALID_TO + 1_000).toISOString();
    const late = signed({ ...NOTIFICATION, Timestamp }, NOTIFICATION_TEXT.replace(TIME, Timestamp));
    const server = serverOf(undefined, VALID_TO + 1_000);
    expect(await verify(late, { server })).toMatchObject(refusal('mismatch'));
  });
});

describe('whatever is sent', () => {
  it('is answered by a result, and none but the signed message is accepted', async () => {
    const original = plain();
    const field = fc.constantFrom(...Object.keys(original), 'Subject', 'Token', 'SubscribeURL', '__proto__');
    const value = fc.oneof(fc.string(), fc.jsonValue(), fc.constantFrom(...Object.values(original)));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, value), { minLength: 1, maxLength: 3 }), async (changes) => {
        const message = { ...original, ...Object.fromEntries(changes) };
        const same = [...Object.keys(original), 'Subject'].every(
          (name) => (message[name] ?? null) === (Object.hasOwn(original, name) ? original[name] : null),
        );
        const result = await verify(message);
        expect(result.ok).toBe(same);
      }),
    );
  });

  it('as bytes, never makes it throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await send(bytes)).toMatchObject({ ok: false });
      }),
    );
  });

  it('a refusal shows no topic, no signature and no piece of the message', async () => {
    const message: Message = { ...plain(), Message: 'secret words' };
    const results = await Promise.all([verify(message), verify(message, { topics: [OTHER_TOPIC] })]);
    const said = JSON.stringify(results);
    for (const text of ['secret words', TOPIC, OTHER_TOPIC, String(message['Signature'])])
      expect(said).not.toContain(text);
  });
});
